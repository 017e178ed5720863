import { describe, expect, test } from "bun:test"
import type { Http } from "../../../src/science/connector.ts"
import { Failure } from "../../../src/science/failure.ts"
import { memoryCache } from "../../../src/science/http/cache.ts"
import { guard } from "../../../src/science/http/guard.ts"
import { createMirror } from "../../../src/science/http/mirror.ts"
import { url, withQuery } from "../../../src/science/http/url.ts"
import { closedPort } from "../../support/loopback.ts"
import { single, things } from "../../support/things.ts"
import { world } from "../../support/world.ts"

describe("addresses", () => {
  test.each([
    [
      "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0",
      "10.1002%2F%28SICI%291097-0274%28199909%2936%3A1%2B%3C1%3A%3AAID-AJIM2%3E3.0.CO%3B2-0",
    ],
    ["10.1021/ac010694+", "10.1021%2Fac010694%2B"],
    ["C1=CC=C(C=C1)/C=C/#", "C1%3DCC%3DC%28C%3DC1%29%2FC%3DC%2F%23"],
    ["k Tau", "k%20Tau"],
    ["CROHN'S DISEASE", "CROHN%27S%20DISEASE"],
    ["../x", "..%2Fx"],
    ["100%", "100%25"],
    ["Å", "%C3%85"],
  ])("%p goes into a path and a query once encoded", (value, encoded) => {
    expect(url`https://a.org/${value}`).toBe(`https://a.org/${encoded}`)
    expect(withQuery("https://a.org/", { q: value, left: undefined })).toBe(`https://a.org/?q=${encoded}`)
    expect(decodeURIComponent(encoded)).toBe(value)
  })
})

describe("the guard", () => {
  test.each([
    ["http://things.example.org/x", "not https"],
    ["https://evil.example.org/x", "not one of its hosts"],
    ["https://things.example.org.evil.org/", "not one of its hosts"],
    ["https://things.example.org:8443/", "names a port"],
    ["https://user:pw@things.example.org/", "credentials"],
    ["https://127.0.0.1/", "bare IP address"],
    ["https://[::1]/", "bare IP address"],
    ["https://2130706433/", "bare IP address"],
    ["file:///etc/passwd", "not https"],
    ["/relative", "not an address"],
    ["https://constructor/", "not one of its hosts"],
  ])("refuses %p: it %p", (address, why) => {
    const attempt = () => guard(address, things)
    expect(attempt).toThrow(Failure)
    expect(attempt).toThrow(why)
  })

  test("says nothing of a query, which may hold a key", () => {
    expect(() => guard("https://evil.example.org/x?api_key=secret-key", things)).not.toThrow(/secret-key/)
  })
})

test("an address out of a record that is none, or another's, is refused without a request", async () => {
  for (const location of [
    "not an address",
    "//evil.example.org/x",
    "ftp://files.example.org/x",
    "https://evil.example.org/x",
  ]) {
    const pointing = { ...single, files: { txt: { kind: "text" as const, locate: () => location } } }
    await using w = await world(() => "text", { connectors: [pointing] })
    expect((await w.file("things", "txt", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "forbidden_host" },
    })
    expect(w.server.requests).toHaveLength(0)
  }
})

describe("redirects", () => {
  test("a relative one is resolved against the database's address and sent to the mirror", async () => {
    await using w = await world(
      ({ path }) =>
        path === "/thing/T2"
          ? { status: 303, headers: { location: "/thing/T1?from=T2" } }
          : JSON.stringify({ id: "T1", was: ["T2"] }),
      { connectors: [single] },
    )
    const { outcomes } = await w.fetch("things", "T2")
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "T2", resolvedId: "T1", remarks: ["T2 is now T1"] })
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([
      "things.example.org/thing/T2",
      "things.example.org/thing/T1?from=T2",
    ])
  })

  test("one to a host that is not the database's is refused, and nothing is sent there", async () => {
    await using w = await world(
      ({ host }) =>
        host === "things.example.org" ? { status: 302, headers: { location: "https://evil.example.org/steal" } } : "{}",
      {
        connectors: [single],
      },
    )
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "forbidden_host" },
    })
    expect(w.server.requests.map(({ host }) => host)).toEqual(["things.example.org"])
  })

  test("a circle ends", async () => {
    await using w = await world(() => ({ status: 302, headers: { location: "/thing/T1" } }), { connectors: [single] })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response" },
    })
    expect(w.server.requests.length).toBeLessThan(10)
  })

  test("a mirror that rewrites Location to itself is followed", () => {
    const mirror = createMirror({ "*": "http://127.0.0.1:8080/{host}" })
    const target = new URL("https://things.example.org/thing/T2")
    expect(mirror.back("http://127.0.0.1:8080/things.example.org/thing/T1", target)).toBe(
      "https://things.example.org/thing/T1",
    )
    expect(mirror.back("/thing/T1", target)).toBe("https://things.example.org/thing/T1")
    expect(mirror.to(target).href).toBe("http://127.0.0.1:8080/things.example.org/thing/T2")
  })
})

