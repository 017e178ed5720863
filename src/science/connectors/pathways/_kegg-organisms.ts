/**
 * KEGG's code of the organisms that are asked for most, by taxon id and name. KEGG has no look-up by taxon (`list/organism`, which had the
 * lineage, is gone, and `list/genome` has neither), so for any other its code is what one gives. A species stands for its reference genome.
 */
const ORGANISMS: [code: string, scientificName: string, taxa: string, otherNames?: string][] = [
  ["hsa", "Homo sapiens", "9606", "human"],
  ["ptr", "Pan troglodytes", "9598", "chimpanzee"],
  ["mcc", "Macaca mulatta", "9544", "rhesus macaque,rhesus monkey"],
  ["mmu", "Mus musculus", "10090", "mouse,house mouse"],
  ["rno", "Rattus norvegicus", "10116", "rat,brown rat,norway rat"],
  ["cfa", "Canis lupus familiaris", "9615", "dog,canis familiaris"],
  ["bta", "Bos taurus", "9913", "cow,cattle"],
  ["ssc", "Sus scrofa", "9823", "pig"],
  ["gga", "Gallus gallus", "9031", "chicken"],
  ["xtr", "Xenopus tropicalis", "8364", "tropical clawed frog,western clawed frog"],
  ["dre", "Danio rerio", "7955", "zebrafish"],
  ["dme", "Drosophila melanogaster", "7227", "fruit fly,fly"],
  ["cel", "Caenorhabditis elegans", "6239", "nematode,roundworm,c. elegans"],
  ["sce", "Saccharomyces cerevisiae", "4932,559292", "yeast,budding yeast,baker's yeast"],
  ["spo", "Schizosaccharomyces pombe", "4896,284812", "fission yeast"],
  ["ath", "Arabidopsis thaliana", "3702", "thale cress,arabidopsis"],
  ["osa", "Oryza sativa japonica", "4530,39947", "rice,oryza sativa"],
  ["zma", "Zea mays", "4577", "maize,corn"],
  ["pfa", "Plasmodium falciparum 3D7", "5833,36329", "plasmodium falciparum"],
  ["ddi", "Dictyostelium discoideum", "44689,352472", "cellular slime mold"],
  ["eco", "Escherichia coli K-12 MG1655", "562,83333,511145", "escherichia coli,e. coli,escherichia coli k-12"],
  ["bsu", "Bacillus subtilis 168", "1423,224308", "bacillus subtilis,b. subtilis"],
  ["mtu", "Mycobacterium tuberculosis H37Rv", "1773,83332", "mycobacterium tuberculosis"],
  ["pae", "Pseudomonas aeruginosa PAO1", "287,208964", "pseudomonas aeruginosa"],
  ["hpy", "Helicobacter pylori 26695", "210,85962", "helicobacter pylori"],
]

export const organismCodes: ReadonlySet<string> = new Set(ORGANISMS.map(([code]) => code))

/** The code and, where it is known here, the name; undefined for what is neither a code nor in the table. */
export function organismOf(typed: string): { code: string; name?: string } | undefined {
  const wanted = typed.trim().toLowerCase()
  const known = ORGANISMS.find(([code, name, taxa, others = ""]) =>
    [code, name.toLowerCase(), ...taxa.split(","), ...others.split(",")].includes(wanted),
  )
  if (known) return { code: known[0], name: known[1] }
  return /^[a-z]{3,4}$/.test(wanted) ? { code: wanted } : undefined
}
