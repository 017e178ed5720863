/** The organisms that are asked for most: scientific name, NCBI taxa (the species, then its reference strains), other names. */
const ORGANISMS: [name: string, taxa: [string, ...string[]], others: string[]][] = [
  ["Homo sapiens", ["9606"], ["human"]],
  ["Mus musculus", ["10090"], ["mouse", "house mouse"]],
  ["Rattus norvegicus", ["10116"], ["rat", "brown rat"]],
  ["Bos taurus", ["9913"], ["cow", "cattle"]],
  ["Canis familiaris", ["9615"], ["dog", "canis lupus familiaris"]],
  ["Sus scrofa", ["9823"], ["pig"]],
  ["Gallus gallus", ["9031"], ["chicken"]],
  ["Xenopus tropicalis", ["8364"], ["western clawed frog"]],
  ["Danio rerio", ["7955"], ["zebrafish"]],
  ["Drosophila melanogaster", ["7227"], ["fly", "fruit fly"]],
  ["Caenorhabditis elegans", ["6239"], ["worm", "c. elegans"]],
  ["Saccharomyces cerevisiae", ["4932", "559292"], ["yeast", "baker's yeast", "budding yeast"]],
  ["Schizosaccharomyces pombe", ["4896", "284812"], ["fission yeast"]],
  ["Dictyostelium discoideum", ["44689", "352472"], ["slime mold"]],
  ["Arabidopsis thaliana", ["3702"], ["arabidopsis", "thale cress"]],
  ["Oryza sativa", ["4530", "39947"], ["rice"]],
  ["Zea mays", ["4577"], ["maize", "corn"]],
  ["Plasmodium falciparum", ["5833", "36329"], []],
  ["Escherichia coli", ["562", "511145", "83333", "316407"], ["e. coli"]],
  ["Bacillus subtilis", ["1423", "224308"], ["b. subtilis"]],
  ["Mycobacterium tuberculosis", ["1773", "83332"], []],
]

export interface Organism {
  name: string
  taxa: [string, ...string[]]
}

/** By taxon id (of the species or a strain), scientific or common name; undefined for what is not in the table. */
export function modelOrganism(typed: string): Organism | undefined {
  const wanted = taxonOf(typed) ?? typed.trim().replace(/\s+/g, " ").toLowerCase()
  const found = ORGANISMS.find(([name, taxa, others]) => [name.toLowerCase(), ...taxa, ...others].includes(wanted))
  return found && { name: found[0], taxa: found[1] }
}

/** The number of a taxon id, with or without a prefix such as `NCBITaxon:`. */
export const taxonOf = (typed: string): string | undefined => /^(?:[A-Za-z]+[:_])?([1-9]\d*)$/.exec(typed.trim())?.[1]
