/** The species of most experiments, by Latin name, taxon id and what people call them: these services know Latin names only. */
const SPECIES: [name: string, taxa: string, otherNames?: string][] = [
  ["Homo sapiens", "9606", "human"],
  ["Mus musculus", "10090", "mouse,house mouse"],
  ["Rattus norvegicus", "10116", "rat,norway rat,brown rat"],
  ["Macaca mulatta", "9544", "rhesus macaque,rhesus monkey"],
  ["Macaca fascicularis", "9541", "crab-eating macaque,cynomolgus monkey"],
  ["Pan troglodytes", "9598", "chimpanzee"],
  ["Callithrix jacchus", "9483", "marmoset,common marmoset"],
  ["Sus scrofa", "9823", "pig"],
  ["Bos taurus", "9913", "cow,cattle"],
  ["Ovis aries", "9940", "sheep"],
  ["Equus caballus", "9796", "horse"],
  ["Canis lupus familiaris", "9615", "dog,canis familiaris"],
  ["Oryctolagus cuniculus", "9986", "rabbit"],
  ["Gallus gallus", "9031", "chicken"],
  ["Xenopus tropicalis", "8364", "western clawed frog"],
  ["Xenopus laevis", "8355", "african clawed frog"],
  ["Danio rerio", "7955", "zebrafish"],
  ["Drosophila melanogaster", "7227", "fruit fly,fly"],
  ["Anopheles gambiae", "7165", "mosquito"],
  ["Caenorhabditis elegans", "6239", "nematode,roundworm,c. elegans"],
  ["Schistosoma mansoni", "6183"],
  ["Plasmodium falciparum", "5833,36329"],
  ["Plasmodium berghei", "5821,5823"],
  ["Saccharomyces cerevisiae", "4932,559292", "yeast,budding yeast,baker's yeast"],
  ["Schizosaccharomyces pombe", "4896,284812", "fission yeast"],
  ["Candida albicans", "5476,237561"],
  ["Escherichia coli", "562,83333", "e. coli"],
  ["Arabidopsis thaliana", "3702", "arabidopsis,thale cress"],
  ["Oryza sativa", "4530,39947", "rice"],
  ["Zea mays", "4577", "maize,corn"],
  ["Triticum aestivum", "4565", "wheat,bread wheat"],
  ["Hordeum vulgare", "4513", "barley"],
  ["Sorghum bicolor", "4558", "sorghum"],
  ["Glycine max", "3847", "soybean"],
  ["Solanum lycopersicum", "4081", "tomato"],
  ["Solanum tuberosum", "4113", "potato"],
  ["Vitis vinifera", "29760", "grape,grapevine"],
  ["Brassica napus", "3708", "rapeseed"],
]

/** The Latin name; a name that is not in the table is taken for one; undefined for a taxon id that is not. */
export function speciesOf(typed: string): string | undefined {
  const wanted = typed
    .trim()
    .replace(/^(?:\w+:)(?=\d+$)/, "")
    .toLowerCase()
  const known = SPECIES.find(([name, taxa, others = ""]) =>
    [name.toLowerCase(), ...taxa.split(","), ...others.split(",")].includes(wanted),
  )
  if (known) return known[0]
  return /^\d+$/.test(wanted) ? undefined : typed.trim()
}

/** What else a species is called, for finding it by that. */
export function otherNames(species: string): string {
  const wanted = species.toLowerCase()
  return SPECIES.find(([name]) => isSpecies(wanted, name))?.[2]?.replaceAll(",", " ") ?? ""
}

/** Varieties and subspecies are their species' too: `Oryza sativa Japonica Group`. */
export function isSpecies(own: string, wanted: string): boolean {
  const [a, b] = [own.toLowerCase(), wanted.toLowerCase()]
  return a === b || a.startsWith(`${b} `)
}