describe("an outage is never a miss", () => {
  test.each([
    ["a 503", { status: 503 }, "unavailable"],
    [
      "HTML for JSON under 200",
      { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><title>Maintenance</title>" },
      "bad_response",
    ],
    ["HTML that calls itself JSON", { body: "\n<html><body>checking your browser" }, "bad_response"],
    ["an HTML 404 where JSON was promised", { status: 404, body: "<html><h1>404</h1></html>" }, "bad_response"],
    ["an empty 200", { body: "" }, "bad_response"],
    ["JSON that stops in the middle", { body: '{"id":"T1","na' }, "bad_response"],
    ["a record without its id", { body: "{}" }, "bad_response"],
    ["a 429", { status: 429 }, "rate_limited"],
  ])("%s is a failure", async (_, reply, code) => {
    await using w = await world(() => reply, { connectors: [single] })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({ kind: "failure", failure: { code } })
    expect((await w.search("things", "anything")).result).toMatchObject({ kind: "failure" })
  })

  test("a body that is cut off before its declared length is a failure", async () => {
    await using w = await world(
      () => (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "500" })
        response.write('{"id":"T1"}')
        setTimeout(() => response.destroy(), 20)
      },
      { connectors: [single] },
    )
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "unavailable" },
    })
  })

  test.each(["text", "xml"] as const)("an HTML page where %s was promised is a failure", async (form) => {
    const page = "<html><head><title>Maintenance</title></head><body><p>back soon</p></body></html>"
    const reading = { ...single, fetch: (_: string, http: Http) => http[form]("https://things.example.org/x") }
    await using w = await world(() => ({ headers: { "content-type": "text/html" }, body: page }), {
      connectors: [reading],
    })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", message: expect.stringContaining("it is an HTML page") },
    })
  })

  test("nobody listening is unavailable", async () => {
    const origin = await closedPort()
    await using w = await world(() => "", { connectors: [single], mirrors: { "*": `${origin}/{host}` } })
    const { outcomes } = await w.fetch("things", "T1")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "unavailable", retryable: true } })
  })

  test("a 404 that the service itself answered is a miss", async () => {
    await using w = await world(() => ({ status: 404, body: '{"message":"no such thing"}' }), { connectors: [single] })
    expect((await w.fetch("things", "T1")).outcomes[0]).toEqual({ kind: "miss", db: "things", id: "T1" })
  })
})

describe("time limits", () => {
  test("a service that does not answer is a timeout", async () => {
    await using w = await world(() => () => undefined, { connectors: [single], timeouts: { connectMs: 80 } })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "timeout" } })
  })

  test("a body that keeps coming may take longer than the first answer", async () => {
    await using w = await world(
      () => async (_, response) => {
        response.writeHead(200)
        for (const piece of ['{"id"', ":", '"T1"', ",", '"a"', ":1}"]) {
          response.write(piece)
          await Bun.sleep(60)
        }
        response.end()
      },
      { connectors: [single], timeouts: { connectMs: 150, idleMs: 150 } },
    )
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
  })

  test("a service that stops in the middle of a body is a timeout", async () => {
    await using w = await world(
      () => (_, response) => {
        response.writeHead(200)
        response.write('{"id":')
      },
      { connectors: [single], timeouts: { idleMs: 80 } },
    )
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "timeout" } })
  })

  test("an abort in the middle of a body goes up as it is", async () => {
    await using w = await world(
      () => (_, response) => {
        response.writeHead(200)
        response.write('{"id":')
      },
      { connectors: [single] },
    )
    const controller = new AbortController()
    const call = w.science.fetch("things", ["T1"], controller.signal)
    setTimeout(() => controller.abort(new Error("enough")), 50)
    await expect(call).rejects.toThrow("enough")
  })
})

describe("size limits", () => {
  test("a small gzip that unfolds without end is stopped", async () => {
    const bomb = Bun.gzipSync(new Uint8Array(80 * 1024 * 1024))
    await using w = await world(() => ({ headers: { "content-encoding": "gzip" }, body: bomb }), {
      connectors: [single],
    })
    expect(bomb.length).toBeLessThan(200_000)
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "too_large" },
    })
  })
})

