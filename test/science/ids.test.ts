import { describe, expect, test } from "bun:test"
import { connectors } from "../../src/science/connectors/index.ts"
import type { Connector } from "../../src/science/connector.ts"
import { normalizeId, splitIds } from "../../src/science/ids.ts"
import { single } from "../support/things.ts"

const of = (id: string): Connector => {
  const found = connectors.find((each) => each.id === id)
  if (!found) throw new Error(`no ${id}`)
  return found
}

/** A database whose ids may hold a comma or a blank: names and DOIs. */
const named: Connector = {
  ...single,
  ids: { curie: "doi", pattern: /^(10\.\d{4,}\/\S+|[A-Za-z][\w' ,-]*|\d+,\d+-\w+)$/, examples: ["10.1/x"] },
}

describe("several ids in one argument", () => {
  test.each([
    ["uniprot", "P04637, P38398", ["P04637", "P38398"]],
    ["uniprot", "P04637 P38398;Q15086", ["P04637", "P38398", "Q15086"]],
    ["uniprot", "P04637\nP38398\r\n\n Q15086 ", ["P04637", "P38398", "Q15086"]],
    ["uniprot", "P04637,P04637", ["P04637"]],
    ["uniprot", "P04637 and something else", ["P04637 and something else"]],
    ["pubmed", "33495773, 27933103", ["33495773", "27933103"]],
    ["arxiv", "1706.03762,hep-th/9901001", ["1706.03762", "hep-th/9901001"]],
  ])("%s %p is %p", (db, typed, ids) => {
    expect(splitIds(of(db), typed)).toEqual(ids)
  })

  test.each([
    "1,2-dichloroethane",
    "Barnard's star",
    "HD 189733",
    "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0",
    "10.1000/a,b",
  ])("%p is one where the whole looks like an id", (typed) => {
    expect(splitIds(named, typed)).toEqual([typed])
  })
})

describe("what people type", () => {
  test.each([
    ["uniprot", "uniprot:P04637", "P04637"],
    ["uniprot", "https://www.uniprot.org/uniprotkb/P04637/entry", "P04637"],
    ["uniprot", "https://identifiers.org/uniprot:P04637", "P04637"],
    ["uniprot", "https://bioregistry.io/uniprot:p04637", "P04637"],
    ["uniprot", "sp|P04637|P53_HUMAN", "P04637"],
    ["rcsb-pdb", "pdb:6lu7", "6LU7"],
    ["rcsb-pdb", "https://www.rcsb.org/structure/6LU7", "6LU7"],
    ["rcsb-pdb", "pdb_00006lu7", "6LU7"],
    ["pdbe", "6LU7", "6lu7"],
    ["alphafold", "AF-P04637-F1-model_v4.pdb", "P04637"],
    ["pubchem", "CID 2244", "2244"],
    ["ensembl", "ensg00000141510", "ENSG00000141510"],
    ["kegg", "HSA:7157", "hsa:7157"],
    ["pubmed", "PMID: 27933103", "27933103"],
    ["pubmed", "https://pubmed.ncbi.nlm.nih.gov/27933103/", "27933103"],
    ["pubmed", "PMC5122160", "PMC5122160"],
    ["arxiv", "https://arxiv.org/pdf/1706.03762v7", "1706.03762v7"],
    ["arxiv", "10.48550/arXiv.1706.03762", "1706.03762"],
  ])("for %s %p means %p", (db, typed, id) => {
    expect(normalizeId(of(db), typed)).toBe(id)
  })
})
