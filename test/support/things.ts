import { z } from "zod"
import { defineConnector, pick, url, type Connector } from "../../src/science/connector.ts"

const Thing = z.object({ id: z.string(), was: z.array(z.string()).optional() })

/** A database of things, for tests of the framework: one of each that a connector can have. */
export const things: Connector = defineConnector({
  id: "things",
  name: "Things",
  domain: "mathematics",
  description: "things",
  homepage: "https://things.example.org",
  license: "CC0",
  cite: "Things (2026)",
  ids: { curie: "thing", pattern: /^T\d+$/, examples: ["T1"], normalize: (id) => id.toUpperCase() },
  probe: { query: "thing", missing: "T404" },
  hosts: {
    "things.example.org": { perSecond: 10, concurrent: 2 },
    "files.example.org": { perSecond: 10, concurrent: 2 },
  },
  key: {
    env: "THINGS_API_KEY",
    in: "query",
    name: "api_key",
    host: "things.example.org",
    signup: "https://things.example.org/key",
    raises: { perSecond: 50 },
  },
  url: "https://things.example.org/page/{id}",
  identify: (record) => {
    const { id, was = [] } = pick(Thing, record)
    return [id, ...was]
  },
  async search(query, { limit }, http) {
    const page = await http.json("https://things.example.org/search", { query: { q: query, limit } })
    const { total, things } = pick(z.object({ total: z.number(), things: z.array(Thing) }), page)
    return { total, hits: things.map(({ id }) => ({ id, title: `thing ${id}` })) }
  },
  fetch: (id, http) => http.json(url`https://things.example.org/thing/${id}`),
  fetchMany: {
    atOnce: 3,
    async fetch(ids, http) {
      const answer = await http.json("https://things.example.org/things", { body: { ids } })
      return new Map(pick(z.array(Thing.loose()), answer).map((thing) => [thing.id, thing]))
    },
  },
  files: {
    txt: { kind: "text", locate: (id) => url`https://files.example.org/${id}.txt` },
    json: { kind: "json", locate: (id) => url`https://files.example.org/${id}.json` },
    png: { kind: "png", locate: (id) => url`https://files.example.org/${id}.png` },
    fasta: {
      kind: "fasta",
      locate: (id) => url`https://files.example.org/${id}.fasta`,
      many: (ids) => url`https://files.example.org/many/${ids.join(",")}.fasta`,
    },
  },
})

/** The same without fetchMany, for what each request by itself does. */
export const single: Connector = (({ fetchMany: _, ...rest }) => rest)(things)
