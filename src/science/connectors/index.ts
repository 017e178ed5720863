// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import arrayexpress from "./expression/arrayexpress.ts"
import expressionAtlas from "./expression/expression-atlas.ts"
import gtex from "./expression/gtex.ts"
import singleCellAtlas from "./expression/single-cell-atlas.ts"
import arxiv from "./literature/arxiv.ts"
import pubmed from "./literature/pubmed.ts"

export const connectors: readonly Connector[] = [
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  ensembl,
  pubchem,
  kegg,
  arrayexpress,
  expressionAtlas,
  gtex,
  singleCellAtlas,
  arxiv,
  pubmed,
]
