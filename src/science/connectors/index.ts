// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
import uniprot from "./proteins/uniprot.ts"
import alphafold from "./structures/alphafold.ts"
import pdbe from "./structures/pdbe.ts"
import rcsbPdb from "./structures/rcsb-pdb.ts"
import ensembl from "./genomics/ensembl.ts"
import bindingdb from "./chemistry/bindingdb.ts"
import chebi from "./chemistry/chebi.ts"
import chembl from "./chemistry/chembl.ts"
import gtopdb from "./chemistry/gtopdb.ts"
import pubchem from "./chemistry/pubchem.ts"
import surechembl from "./chemistry/surechembl.ts"
import kegg from "./pathways/kegg.ts"
import arxiv from "./literature/arxiv.ts"
import pubmed from "./literature/pubmed.ts"

export const connectors: readonly Connector[] = [
  uniprot,
  alphafold,
  pdbe,
  rcsbPdb,
  ensembl,
  bindingdb,
  chebi,
  chembl,
  gtopdb,
  pubchem,
  surechembl,
  kegg,
  arxiv,
  pubmed,
]
