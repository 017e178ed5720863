// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import reactome from "./pathways/reactome.ts"
import wikipathways from "./pathways/wikipathways.ts"
import biogrid from "./interactions/biogrid.ts"
import intact from "./interactions/intact.ts"
import stringDb from "./interactions/string-db.ts"
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
  reactome,
  wikipathways,
  biogrid,
  intact,
  stringDb,
  arxiv,
  pubmed,
]
