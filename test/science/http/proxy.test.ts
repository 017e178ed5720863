import { describe, expect, test } from "bun:test"
import path from "node:path"
import { loopback } from "../../support/loopback.ts"
import { CA_FILE, forwardProxy } from "../../support/proxy.ts"

const child = path.resolve(import.meta.dirname, "../../support/proxy-child.ts")

async function ask(env: Record<string, string>): Promise<unknown> {
  const run = Bun.spawn([process.execPath, child], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: "pipe",
    stderr: "inherit",
  })
  return JSON.parse(await new Response(run.stdout).text())
}

describe("a proxy", () => {
  test("carries requests by CONNECT to names that this machine cannot resolve, under a certificate authority of one's own", async () => {
    await using proxy = await forwardProxy()
    const outcome = await ask({ HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: CA_FILE })
    expect(outcome).toMatchObject({ kind: "record", record: { id: "T1" } })
    expect(proxy.seen).toEqual(["CONNECT things.example.org:443"])
  })

  test("whose certificate is not trusted is unavailable, not a miss", async () => {
    await using proxy = await forwardProxy()
    expect(await ask({ HTTPS_PROXY: proxy.url })).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
  })

  test("that NO_PROXY excludes is not used", async () => {
    await using proxy = await forwardProxy()
    const outcome = await ask({ HTTPS_PROXY: proxy.url, NO_PROXY: "things.example.org" })
    expect(outcome).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
    expect(proxy.seen).toEqual([])
  })

  test("is not asked for a mirror on this machine", async () => {
    await using proxy = await forwardProxy()
    await using mirror = await loopback(() => '{"id":"T1"}')
    const outcome = await ask({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, TEST_MIRROR: `${mirror.url}/{host}` })
    expect(outcome).toMatchObject({ kind: "record" })
    expect(proxy.seen).toEqual([])
    expect(mirror.requests).toHaveLength(1)
  })
})