describe("keys", () => {
  const env = { THINGS_API_KEY: "se cret/key" }

  test("a key goes to its own host alone, and is in no message", async () => {
    await using w = await world(
      ({ host, path }) =>
        host === "things.example.org"
          ? { status: 400, body: `{"error":"bad key se cret/key in ${path}"}` }
          : { status: 404 },
      { connectors: [single], env },
    )
    const { outcomes } = await w.fetch("things", "T1")
    expect(w.server.requests[0]?.path).toContain("api_key=se%20cret%2Fkey")
    expect(outcomes[0]?.kind).toBe("failure")
    expect(JSON.stringify(outcomes[0])).toContain("[key]")
    expect(JSON.stringify(outcomes[0])).not.toMatch(/se cret|se%20cret/)
    await w.file("things", "txt", "T1")
    expect(w.server.requests.at(-1)?.path).toBe("/T1.txt")
  })

  test("a database that needs a key says which variable and where to get one, and asks nothing", async () => {
    const needy = { ...single, key: { ...single.key!, required: true as const } }
    await using w = await world(() => "{}", { connectors: [needy] })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: {
        code: "key_required",
        message: expect.stringMatching(/https:\/\/things\.example\.org\/key.*THINGS_API_KEY/),
      },
    })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("the cache", () => {
  test("a second call makes no request", async () => {
    await using w = await world(() => JSON.stringify({ id: "T1" }), { connectors: [single] })
    await w.fetch("things", "T1")
    const { outcomes, cost } = await w.fetch("things", "T1")
    expect(outcomes[0]?.kind).toBe("record")
    expect(cost).toMatchObject({ requests: 0, cached: 1 })
    expect(w.server.requests).toHaveLength(1)
  })

  test("a stale answer is asked about by its ETag, and a 304 renews it", async () => {
    await using w = await world(
      ({ headers }) => {
        const fresh = { etag: '"v1"', "cache-control": "max-age=0" }
        return headers["if-none-match"] === '"v1"'
          ? { status: 304, headers: fresh }
          : { headers: fresh, body: JSON.stringify({ id: "T1" }) }
      },
      { connectors: [single] },
    )
    await w.fetch("things", "T1")
    const { outcomes, cost } = await w.fetch("things", "T1")
    expect(outcomes[0]).toMatchObject({ kind: "record", record: { id: "T1" } })
    expect(cost).toMatchObject({ requests: 1, cached: 1 })
  })

  test("a miss and a failure are asked anew", async () => {
    let calls = 0
    await using w = await world(() => (++calls === 1 ? { status: 404 } : JSON.stringify({ id: "T1" })), {
      connectors: [single],
    })
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("miss")
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
  })

  test("another record that came for an id is not kept under it", async () => {
    let calls = 0
    await using w = await world(() => JSON.stringify({ id: ++calls === 1 ? "T9" : "T1" }), { connectors: [single] })
    expect((await w.fetch("things", "T1")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("T9"),
    })
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
  })

  test("no-store is obeyed", async () => {
    await using w = await world(
      () => ({ headers: { "cache-control": "no-store" }, body: JSON.stringify({ id: "T1" }) }),
      { connectors: [single] },
    )
    await w.fetch("things", "T1")
    await w.fetch("things", "T1")
    expect(w.server.requests).toHaveLength(2)
  })

  test("offline, what is kept is served whatever its age, and what is not is offline", async () => {
    const cache = memoryCache()
    await using w = await world(
      () => ({ headers: { "cache-control": "max-age=0", etag: '"x"' }, body: JSON.stringify({ id: "T1" }) }),
      { connectors: [single], cache },
    )
    await w.fetch("things", "T1")
    await using off = await world(() => undefined, {
      connectors: [single],
      cache,
      mirrors: w.server.mirrors,
      offline: true,
    })
    expect((await off.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
    expect((await off.fetch("things", "T2")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "offline" },
    })
    expect(w.server.requests).toHaveLength(1)
  })

  test("a mirror's answers are not taken for another's", async () => {
    const cache = memoryCache()
    await using one = await world(() => JSON.stringify({ id: "T1", from: "one" }), { connectors: [single], cache })
    await using two = await world(() => JSON.stringify({ id: "T1", from: "two" }), { connectors: [single], cache })
    await one.fetch("things", "T1")
    expect((await two.fetch("things", "T1")).outcomes[0]).toMatchObject({ record: { from: "two" } })
  })

  test("a key is not part of what is kept", async () => {
    const cache = memoryCache()
    await using w = await world(() => JSON.stringify({ id: "T1" }), {
      connectors: [single],
      cache,
      env: { THINGS_API_KEY: "secret-key" },
    })
    await w.fetch("things", "T1")
    await using other = await world(() => undefined, { connectors: [single], cache, mirrors: w.server.mirrors })
    expect((await other.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
  })
})

describe("several ids", () => {
  test("come in as few requests as the database allows, in the asked order, each with its own outcome", async () => {
    await using w = await world(
      ({ body }) => {
        const { ids } = JSON.parse(body) as { ids: string[] }
        return JSON.stringify(
          ids
            .filter((id) => id !== "T2")
            .map((id) => ({ id }))
            .reverse(),
        )
      },
      { connectors: [things] },
    )
    const { outcomes } = await w.fetch("things", "T1", "T2", "nonsense", "T3", "T4")
    expect(outcomes.map(({ kind, id }) => `${id} ${kind}`)).toEqual([
      "T1 record",
      "T2 miss",
      "nonsense failure",
      "T3 record",
      "T4 record",
    ])
    expect(w.server.requests).toHaveLength(2)
  })

  test("a lot that fails costs only its own ids", async () => {
    await using w = await world(
      ({ body }) =>
        body.includes("T4") ? { status: 500 } : JSON.stringify([{ id: "T1" }, { id: "T2" }, { id: "T3" }]),
      { connectors: [things] },
    )
    const { outcomes } = await w.fetch("things", "T1", "T2", "T3", "T4")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record", "record", "failure"])
  })
})
