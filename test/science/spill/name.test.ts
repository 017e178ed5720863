import { describe, expect, test } from "bun:test"
import { writeFile } from "node:fs/promises"
import { posix } from "node:path"
import { safeName, spillPath } from "../../../src/science/spill/index.ts"
import { project } from "./project.ts"

const NASTY = [
  "10.1038/nature12373",
  "hsa:7157",
  "chr7:g.140453134A>T",
  "../x",
  "../outside-secret",
  "%2e%2e%2fetc%2fpasswd",
  "..\\..\\x",
  "a/b",
  "a_b",
  "hep-th/9901001",
  "hep-th_9901001",
  "CON",
  "con",
  "nul",
  "aux.sdf",
  "COM1",
  "COM¹",
  "LPT9.txt",
  "prn ",
  ".",
  "..",
  ".git",
  ".gitignore",
  "x.",
  "x ",
  " x",
  "",
  "\0",
  "a\nb",
  "α",
  "β",
  "Barnard's star",
  "CC(=O)Oc1ccccc1C(=O)O",
  "InChI=1S/C9H8O4/c1-6(10)13-8-5-3-2-4-7(8)9(11)12/h2-5H,1H3,(H,11,12)",
  "x".repeat(300),
  `${"x".repeat(300)}y`,
  "Trp53",
  "TRP53",
]

const name = (id: string, extension = "json") => posix.basename(spillPath({ db: "db", id, extension }))

describe("a name", () => {
  test.each([
    "P04637",
    "6lu7",
    "6LU7",
    "NM_000546.6",
    "2501.10120v1",
    "R-HSA-141409",
    "9606.ENSP00000269305",
    "rs7412",
  ])("is the id itself for %s", (id) => expect(name(id)).toBe(`${id}.json`))

  test("holds nothing but letters, digits, dot, underscore and dash, and does not begin or end with a dot", () => {
    for (const id of NASTY) expect(name(id)).toMatch(/^[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/)
  })

  test("is no device on Windows, whatever follows its first dot", () => {
    for (const id of NASTY) expect(name(id).split(".")[0]).not.toMatch(/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/i)
  })

  test("has at most 120 characters, with its extension and the mark of a version", () => {
    for (const id of NASTY) expect(name(id, "cif.gz").length).toBeLessThanOrEqual(115)
  })

  test("belongs to one id only, letter case aside", () => {
    const names = NASTY.filter((id) => id !== "con").map((id) => name(id).toLowerCase())
    expect(new Set(names).size).toBe(names.length)
  })

  test("can be written to", async () => {
    await using at = await project()
    for (const id of NASTY) await writeFile(at.at(name(id)), id)
    expect((await at.tree()).length).toBe(NASTY.length)
  })

  test("tells a changed id by eight digits of its own hash", () => {
    expect(safeName("10.1038/nature12373")).toBe("10.1038_nature12373-8b459c1f")
    expect(safeName("a_b")).toBe("a_b")
    expect(safeName("a/b")).toMatch(/^a_b-[0-9a-f]{8}$/)
  })

  test("of an id that looks like another id's version or variant gets a hash", () => {
    expect(safeName("rs7412.v2")).toMatch(/^rs7412\.v2-[0-9a-f]{8}$/)
    expect(safeName("1hda.pae")).toMatch(/^1hda\.pae-[0-9a-f]{8}$/)
  })
})

describe("a path", () => {
  test("lies in the folder of its database", () => {
    expect(spillPath({ db: "uniprot", id: "P04637", extension: "fasta" })).toBe(
      ".openscience/fetch/uniprot/P04637.fasta",
    )
  })

  test("names the variant before the extension", () => {
    const of = (variant: string) =>
      posix.basename(spillPath({ db: "alphafold", id: "P05067", extension: "json", variant }))
    expect(of("pae")).toBe("P05067.pae.json")
    expect(of("3D_SDF")).toBe("P05067.3d-sdf.json")
    expect(of("v2")).toBe("P05067.as-v2.json")
    expect(of("../x")).toBe("P05067.as----x.json")
  })

  test("begins with the configured folder, however that is spelt", () => {
    for (const folder of ["data/fetched", "./data/fetched/", "data\\fetched"])
      expect(spillPath({ db: "pdbe", id: "1hda", extension: "cif", folder })).toBe("data/fetched/pdbe/1hda.cif")
  })
})
