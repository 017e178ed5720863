import { describe, expect, test } from "bun:test"
import {
  createAsk,
  PermissionDenied,
  PermissionRejected,
  rulesFor,
  type Answer,
  type PermissionConfig,
  type PermissionRequest,
} from "../../src/permission/index.ts"

function write(...patterns: string[]): PermissionRequest {
  return { permission: "edit", patterns, always: [".openscience/fetch/*"], metadata: { db: "uniprot" } }
}

/** Takes what the promise was rejected with, so that a test can look at it. */
function refusal(promise: Promise<void>): Promise<unknown> {
  return promise.then(
    () => "was allowed",
    (error: unknown) => error,
  )
}

/** A person who answers in turn, and remembers what was asked. */
function person(...answers: Answer[]) {
  const asked: PermissionRequest[] = []
  return {
    asked,
    prompt: async (request: PermissionRequest): Promise<Answer> => {
      asked.push(request)
      const answer = answers.shift()
      if (!answer) throw new Error("asked more often than the test expects")
      return answer
    },
  }
}

/** A person who answers when the test says so. */
function slowPerson() {
  const waiting: { request: PermissionRequest; answer: (answer: Answer) => void; fail: (error: Error) => void }[] = []
  return {
    waiting,
    prompt: (request: PermissionRequest) =>
      new Promise<Answer>((answer, fail) => {
        waiting.push({ request, answer, fail })
      }),
  }
}

