import { expect, test } from "bun:test"
import { normalizeId, readId, splitIds } from "../../../src/science/ids.ts"
import { printJson } from "../../../src/science/json.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import { isFormula, isSmiles } from "../../../src/science/connectors/chemistry/_notation.ts"
import pubchem from "../../../src/science/connectors/chemistry/pubchem.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const fault = (status: number, code: string, message: string): Reply => ({
  status,
  body: JSON.stringify({ Fault: { Code: code, Message: message } }),
})
const NOT_FOUND = fault(404, "PUGREST.NotFound", "No CID found")
const ASPIRIN = {
  CID: 2244,
  Title: "Aspirin",
  MolecularFormula: "C9H8O4",
  MolecularWeight: "180.16",
  IUPACName: "2-acetyloxybenzoic acid",
}
const WATER = { CID: 962, Title: "Water", MolecularFormula: "H2O", MolecularWeight: "18.015", IUPACName: "oxidane" }
const KNOWN = [ASPIRIN, WATER]
/** With a number whose last digit says how exact it is. */
const structure = (cid: string) => `{"id":{"id":{"cid":${cid}}},"atoms":{"aid":[1]},"coords":[{"x":[3.7320]}]}`

/** PubChem as far as the tests want it: two compounds, and whatever is given by path. */
function service(answers: Record<string, Reply> = {}) {
  return ({ path, body }: Seen): Reply => {
    const own = answers[path]
    if (own !== undefined) return own
    const [, one, operation = ""] = /^\/rest\/pug\/compound\/cid\/(?:(\d+)\/)?(.*)$/.exec(path) ?? []
    const cids = one === undefined ? (new URLSearchParams(body).get("cid") ?? "").split(",") : [one]
    const there = cids.filter((cid) => KNOWN.some(({ CID }) => String(CID) === cid))
    if (operation.startsWith("property/"))
      return JSON.stringify({
        PropertyTable: {
          Properties: cids.map((cid) => KNOWN.find(({ CID }) => String(CID) === cid) ?? { CID: Number(cid) }),
        },
      })
    if (there.length === 0) return NOT_FOUND
    if (operation === "JSON") return `{"PC_Compounds":[${there.map(structure).join()}]}`
    if (operation === "description/JSON")
      return JSON.stringify({
        InformationList: {
          Information: there.map((cid) => ({ CID: Number(cid), Description: "a drug", DescriptionSourceName: "NCIt" })),
        },
      })
    if (operation === "synonyms/JSON")
      return JSON.stringify({
        InformationList: {
          Information: there.map((cid) => ({ CID: Number(cid), ...(cid === "2244" && { Synonym: ["50-78-2"] }) })),
        },
      })
    return NOT_FOUND
  }
}

const serving = (answers: Record<string, Reply> = {}) => world(service(answers), { connectors: [pubchem] })

type PubChem = Awaited<ReturnType<typeof serving>>

const list = (...cids: number[]): Reply => JSON.stringify({ IdentifierList: { CID: cids } })
const asked = (w: PubChem) =>
  w.server.requests.map(({ method, path, body }) =>
    `${method} ${path.replace("/rest/pug/compound", "")} ${body}`.trim(),
  )

