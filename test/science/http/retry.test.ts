import { describe, expect, test } from "bun:test"
import { Failure } from "../../../src/science/failure.ts"
import { retryAfterMs, waitBefore } from "../../../src/science/http/retry.ts"
import { single } from "../../support/things.ts"
import { world } from "../../support/world.ts"

const NOW = Date.parse("2026-10-21T07:28:00Z")

describe("Retry-After", () => {
  test.each([
    ["120", null, 120_000],
    ["1.5", null, 1500],
    ["0", null, 0],
    ["Wed, 21 Oct 2026 07:28:30 GMT", null, 30_000],
    // The service's clock is an hour ahead of ours: the difference to its own Date counts.
    ["Wed, 21 Oct 2026 08:28:30 GMT", "Wed, 21 Oct 2026 08:28:00 GMT", 30_000],
    ["Wed, 21 Oct 2020 07:28:00 GMT", null, 0],
    ["soon", null, undefined],
    ["12 minutes", null, undefined],
    ["-5", null, undefined],
    ["", null, undefined],
    [null, null, undefined],
  ])("%p with Date %p is %p ms", (header, date, expected) => {
    expect(retryAfterMs(header, date, NOW)).toBe(expected)
  })
})

describe("waitBefore", () => {
  const options = { attempts: 3, baseMs: 100, ceilingMs: 5000 }
  test("never waits less than the service asked for", () => {
    const failure = new Failure("rate_limited", "x", { retryAfterMs: 2000 })
    expect(waitBefore(2, failure, options)).toBe(2000)
  })
  test("gives up where the wait would be longer than the ceiling", () => {
    expect(waitBefore(2, new Failure("rate_limited", "x", { retryAfterMs: 60_000 }), options)).toBeUndefined()
  })
  test("doubles from attempt to attempt", () => {
    const failure = new Failure("unavailable", "x")
    expect(waitBefore(2, failure, options)).toBeWithin(75, 126)
    expect(waitBefore(3, failure, options)).toBeWithin(150, 251)
    expect(waitBefore(4, failure, options)).toBeUndefined()
  })
})

describe("attempts", () => {
  test.each([429, 408, 500, 502, 503, 504])(
    "a %p is tried again and the answer that follows is used",
    async (status) => {
      let calls = 0
      await using w = await world(() => (++calls === 1 ? { status } : JSON.stringify({ id: "T1" })), {
        connectors: [single],
      })
      const { outcomes, cost } = await w.fetch("things", "T1")
      expect(outcomes[0]?.kind).toBe("record")
      expect(cost.requests).toBe(2)
    },
  )

  test("a connection that is cut is tried again", async () => {
    let calls = 0
    await using w = await world(
      () => (++calls === 1 ? (_, response) => void response.destroy() : JSON.stringify({ id: "T1" })),
      { connectors: [single] },
    )
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
  })

  test.each([
    [400, "invalid_id"],
    [403, "unavailable"],
    [410, "bad_response"],
  ])("a %p is not tried again and is %p", async (status, code) => {
    await using w = await world(() => ({ status, body: "no" }), { connectors: [single] })
    const { outcomes } = await w.fetch("things", "T1")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code, retryable: false } })
    expect(w.server.requests).toHaveLength(1)
  })

  test("a wait that is too long is a rate_limited that says how long, at once", async () => {
    await using w = await world(() => ({ status: 429, headers: { "retry-after": "3600" } }), { connectors: [single] })
    const began = performance.now()
    const { outcomes } = await w.fetch("things", "T1")
    expect(outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "rate_limited", retryable: true, retryAfterMs: 3_600_000 },
    })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(w.server.requests).toHaveLength(1)
  })

  test("a 200 with a stack trace for JSON is tried once more, then a bad_response with its first words", async () => {
    await using w = await world(() => "TXCLIENT::readAll EOF\n  at line 3", { connectors: [single] })
    const { outcomes } = await w.fetch("things", "T1")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
    expect(outcomes[0]).toHaveProperty("failure.message", expect.stringContaining("TXCLIENT::readAll EOF"))
    expect(w.server.requests).toHaveLength(2)
  })

  test("a call that was given up with a failure is that failure, at once, and not tried again", async () => {
    const retry = { attempts: 3, baseMs: 3000, ceilingMs: 5000 }
    await using w = await world(() => () => undefined, { connectors: [single], retry })
    const controller = new AbortController()
    const began = performance.now()
    const call = w.science.search("things", { query: "x", signal: controller.signal })
    setTimeout(() => controller.abort(new Failure("timeout", "Things took too long.")), 50)
    expect((await call).result).toMatchObject({ kind: "failure", failure: { code: "timeout" } })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(w.server.requests).toHaveLength(1)
  })

  test("an aborted call is not tried again", async () => {
    await using w = await world(() => ({ status: 503 }), {
      connectors: [single],
      retry: { attempts: 5, baseMs: 200, ceilingMs: 5000 },
    })
    const controller = new AbortController()
    const call = w.science.fetch("things", ["T1"], controller.signal)
    setTimeout(() => controller.abort(new Error("enough")), 80)
    await expect(call).rejects.toThrow("enough")
    await Bun.sleep(500)
    expect(w.server.requests).toHaveLength(1)
  })
})