/** Lets everything that is ready to run, run. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

const build = (config?: PermissionConfig) => rulesFor("build", config)

describe("by the rules alone", () => {
  test("what every rule allows is allowed without asking anyone", async () => {
    const { asked, prompt } = person()
    await createAsk({ rules: build(), prompt })(write("out/a.txt", "out/b.txt"))
    expect(asked).toEqual([])
  })

  test("one denied pattern denies the whole request, and nobody is asked about the others", async () => {
    const { asked, prompt } = person()
    const rules = build({ edit: { "*": "ask", "src/*": "deny" } })
    const error = await refusal(createAsk({ rules, prompt })(write("out/a.txt", "src/b.txt")))
    expect(error).toBeInstanceOf(PermissionDenied)
    expect(error).toMatchObject({ rules: [{ permission: "edit", pattern: "src/*", action: "deny" }] })
    expect(asked).toEqual([])
  })
})

const sentences: [what: string, config: PermissionConfig, request: PermissionRequest, message: string][] = [
  [
    "the rule, what was not written and who can change it",
    { edit: { ".openscience/*": "deny" } },
    write(".openscience/fetch/uniprot/P04637.fasta"),
    'Denied by the rule "edit": {".openscience/*": "deny"}, which a person can change under "permission" in the configuration, so nothing was written to ".openscience/fetch/uniprot/P04637.fasta".',
  ],
  [
    "every rule once, and of many files the first three",
    { edit: { "a/*": "deny", "b/*": "deny" } },
    write("a/1", "a/2", "b/3", "b/4", "b/5"),
    'Denied by the rule "edit": {"a/*": "deny"} and "edit": {"b/*": "deny"}, which a person can change under "permission" in the configuration, so nothing was written to "a/1", "a/2", "b/3" and 2 more.',
  ],
  [
    "nothing of writing where it was about a database",
    { science_fetch: { "kegg:*": "deny" } },
    { permission: "science_fetch", patterns: ["kegg:hsa:7157"], always: [], metadata: {} },
    'Denied by the rule "science_fetch": {"kegg:*": "deny"}, which a person can change under "permission" in the configuration, so science_fetch did nothing for "kegg:hsa:7157".',
  ],
  [
    "which rule to set where nobody can be asked",
    { edit: "ask" },
    write(".openscience/fetch/a.txt"),
    'Nobody can be asked here and "edit": {"*": "ask"} wants a person\'s word, so nothing was written to ".openscience/fetch/a.txt"; a person can allow it by "edit": {".openscience/fetch/*": "allow"} under "permission" in the configuration.',
  ],
  [
    "the very pattern to allow where the request names no wider one",
    { science_fetch: "ask" },
    { permission: "science_fetch", patterns: ["kegg:hsa:7157"], always: [], metadata: {} },
    'Nobody can be asked here and "science_fetch": {"*": "ask"} wants a person\'s word, so science_fetch did nothing for "kegg:hsa:7157"; a person can allow it by "science_fetch": {"kegg:hsa:7157": "allow"} under "permission" in the configuration.',
  ],
]

describe("a denial says in one sentence", () => {
  test.each(sentences)("%s", async (_, config, request, message) => {
    const error = await refusal(createAsk({ rules: build(config) })(request))
    expect(error).toBeInstanceOf(PermissionDenied)
    expect(error).toHaveProperty("message", message)
  })

  test("that it is plan mode, when no rule of the person's would change it", async () => {
    const error = await refusal(createAsk({ rules: rulesFor("plan", { edit: "allow" }) })(write("out/a.txt")))
    expect(error).toHaveProperty(
      "message",
      'Denied by plan mode, which a person can switch to build mode, so nothing was written to "out/a.txt".',
    )
  })

  test("that no rule allows it, when none matches", async () => {
    const error = await refusal(createAsk({ rules: [] })(write("out/a.txt")))
    expect(error).toMatchObject({ name: "PermissionDenied", rules: [] })
    expect(String(error)).toContain("Nobody can be asked here and no rule allows it, so nothing was written")
  })
})

describe("by a person", () => {
  const rules = build({ edit: { "*": "ask", "out/*": "allow" } })

  test("is asked once, for just the patterns that no rule decides", async () => {
    const { asked, prompt } = person("once")
    const request = write("out/a.txt", "src/b.txt", "src/c.txt")
    await createAsk({ rules, prompt })(request)
    expect(asked).toEqual([{ ...request, patterns: ["src/b.txt", "src/c.txt"] }])
  })

  test('"once" holds once: the next request asks again', async () => {
    const { asked, prompt } = person("once", "reject")
    const ask = createAsk({ rules, prompt })
    await ask(write("src/a.txt"))
    expect(await refusal(ask(write("src/a.txt")))).toBeInstanceOf(PermissionRejected)
    expect(asked).toHaveLength(2)
  })

  test('"reject" refuses with an error of its own, which says what was not written', async () => {
    const { prompt } = person("reject")
    const error = await refusal(createAsk({ rules, prompt })(write("src/a.txt")))
    expect(error).toBeInstanceOf(PermissionRejected)
    expect(error).not.toBeInstanceOf(PermissionDenied)
    expect(error).toMatchObject({
      name: "PermissionRejected",
      message: 'The person who was asked said no, so nothing was written to "src/a.txt".',
    })
  })

  test('"always" allows what the request names as always, and no more', async () => {
    const { asked, prompt } = person("always", "once", "once")
    const ask = createAsk({ rules: build("ask"), prompt })
    await ask(write(".openscience/fetch/a.txt"))
    await ask(write(".openscience/fetch/sub/b.txt"))
    expect(asked).toHaveLength(1)
    await ask(write("src/a.txt"))
    await ask({ ...write(".openscience/fetch/a.txt"), permission: "science_fetch" })
    expect(asked.map(({ permission, patterns }) => [permission, ...patterns])).toEqual([
      ["edit", ".openscience/fetch/a.txt"],
      ["edit", "src/a.txt"],
      ["science_fetch", ".openscience/fetch/a.txt"],
    ])
  })

  test('"always" never lifts a deny', async () => {
    const { prompt } = person("always")
    const ask = createAsk({ rules: build({ edit: { "*": "ask", ".openscience/fetch/kegg/*": "deny" } }), prompt })
    await ask(write(".openscience/fetch/a.txt"))
    expect(await refusal(ask(write(".openscience/fetch/kegg/b.txt")))).toBeInstanceOf(PermissionDenied)
  })

  test('"always" is forgotten by the next asker', async () => {
    const { asked, prompt } = person("always", "once")
    await createAsk({ rules, prompt })(write(".openscience/fetch/a.txt"))
    await createAsk({ rules, prompt })(write(".openscience/fetch/a.txt"))
    expect(asked).toHaveLength(2)
  })
})

describe("of two requests at once", () => {
  const rules = build({ edit: "ask" })

  test("the second is asked only after the first was answered", async () => {
    const { waiting, prompt } = slowPerson()
    const ask = createAsk({ rules, prompt })
    const both = [ask(write("src/a.txt")), ask(write("src/b.txt"))]
    await settle()
    expect(waiting.map(({ request }) => request.patterns)).toEqual([["src/a.txt"]])
    waiting[0]?.answer("once")
    await settle()
    expect(waiting.map(({ request }) => request.patterns)).toEqual([["src/a.txt"], ["src/b.txt"]])
    waiting[1]?.answer("once")
    await Promise.all(both)
  })

  test('the second is spared by an "always" that covers it', async () => {
    const { waiting, prompt } = slowPerson()
    const ask = createAsk({ rules, prompt })
    const both = [ask(write(".openscience/fetch/a.txt")), ask(write(".openscience/fetch/b.txt"))]
    await settle()
    waiting[0]?.answer("always")
    await Promise.all(both)
    expect(waiting).toHaveLength(1)
  })

  test("the second is asked whatever became of the first", async () => {
    const { waiting, prompt } = slowPerson()
    const ask = createAsk({ rules, prompt })
    const first = refusal(ask(write("src/a.txt")))
    const second = refusal(ask(write("src/b.txt")))
    const third = ask(write("src/c.txt"))
    await settle()
    waiting[0]?.answer("reject")
    expect(await first).toBeInstanceOf(PermissionRejected)
    await settle()
    const hungUp = new Error("the client hung up")
    waiting[1]?.fail(hungUp)
    expect(await second).toBe(hungUp)
    await settle()
    waiting[2]?.answer("once")
    await third
  })

  test("one that rules allow does not wait for one that is being asked", async () => {
    const { waiting, prompt } = slowPerson()
    const ask = createAsk({ rules: build({ edit: { "*": "ask", "out/*": "allow" } }), prompt })
    const slow = ask(write("src/a.txt"))
    await ask(write("out/a.txt"))
    waiting[0]?.answer("once")
    await slow
  })
})