async function hits(w: PubChem, query: string, more: Parameters<PubChem["search"]>[2] = {}) {
  const { result } = await w.search("pubchem", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

test("a bare number is a CID, and substances and assays keep their word, in whatever way they are written", () => {
  const spelt = (typed: string) => normalizeId(pubchem, typed)
  for (const typed of [
    "2244",
    "002244",
    "CID2244",
    "cid 2244",
    "CID:2244",
    "pubchem.compound:2244",
    "https://pubchem.ncbi.nlm.nih.gov/compound/2244#section=Safety",
    "https://identifiers.org/pubchem.compound:2244",
  ])
    expect(spelt(typed)).toBe("2244")
  for (const typed of [
    "SID 134971235",
    "pubchem.substance:134971235",
    "https://pubchem.ncbi.nlm.nih.gov/substance/134971235",
  ])
    expect(spelt(typed)).toBe("SID134971235")
  for (const typed of ["aid743069", "https://pubchem.ncbi.nlm.nih.gov/bioassay/743069#section=Top"])
    expect(spelt(typed)).toBe("AID743069")
  expect(splitIds(pubchem, "2244, CID962 SID5")).toEqual(["2244", "CID962", "SID5"])
})

test("a name, a CAS number or a number beyond 32 bits is no id, and is refused before any request", () => {
  const registry = createRegistry([pubchem])
  for (const typed of ["Aspirin", "50-78-2", "99999999999", "4294967296", "0"])
    expect(() => readId(pubchem, typed, registry)).toThrow("is not an id of PubChem")
})

test("a compound's record is its structure as it came, digits and all, with properties, description and synonyms", async () => {
  await using w = await serving()
  const [found] = (await w.fetch("pubchem", "CID2244")).outcomes
  expect(found).toMatchObject({
    kind: "record",
    id: "2244",
    incomplete: [],
    url: "https://pubchem.ncbi.nlm.nih.gov/compound/2244",
  })
  if (found?.kind !== "record") throw new Error("no record")
  expect(JSON.parse(printJson(found.record, 0))).toEqual({
    properties: ASPIRIN,
    description: [{ CID: 2244, Description: "a drug", DescriptionSourceName: "NCIt" }],
    synonyms: ["50-78-2"],
    PC_Compounds: [JSON.parse(structure("2244"))],
  })
  expect(printJson(found.record, 0)).toContain(`"PC_Compounds":[${structure("2244")}]`)
  const [first, ...others] = asked(w)
  expect(first).toBe("GET /cid/2244/JSON")
  expect(others.sort()).toEqual([
    "GET /cid/2244/description/JSON",
    expect.stringMatching(/^GET \/cid\/2244\/property\/Title,[\w,]*,SMILES,ConnectivitySMILES,[\w,]*\/JSON$/),
    "GET /cid/2244/synonyms/JSON",
  ])
})

test("a compound without synonyms has none, and a part that failed is named and not taken for empty", async () => {
  await using w = await serving({
    "/rest/pug/compound/cid/962/synonyms/JSON": NOT_FOUND,
    "/rest/pug/compound/cid/962/description/JSON": { status: 500, body: "" },
  })
  const [found] = (await w.fetch("pubchem", "962")).outcomes
  expect(found).toMatchObject({ kind: "record", incomplete: ["description"], record: { synonyms: [] } })
  if (found?.kind === "record") expect(found.record).not.toHaveProperty("description")
})

test("a part under a 404 that is not PubChem's word is a failed part", async () => {
  await using w = await serving({ "/rest/pug/compound/cid/962/synonyms/JSON": { status: 404, body: "no such route" } })
  expect((await w.fetch("pubchem", "962")).outcomes).toMatchObject([{ kind: "record", incomplete: ["synonyms"] }])
})

test("a CID that does not exist is a miss, also where its row of properties comes with nothing but the number", async () => {
  await using w = await serving({
    "/rest/pug/compound/cid/999999998/JSON": `{"PC_Compounds":[${structure("999999998")}]}`,
  })
  expect((await w.fetch("pubchem", "999999999")).outcomes).toMatchObject([{ kind: "miss" }])
  expect((await w.fetch("pubchem", "999999998")).outcomes).toMatchObject([{ kind: "miss" }])
})

test("many compounds cost four requests, are matched by CID, and those that do not exist are missed", async () => {
  await using w = await serving()
  const { outcomes } = await w.fetch("pubchem", "962", "999999999", "2244")
  expect(outcomes).toMatchObject([
    { kind: "record", id: "962", record: { properties: { Title: "Water" }, synonyms: [] } },
    { kind: "miss", id: "999999999" },
    { kind: "record", id: "2244", record: { properties: { Title: "Aspirin" }, synonyms: ["50-78-2"] } },
  ])
  expect(asked(w)).toHaveLength(4)
  expect(asked(w)[0]).toBe("POST /cid/JSON cid=962%2C999999999%2C2244")
})

test("an answer about another compound is not the record", async () => {
  await using w = await serving({ "/rest/pug/compound/cid/962/JSON": `{"PC_Compounds":[${structure("2244")}]}` })
  expect((await w.fetch("pubchem", "962")).outcomes).toMatchObject([{ kind: "miss" }])
})

test("substances and assays come as their PUG View, also beside compounds", async () => {
  const view = (type: string, number: number) =>
    JSON.stringify({ Record: { RecordType: type, RecordNumber: number, RecordTitle: "one", Section: [] } })
  await using w = await serving({
    "/rest/pug_view/data/substance/134971235/JSON": view("SID", 134971235),
    "/rest/pug_view/data/assay/743069/JSON": view("AID", 743069),
    "/rest/pug_view/data/assay/5/JSON": fault(404, "PUGVIEW.NotFound", "No record found"),
  })
  expect((await w.fetch("pubchem", "AID743069")).outcomes).toMatchObject([
    {
      kind: "record",
      id: "AID743069",
      record: { Record: { RecordNumber: 743069 } },
      url: "https://pubchem.ncbi.nlm.nih.gov/bioassay/743069",
    },
  ])
  expect((await w.fetch("pubchem", "SID134971235", "2244", "AID5")).outcomes).toMatchObject([
    { kind: "record", id: "SID134971235" },
    { kind: "record", id: "2244" },
    { kind: "miss", id: "AID5" },
  ])
})

test("in a mixed batch a failure costs those only that were asked for with it", async () => {
  await using w = await serving({ "/rest/pug_view/data/substance/5/JSON": { status: 503, body: "" } })
  expect((await w.fetch("pubchem", "SID5", "2244")).outcomes).toMatchObject([
    { kind: "failure", id: "SID5", failure: { code: "unavailable" } },
    { kind: "record", id: "2244" },
  ])
  await using other = await serving({
    "/rest/pug/compound/cid/2244/JSON": { status: 503, body: "" },
    "/rest/pug_view/data/substance/5/JSON": '{"Record":{"RecordType":"SID","RecordNumber":5}}',
  })
  expect((await other.fetch("pubchem", "SID5", "2244")).outcomes).toMatchObject([
    { kind: "record", id: "SID5", url: "https://pubchem.ncbi.nlm.nih.gov/substance/5" },
    { kind: "failure", id: "2244" },
  ])
})

test("the exact name is looked up first, and its words only when no compound has it", async () => {
  await using w = await serving({
    "/rest/pug/compound/name/aspirin/cids/JSON": list(2244),
    "/rest/pug/compound/name/acetyl%20drug/cids/JSON?name_type=word": list(962, 2244),
  })
  expect(await hits(w, "aspirin")).toMatchObject({
    hits: [{ id: "2244", title: "Aspirin", summary: "C9H8O4 · 180.16 g/mol · 2-acetyloxybenzoic acid" }],
    total: 1,
    notes: [],
  })
  expect(asked(w)).toEqual([
    "GET /name/aspirin/cids/JSON",
    "POST /cid/property/Title,MolecularFormula,MolecularWeight,IUPACName/JSON cid=2244",
  ])
  expect(await hits(w, "acetyl drug")).toMatchObject({
    hits: [{ id: "962" }, { id: "2244" }],
    total: 2,
    notes: ["no compound has exactly this name, so its words were looked for"],
  })
})

test("a query for what no compound is called has no hits", async () => {
  await using w = await serving()
  expect(await hits(w, "xyzzy_nonexistent_compound")).toMatchObject({ hits: [], total: 0 })
  expect(asked(w)).toHaveLength(2)
})

test("each kind of query goes to its own namespace, and what an address cannot hold goes in the body", async () => {
  const ways: [query: string, request: string][] = [
    ["50-78-2", "GET /name/50-78-2/cids/JSON"],
    ["BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "GET /inchikey/BSYNRYMUTXBXSQ-UHFFFAOYSA-N/cids/JSON"],
    ["InChIKey=XLYOFNOQVPJJNP-UHFFFAOYSA-N", "GET /inchikey/XLYOFNOQVPJJNP-UHFFFAOYSA-N/cids/JSON"],
    ["InChI=1S/H2O/h1H2", "POST /inchi/cids/JSON inchi=InChI%3D1S%2FH2O%2Fh1H2"],
    ["C(/C=C\\C)#N", "POST /smiles/cids/JSON smiles=C%28%2FC%3DC%5CC%29%23N"],
    ["smiles:CCO", "POST /smiles/cids/JSON smiles=CCO"],
    ["C9H8O4", "GET /fastformula/C9H8O4/cids/JSON?MaxRecords=1000"],
    ["formula: NaCl", "GET /fastformula/NaCl/cids/JSON?MaxRecords=1000"],
    ["substructure:c1ccccc1", "POST /fastsubstructure/smiles/cids/JSON?MaxRecords=1000 smiles=c1ccccc1"],
    ["similarity:2244", "GET /fastsimilarity_2d/cid/2244/cids/JSON?MaxRecords=1000"],
    ["cas:7732-18-5", "GET /name/7732-18-5/cids/JSON"],
    ["glucose/fructose", "POST /name/cids/JSON name=glucose%2Ffructose"],
    ["Barnard's 1,2-diol (R)", "GET /name/Barnard%27s%201%2C2-diol%20%28R%29/cids/JSON"],
  ]
  const found = Object.fromEntries(
    ways.map(([, request]) => [`/rest/pug/compound${request.split(" ")[1]}`, list(2244)]),
  )
  await using w = await serving(found)
  for (const [query, request] of ways) {
    w.server.requests.length = 0
    expect((await hits(w, query)).hits.map(({ id }) => id)).toEqual(["2244"])
    expect(asked(w)[0]).toBe(request)
  }
})

test("names that look like a formula or a structure are told from them", () => {
  for (const name of ["SB203580", "TP53", "AZD9291", "CHEMBL25", "CH5424802", "H2O", "NaCl", "C60", "COX", "CHOP"])
    expect([name, isFormula(name)]).toEqual([name, false])
  for (const formula of ["C9H8O4", "CH4", "C2H6Na4O12S2", "C20H25ClN2O5"]) expect(isFormula(formula)).toBe(true)
  for (const name of [
    "Co(NO3)2",
    "benzo[a]pyrene",
    "PI(3)P",
    "2-(acetyloxy)benzoic acid",
    "(R)-lactate",
    "CCO",
    "C60",
    "NO",
  ])
    expect([name, isSmiles(name)]).toEqual([name, false])
  for (const smiles of ["CC(=O)OC1=CC=CC=C1C(=O)O", "[Na+].[Cl-]", "c1ccccc1", "N[C@@H](C)C(=O)O", "C%10CCCCC%10"])
    expect([smiles, isSmiles(smiles)]).toEqual([smiles, true])
})

test("a name that could be a formula is looked up as a name when it is none", async () => {
  await using w = await serving({ "/rest/pug/compound/name/CHK1/cids/JSON": list(962) })
  expect((await hits(w, "CHK1")).hits).toMatchObject([{ id: "962" }])
})

test("a structure that PubChem does not have is CID 0, which is no hit", async () => {
  await using w = await serving({ "/rest/pug/compound/smiles/cids/JSON": list(0) })
  expect(await hits(w, "smiles:C[Fe]C")).toMatchObject({ hits: [], total: 0 })
  expect(w.server.requests).toHaveLength(1)
})

test("a number is searched as a CID, and one that does not exist is no hit", async () => {
  await using w = await serving()
  expect(await hits(w, "CID 2244")).toMatchObject({ hits: [{ id: "2244" }], total: 1 })
  expect(await hits(w, "999999999")).toMatchObject({ hits: [], total: 0 })
  expect(asked(w).every((line) => line.startsWith("POST /cid/property/"))).toBe(true)
})

test("what PubChem refuses as malformed is the query's fault, in its own words", async () => {
  await using w = await world(() => fault(400, "PUGREST.BadRequest", "Invalid ID, must be positive integer"), {
    connectors: [pubchem],
  })
  expect((await w.search("pubchem", "99999999999")).result).toMatchObject({
    failure: {
      code: "invalid_query",
      message: "PubChem does not accept this query: Invalid ID, must be positive integer",
    },
  })
  expect((await w.fetch("pubchem", "5")).outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
})

test("the titles of a page come in one request, and the list is cut here", async () => {
  const many = Array.from({ length: 25 }, (_, i) => (i % 2 === 0 ? 2244 + i * 10_000 : 962 + i * 10_000))
  await using w = await world(
    (seen) =>
      seen.path.includes("/property/")
        ? JSON.stringify({
            PropertyTable: {
              Properties: (new URLSearchParams(seen.body).get("cid") ?? "")
                .split(",")
                .reverse()
                .map((cid) => ({ CID: Number(cid), Title: `compound ${cid}` })),
            },
          })
        : list(...many, ...many),
    { connectors: [pubchem] },
  )
  const first = await hits(w, "drug", { limit: 10 })
  expect(first).toMatchObject({ total: 25, next: "10" })
  expect(first.hits.map(({ id, title }) => `${id} ${title}`)).toEqual(
    many.slice(0, 10).map((cid) => `${cid} compound ${cid}`),
  )
  expect(w.server.requests).toHaveLength(2)
  const last = await hits(w, "drug", { limit: 10, cursor: "20" })
  expect(last.hits.map(({ id }) => id)).toEqual(many.slice(20).map(String))
  expect(last).not.toHaveProperty("next")
  expect((await w.search("pubchem", "drug", { cursor: "page2" })).result).toMatchObject({
    failure: { code: "invalid_query" },
  })
})

test("a structure search that reaches its ceiling gives no total, and says so", async () => {
  const full = list(...Array.from({ length: 1000 }, (_, i) => i + 1), 2244)
  await using w = await serving({ "/rest/pug/compound/fastsubstructure/smiles/cids/JSON?MaxRecords=1000": full })
  const page = await hits(w, "substructure:CO", { limit: 5 })
  expect(page).not.toHaveProperty("total")
  expect(page).toMatchObject({ next: "5", notes: ["the first 1000 only: there may be more"] })
})

const WAITING = { status: 202, body: '{"Waiting":{"ListKey":"123","Message":"Your request is running"}}' }

test("a promised list is asked for by its key", async () => {
  let asked = 0
  await using w = await world(
    service({
      "/rest/pug/compound/fastformula/C9H8O4/cids/JSON?MaxRecords=1000": WAITING,
      "/rest/pug/compound/listkey/123/cids/JSON": (_, response) =>
        asked++ === 0
          ? response.writeHead(202).end(WAITING.body)
          : response.writeHead(200).end('{"IdentifierList":{"CID":[2244]}}'),
    }),
    { connectors: [pubchem], retry: { attempts: 3, baseMs: 1, ceilingMs: 5000 } },
  )
  const began = performance.now()
  expect((await hits(w, "C9H8O4")).hits).toMatchObject([{ id: "2244" }])
  expect(asked).toBe(2)
  expect(performance.now() - began).toBeGreaterThan(1900)
})

test("a list that is not there in time is a failure that may be tried again, not an empty one", async () => {
  await using w = await serving({
    "/rest/pug/compound/name/aspirin/cids/JSON": WAITING,
    "/rest/pug/compound/listkey/123/cids/JSON": WAITING,
  })
  expect((await w.search("pubchem", "aspirin")).result).toMatchObject({
    kind: "failure",
    failure: { code: "unavailable", retryable: true },
  })
})

test("a busy server is a rate limit, and other trouble is a failure, in search, fetch and file", async () => {
  const troubles: [Reply, string][] = [
    [fault(503, "PUGREST.ServerBusy", "Too many requests or server too busy"), "rate_limited"],
    [
      { status: 503, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>maintenance</html>" },
      "unavailable",
    ],
    [
      { status: 404, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>no page</html>" },
      "bad_response",
    ],
    [{ headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>challenge</html>" }, "bad_response"],
    [fault(504, "PUGREST.Timeout", "The request timed out"), "timeout"],
    [{ status: 429, body: "" }, "rate_limited"],
  ]
  for (const [reply, code] of troubles) {
    await using w = await world(() => reply, { connectors: [pubchem] })
    expect((await w.search("pubchem", "aspirin")).result).toMatchObject({ kind: "failure", failure: { code } })
    expect((await w.fetch("pubchem", "2244")).outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
    expect((await w.file("pubchem", "sdf", "2244")).outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
  }
})

test("a cut-off answer or one without its list is a failure that says so", async () => {
  for (const body of ['{"IdentifierList":{"CID":[2244', '{"IdentifierList":{}}', ""]) {
    await using w = await world(() => body, { connectors: [pubchem] })
    expect((await w.search("pubchem", "aspirin")).result).toMatchObject({ failure: { code: "bad_response" } })
    expect((await w.fetch("pubchem", "2244")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
  }
})

const sdq = (form: string, collection: string, where: string, order = "", name = "") =>
  `/sdq/sdqagent.cgi?infmt=json&outfmt=${form}&query=` +
  encodeURIComponent(
    `{"download":"*","collection":"${collection}","where":{"ands":[${where}]},${order}"start":1,"limit":10000000` +
      `${name && `,"downloadfilename":"pubchem${name}_${collection}"`}}`,
  ).replaceAll("*", "%2A")

const SDF = "2244\n  -OEChem\n\n  0  0  0\nM  END\n$$$$\n"

test("each format has its address, by the kind of the id", async () => {
  const png = Buffer.concat([
    Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
    Buffer.from("0000000049454e44ae426082", "hex"),
  ])
  const json = "{}"
  const formats: [format: string, id: string, path: string | RegExp, body: string | Uint8Array][] = [
    ["sdf", "2244", "/rest/pug/compound/cid/2244/SDF", SDF],
    ["sdf", "SID5", "/rest/pug/substance/sid/5/SDF", SDF],
    ["sdf3d", "2244", "/rest/pug/compound/cid/2244/SDF?record_type=3d", SDF],
    ["json", "AID5", "/rest/pug/assay/aid/5/JSON", json],
    ["xml", "2244", "/rest/pug/compound/cid/2244/XML", "<PC-Compounds></PC-Compounds>"],
    ["asnt", "2244", "/rest/pug/compound/cid/2244/ASNT", "PC-Compounds ::= {\n}\n"],
    ["asnb", "2244", "/rest/pug/compound/cid/2244/ASNB", Buffer.from("3080a0800000", "hex")],
    ["png", "2244", "/rest/pug/compound/cid/2244/PNG?image_size=large", png],
    [
      "csv",
      "2244",
      /^\/rest\/pug\/compound\/cid\/2244\/property\/Title,[\w,]+\/CSV$/,
      '"CID","Title"\n2244,"Aspirin"\n',
    ],
    ["csv", "AID5", "/rest/pug/assay/aid/5/CSV", "PUBCHEM_SID,PUBCHEM_CID\n5,2244\n"],
    ["synonyms", "2244", "/rest/pug/compound/cid/2244/synonyms/TXT", "aspirin\n"],
    ["pugview", "2244", "/rest/pug_view/data/compound/2244/JSON", json],
    ["pugview", "AID5", "/rest/pug_view/data/assay/5/JSON", json],
    ["assays", "2244", "/rest/pug/compound/cid/2244/assaysummary/JSON", json],
    [
      "bioactivity",
      "AID5",
      sdq("csv", "bioactivity", '{"aid":"5"}', '"order":["acvalue,asc"],', "_aid_5"),
      "Bioactivity_ID\n1\n",
    ],
    ["toxicity", "SID5", sdq("json", "chemidplus", '{"sid":"5"}'), '[{"sid":"5"}]'],
    ["vendors", "2244", "/rest/pug_view/categories/compound/2244/JSON", json],
  ]
  expect(new Set(formats.map(([format]) => format))).toEqual(new Set(Object.keys(pubchem.files)))
  for (const [format, id, path, body] of formats) {
    await using w = await world(() => ({ headers: { "content-type": "text/plain" }, body }), { connectors: [pubchem] })
    expect((await w.file("pubchem", format, id)).outcomes).toMatchObject([{ kind: "file", id, format }])
    expect(w.server.requests).toHaveLength(1)
    const asked = w.server.requests[0]?.path ?? ""
    if (typeof path === "string") expect(asked).toBe(path)
    else expect(asked).toMatch(path)
  }
})

test("a compound without a 3D model has no such file, though the answer says so in lines of text", async () => {
  const text = "Status: 404\nCode: PUGREST.NotFound\nMessage: No data found\nDetail: No 3D structure\n"
  await using w = await world(() => ({ status: 404, headers: { "content-type": "text/plain" }, body: text }), {
    connectors: [pubchem],
  })
  expect((await w.file("pubchem", "sdf3d", "2244")).outcomes).toMatchObject([{ kind: "miss", id: "2244" }])
})

test("a format that the kind of id lacks is missed without a request", async () => {
  await using w = await serving()
  expect((await w.file("pubchem", "sdf", "AID5")).outcomes).toMatchObject([
    { kind: "miss", reason: "this format is one of compounds and substances only" },
  ])
  expect((await w.file("pubchem", "vendors", "SID5")).outcomes).toMatchObject([{ kind: "miss" }])
  expect(w.server.requests).toHaveLength(0)
})

test("many compounds come in one file, and those that would be left out of it without a word are missed", async () => {
  await using w = await serving({
    "/rest/pug/compound/cid/SDF": { headers: { "content-type": "text/plain" }, body: SDF + SDF },
  })
  expect((await w.file("pubchem", "sdf", "2244", "999999999", "962", "SID5")).outcomes).toMatchObject([
    { kind: "file", ids: ["2244", "962"], saved: { entries: { count: 2 } } },
    { kind: "miss", id: "999999999" },
    { kind: "miss", id: "SID5", reason: expect.stringContaining("alone") },
  ])
  expect(asked(w).at(-1)).toBe("POST /cid/SDF cid=2244%2C962")
  expect((await w.file("pubchem", "csv", "999999999", "SID5")).outcomes).toMatchObject([
    { kind: "miss", id: "999999999" },
    { kind: "miss", id: "SID5" },
  ])
})
