import { ASSEMBLIES, normalizeVariant, type Assembly } from "./_hgvs.ts"

/** Genomic HGVS with `chr`, or what the service also looks up: dbSNP, ClinVar and UniProt (humsavar) ids; an assembly before it. */
export const ID =
  /^(?:hg(?:19|38):)?(?:chr(?:\d{1,2}|X|Y|MT):g\.\d+(?:_\d+)?(?:[ACGT]>[ACGT]|del|(?:del)?ins[ACGT]+|dup[ACGT]*)|rs\d+|RCV\d{9}|VAR_\d{6})$/

export function normalize(typed: string): string {
  return normalizeVariant(typed)
    .replace(/^(?:dbsnp|clinvar):/i, "")
    .replace(/rs\d+$/i, (id) => id.toLowerCase())
    .replace(/(RCV\d{9})(?:\.\d+)?$/i, (_, id: string) => id.toUpperCase())
    .replace(/VAR_\d{6}$/i, (id) => id.toUpperCase())
}

/** The same id is another place on the other assembly; only the service's own default is silent about it. */
export function read(id: string): { assembly?: Assembly; name: string } {
  const assembly = ASSEMBLIES.find((each) => id.startsWith(`${each}:`))
  return assembly ? { assembly, name: id.slice(assembly.length + 1) } : { name: id }
}

export const isPlace = (name: string) => name.startsWith("chr")
