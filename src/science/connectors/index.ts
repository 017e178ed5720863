// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import pubchem from "./chemistry/pubchem.ts"
import kegg from "./pathways/kegg.ts"
import arxiv from "./literature/arxiv.ts"
import biorxiv from "./literature/biorxiv.ts"
import crossref from "./literature/crossref.ts"
import europepmc from "./literature/europepmc.ts"
import openalex from "./literature/openalex.ts"
import pubmed from "./literature/pubmed.ts"
import semanticScholar from "./literature/semantic-scholar.ts"

export const connectors: readonly Connector[] = [
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  ensembl,
  pubchem,
  kegg,
  arxiv,
  biorxiv,
  crossref,
  europepmc,
  openalex,
  pubmed,
  semanticScholar,
]
