// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import ncbiGene from "./genomics/ncbi-gene.ts"
import clinvar from "./variants/clinvar.ts"
import dbsnp from "./variants/dbsnp.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import geo from "./expression/geo.ts"
import arxiv from "./literature/arxiv.ts"
import pubmed from "./literature/pubmed.ts"

export const connectors: readonly Connector[] = [
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  ensembl,
  ncbiGene,
  clinvar,
  dbsnp,
  pubchem,
  kegg,
  geo,
  arxiv,
  pubmed,
]
