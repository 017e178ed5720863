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
import mygene from "./genomics/mygene.ts"
import ncbiGene from "./genomics/ncbi-gene.ts"
import ucsc from "./genomics/ucsc.ts"
import clinvar from "./variants/clinvar.ts"
import dbsnp from "./variants/dbsnp.ts"
import gnomad from "./variants/gnomad.ts"
import myvariant from "./variants/myvariant.ts"
import bindingdb from "./chemistry/bindingdb.ts"
import chebi from "./chemistry/chebi.ts"
import chembl from "./chemistry/chembl.ts"
import gtopdb from "./chemistry/gtopdb.ts"
import pubchem from "./chemistry/pubchem.ts"
import surechembl from "./chemistry/surechembl.ts"
import kegg from "./pathways/kegg.ts"
import reactome from "./pathways/reactome.ts"
import wikipathways from "./pathways/wikipathways.ts"
import biogrid from "./interactions/biogrid.ts"
import intact from "./interactions/intact.ts"
import stringDb from "./interactions/string-db.ts"
import arrayexpress from "./expression/arrayexpress.ts"
import expressionAtlas from "./expression/expression-atlas.ts"
import geo from "./expression/geo.ts"
import gtex from "./expression/gtex.ts"
import singleCellAtlas from "./expression/single-cell-atlas.ts"
import arxiv from "./literature/arxiv.ts"
import biorxiv from "./literature/biorxiv.ts"
import crossref from "./literature/crossref.ts"
import europepmc from "./literature/europepmc.ts"
import openalex from "./literature/openalex.ts"
import pubmed from "./literature/pubmed.ts"
import semanticScholar from "./literature/semantic-scholar.ts"
import opentargets from "./clinical/opentargets.ts"
import depmap from "./datasets/depmap.ts"

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
  mygene,
  ncbiGene,
  ucsc,
  clinvar,
  dbsnp,
  gnomad,
  myvariant,
  bindingdb,
  chebi,
  chembl,
  gtopdb,
  pubchem,
  surechembl,
  kegg,
  reactome,
  wikipathways,
  biogrid,
  intact,
  stringDb,
  arrayexpress,
  expressionAtlas,
  geo,
  gtex,
  singleCellAtlas,
  arxiv,
  biorxiv,
  crossref,
  europepmc,
  openalex,
  pubmed,
  semanticScholar,
  opentargets,
  depmap,
]
