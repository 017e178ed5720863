import { z } from "../../connector.ts"
import { facts, list, number, phase, text } from "./_chembl-list.ts"

/** What is known of drugs. Such rows have no ChEMBL id of their own: a hit leads to the compound. */
export const DRUG_LISTS = {
  mechanism: list(
    "mechanisms",
    z.object({
      molecule_chembl_id: z.string(),
      mechanism_of_action: text,
      action_type: text,
      target_chembl_id: text,
      max_phase: number,
    }),
    ({ molecule_chembl_id: id, mechanism_of_action, action_type, target_chembl_id, max_phase }) => ({
      id,
      title: mechanism_of_action ?? id,
      summary: facts(action_type?.toLowerCase(), target_chembl_id, phase(max_phase)),
    }),
  ),

  drug_indication: list(
    "drug_indications",
    z.object({
      molecule_chembl_id: z.string(),
      efo_term: text,
      efo_id: text,
      mesh_heading: text,
      mesh_id: text,
      max_phase_for_ind: number,
    }),
    ({ molecule_chembl_id: id, efo_term, efo_id, mesh_heading, mesh_id, max_phase_for_ind }) => ({
      id,
      title: efo_term ?? mesh_heading ?? id,
      summary: facts(phase(max_phase_for_ind), efo_id, mesh_id && `MeSH ${mesh_id}`),
    }),
  ),

  drug_warning: list(
    "drug_warnings",
    z.object({
      molecule_chembl_id: z.string(),
      warning_type: text,
      warning_class: text,
      warning_country: text,
      warning_year: number,
      warning_description: text,
    }),
    ({ molecule_chembl_id: id, warning_type, ...warning }) => ({
      id,
      title: warning_type ?? "warning",
      summary: facts(warning.warning_class, warning.warning_country, warning.warning_year, warning.warning_description),
    }),
  ),
}
