import { defineConnector, Miss, pick, url, type FileFormat } from "../../connector.ts"
import { GTOPDB, Own, partsOf, recordOf, type Kind } from "./_gtopdb-records.ts"
import { search } from "./_gtopdb-search.ts"

const PAGES: Record<Kind, string> = {
  ligand: "LigandDisplayForward?ligandId=",
  target: "ObjectDisplayForward?objectId=",
  family: "FamilyDisplayForward?familyId=",
}

export default defineConnector({
  id: "gtopdb",
  name: "Guide to PHARMACOLOGY",
  domain: "chemistry",
  description: "curated drug targets, ligands, affinities",
  homepage: "https://www.guidetopharmacology.org",
  license: "ODbL 1.0, contents CC BY-SA 4.0; name IUPHAR/BPS Guide to PHARMACOLOGY and the id",
  cite: "Harding et al. The IUPHAR/BPS Guide to PHARMACOLOGY in 2024. Nucleic Acids Res. 52:D1438-D1449 (2024). doi:10.1093/nar/gkad944",
  // Ligands, targets and families are numbered each by themselves: 4139 is aspirin among the ligands, and a target is another 4139.
  ids: {
    curie: "iuphar.ligand",
    pattern: /^(?:(?:target|family):)?[1-9]\d{0,6}$/,
    examples: ["4139", "target:319", "family:50"],
    normalize,
  },
  probe: { query: "aspirin", missing: "9999999" },
  // A small academic server without a stated limit.
  hosts: { "www.guidetopharmacology.org": { perSecond: 1, concurrent: 2 } },
  url: `https://www.guidetopharmacology.org/GRAC/${PAGES.ligand}{id}`,
  page: (id) => {
    const { kind, number } = partsOf(id)
    return `https://www.guidetopharmacology.org/GRAC/${PAGES[kind]}${number}`
  },
  // Nothing to tell is 204 without a body, an unknown id 404; of a file, an empty list is nothing too.
  missing: ({ status, html, head, operation }) =>
    status === 204 ||
    (status === 404 && !html) ||
    (operation === "file" && status === 200 && /^\s*\[\s*\]\s*$/.test(head)),
  identify: (record) => {
    const { ligandId, targetId, familyId } = pick(Own, record)
    if (ligandId !== undefined) return [String(ligandId)]
    return targetId === undefined ? [`family:${familyId}`] : [`target:${targetId}`]
  },
  remarks: (record) => (pick(Own, record).withdrawn ? ["a drug that was withdrawn from at least one market"] : []),
  search,
  fetch: recordOf,
  files: {
    interactions: file("interactions", "ligand", "target"),
    structure: file("structure", "ligand"),
    links: file("databaseLinks", "ligand", "target"),
    synonyms: file("synonyms", "ligand", "target"),
    properties: file("molecularProperties", "ligand"),
    subunits: file("subunits", "target"),
  },
})

/** `IUPHAR:4139`, `GtoPdb ligand 4139`, `target 319`, `iuphar.receptor:319`, the address of a page. */
function normalize(typed: string): string {
  const [, word = "", number] =
    /^(?:https?:\/\/\S*[?&](?=(?:ligand|object|family)Id=))?(?:(?:iuphar|gtopdb|gtpo)[\s.:]*)?(?:(ligand|target|receptor|object|family)(?:Id=|[\s:]*))?0*([1-9]\d*)(?:[&#].*)?$/i.exec(
      typed,
    ) ?? []
  if (number === undefined) return typed
  if (/^f/i.test(word)) return `family:${number}`
  return word === "" || /^l/i.test(word) ? number : `target:${number}`
}

/** JSON is all that there is. */
function file(part: string, ...kinds: Kind[]): FileFormat {
  return {
    kind: "json",
    locate: (id) => {
      const { kind, number } = partsOf(id)
      if (!kinds.includes(kind)) return new Miss(`this format is one of ${kinds.join("s and ")}s only`)
      return GTOPDB + url`/${kind}s/${number}/${part}`
    },
  }
}
