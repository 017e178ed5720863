// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import hpa from "./proteins/hpa.ts"
import interpro from "./proteins/interpro.ts"
import pfam from "./proteins/pfam.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import sifts from "./structures/sifts.ts"
import ensembl from "./genomics/ensembl.ts"
import ucsc from "./genomics/ucsc.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import arxiv from "./literature/arxiv.ts"
import pubmed from "./literature/pubmed.ts"

export const connectors: readonly Connector[] = [
  hpa,
  interpro,
  pfam,
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  sifts,
  ensembl,
  ucsc,
  pubchem,
  kegg,
  arxiv,
  pubmed,
]
