import { isSmiles } from "./_notation.ts"

/** A question about a structure, as it is written for every database that can be asked one. */
export interface StructureQuery {
  how: "exact" | "similarity" | "substructure"
  smiles: string
  /** The least similarity that was asked for, in percent. */
  percent?: number
}

/** `similarity 70: CCO`, `substructure: c1ccccc1`, `smiles: CCO`, or a SMILES by itself. */
export function readStructureQuery(query: string): StructureQuery | undefined {
  const [, word = "", percent, smiles] =
    /^(similarity|substructure|smiles)(?:\s*(\d{1,3})\s*%?)?\s*:\s*(\S+)$/i.exec(query) ?? []
  if (smiles === undefined) return isSmiles(query) ? { how: "exact", smiles: query } : undefined
  const said = word.toLowerCase()
  return {
    how: said === "similarity" || said === "substructure" ? said : "exact",
    smiles,
    ...(percent === undefined ? {} : { percent: Number(percent) }),
  }
}
