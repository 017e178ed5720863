import { z, type Hit } from "../../connector.ts"
import { DRUG_LISTS } from "./_chembl-drugs.ts"
import { Molecule } from "./_chembl-entities.ts"
import { facts, list, number, phase, text, type List } from "./_chembl-list.ts"

/** ChEMBL's lists; the key of each is the plural of its name, as far as is known. */
export const LISTS = {
  molecule: list("molecules", Molecule, moleculeHit, "text"),

  target: list(
    "targets",
    z.object({
      target_chembl_id: z.string(),
      pref_name: text,
      organism: text,
      target_type: text,
      target_components: z.array(z.object({ accession: text })).nullish(),
    }),
    ({ target_chembl_id: id, pref_name, organism, target_type, target_components }) => ({
      id,
      title: pref_name ?? id,
      summary: facts(
        organism,
        target_type?.toLowerCase(),
        ...(target_components ?? []).map(({ accession }) => accession),
      ),
    }),
    "text",
  ),

  assay: list(
    "assays",
    z.object({
      assay_chembl_id: z.string(),
      description: text,
      assay_type_description: text,
      assay_organism: text,
      target_chembl_id: text,
      document_chembl_id: text,
    }),
    ({ assay_chembl_id: id, description, ...assay }) => ({
      id,
      title: description ?? id,
      summary: facts(
        assay.assay_type_description,
        assay.assay_organism,
        assay.target_chembl_id,
        assay.document_chembl_id,
      ),
    }),
    "text",
  ),

  document: list(
    "documents",
    z.object({
      document_chembl_id: z.string(),
      title: text,
      journal: text,
      year: number,
      doi: text,
      pubmed_id: number,
      patent_id: text,
    }),
    ({ document_chembl_id: id, title, journal, year, doi, pubmed_id, patent_id }) => ({
      id,
      title: title ?? id,
      summary: facts(journal, year, doi, pubmed_id && `PMID ${pubmed_id}`, patent_id),
    }),
    "text",
  ),

  // A measurement has no ChEMBL id of its own: a hit leads to its compound, the summary to target, assay and document.
  activity: list(
    "activities",
    z.object({
      molecule_chembl_id: z.string(),
      molecule_pref_name: text,
      canonical_smiles: text,
      standard_type: text,
      standard_relation: text,
      standard_value: number,
      standard_units: text,
      activity_comment: text,
      pchembl_value: number,
      target_chembl_id: text,
      target_pref_name: text,
      target_organism: text,
      assay_chembl_id: text,
      document_chembl_id: text,
      data_validity_comment: text,
      potential_duplicate: number,
    }),
    ({ molecule_chembl_id: id, molecule_pref_name, canonical_smiles, ...row }) => ({
      id,
      title: molecule_pref_name ?? canonical_smiles ?? id,
      summary: facts(
        [row.standard_type, row.standard_relation, row.standard_value, row.standard_units]
          .filter((each) => each !== null && each !== undefined)
          .join(" "),
        row.activity_comment,
        row.pchembl_value && `pChEMBL ${row.pchembl_value}`,
        [row.target_pref_name, row.target_chembl_id].filter(Boolean).join(" "),
        row.target_organism,
        row.assay_chembl_id,
        row.document_chembl_id,
      ),
      marks: [
        ...(row.data_validity_comment ? [row.data_validity_comment.toLowerCase()] : []),
        ...(Number(row.potential_duplicate) === 1 ? ["duplicate"] : []),
      ],
    }),
    "text",
  ),

  ...DRUG_LISTS,

  cell_line: list(
    "cell_lines",
    z.object({ cell_chembl_id: z.string(), cell_name: text, cell_description: text, cell_source_organism: text }),
    ({ cell_chembl_id: id, cell_name, cell_description, cell_source_organism }) => ({
      id,
      title: cell_name ?? id,
      summary: facts(cell_source_organism, cell_description),
    }),
    "text",
  ),

  tissue: list(
    "tissues",
    z.object({ tissue_chembl_id: z.string(), pref_name: text, uberon_id: text }),
    ({ tissue_chembl_id: id, pref_name, uberon_id }) => ({ id, title: pref_name ?? id, summary: facts(uberon_id) }),
    "text",
  ),
} satisfies Record<string, List>

export type Resource = keyof typeof LISTS

function moleculeHit({ molecule_chembl_id: id, ...molecule }: Molecule): Hit {
  const { molecule_properties: properties, molecule_structures: structures, molecule_synonyms: synonyms } = molecule
  return {
    id,
    // Nearly all compounds are nameless; some have a synonym at least.
    title: molecule.pref_name ?? synonyms?.[0]?.molecule_synonym ?? id,
    summary: facts(
      molecule.similarity && `${molecule.similarity}% similar`,
      phase(molecule.max_phase),
      properties?.full_molformula,
      properties?.full_mwt && `${properties.full_mwt} g/mol`,
      structures?.canonical_smiles ?? molecule.molecule_type,
    ),
    marks: molecule.withdrawn_flag ? ["withdrawn"] : [],
  }
}
