import { defineConnector, Miss, pick, url, type FileFormat } from "../../connector.ts"
import { CHEBI, Compound, compoundOf, compoundsOf, numberOf, termOf } from "./_chebi-entities.ts"
import { search } from "./_chebi-search.ts"

export default defineConnector({
  id: "chebi",
  name: "ChEBI",
  domain: "chemistry",
  description: "small molecules, their classes and roles",
  homepage: "https://www.ebi.ac.uk/chebi",
  license: "CC BY 4.0; name ChEBI with the accession",
  cite: "Hastings et al. ChEBI in 2016. Nucleic Acids Res. 44:D1214-D1219 (2016). doi:10.1093/nar/gkv1031",
  ids: { curie: "chebi", pattern: /^CHEBI:[1-9]\d{0,6}$/, examples: ["CHEBI:15377"], normalize },
  probe: { query: "water", missing: "CHEBI:9999999" },
  // No limit is published; EBI asks for reasonable use.
  hosts: { "www.ebi.ac.uk": { perSecond: 5, concurrent: 3 } },
  url: "https://www.ebi.ac.uk/chebi/{id}",
  // The Ontology Lookup Service answers an unknown term with an empty page.
  missing: ({ status, html, head, operation }) =>
    (status === 404 && !html) || (operation === "file" && status === 200 && /"totalElements"\s*:\s*0\b/.test(head)),
  identify: (record) => {
    const { chebi_accession, secondary_ids } = pick(Compound, record)
    return [chebi_accession, ...(secondary_ids ?? [])]
  },
  relation: (asked, own) => `${asked} was merged into ${own}`,
  remarks: (record) => {
    const { stars, is_released } = pick(Compound, record)
    return [
      ...(stars === 1 || stars === 2 ? [`${stars} of 3 stars: not checked by ChEBI's curators`] : []),
      ...(is_released === false ? ["not released yet"] : []),
    ]
  },
  search,
  fetch: compoundOf,
  fetchMany: { atOnce: 50, fetch: compoundsOf },
  files: {
    // Drawn in two dimensions. By the number of the entity, say those who download it; the drawing by that of its structure.
    mol: ofStructure("mol", ({ id }) => CHEBI + url`/molfile/${id}/`),
    svg: ofStructure("svg", ({ default_structure: structure }) =>
      structure?.id ? CHEBI + url`/structure/${structure.id}/` : undefined,
    ),
    // What it is and has (outgoing), and what is of it (incoming): of a large class these are thousands.
    parents: { kind: "json", locate: (id) => CHEBI + url`/ontology/parents/${numberOf(id)}/` },
    children: { kind: "json", locate: (id) => CHEBI + url`/ontology/children/${numberOf(id)}/` },
    // As the ontology has it: synonyms with their scopes, cross-references with prefixes, obsolete or not.
    term: { kind: "json", locate: termOf },
    json: ofCompound("json", ({ id }) => CHEBI + url`/compound/${id}/`),
  },
})

/** `15377`, `CHEBI 15377`, `CHEBI_15377`, `ChEBI:CHEBI:15377`, an OBO address. */
function normalize(typed: string): string {
  const [, number] =
    /^(?:https?:\/\/purl\.obolibrary\.org\/obo\/)?(?:chebi[\s:_]*){0,2}0*([1-9]\d*)$/i.exec(typed) ?? []
  return number === undefined ? typed : `CHEBI:${number}`
}

/** A file about the structure, which classes and roles do not have. */
function ofStructure(kind: FileFormat["kind"], where: (compound: Compound) => string | undefined): FileFormat {
  return ofCompound(
    kind,
    (compound) =>
      (compound.default_structure ? where(compound) : undefined) ?? new Miss("it has no structure: a class or a role"),
  )
}

/** The entity is looked at first, since an accession that was merged is another one's by now. */
function ofCompound(kind: FileFormat["kind"], where: (compound: Compound) => string | Miss): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const record = await compoundOf(id, http)
      return record instanceof Miss ? record : where(pick(Compound, record))
    },
  }
}
