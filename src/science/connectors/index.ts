// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import mygene from "./genomics/mygene.ts"
import gnomad from "./variants/gnomad.ts"
import myvariant from "./variants/myvariant.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import arxiv from "./literature/arxiv.ts"
import pubmed from "./literature/pubmed.ts"
import opentargets from "./clinical/opentargets.ts"
import depmap from "./datasets/depmap.ts"

export const connectors: readonly Connector[] = [
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  ensembl,
  mygene,
  gnomad,
  myvariant,
  pubchem,
  kegg,
  arxiv,
  pubmed,
  opentargets,
  depmap,
]
