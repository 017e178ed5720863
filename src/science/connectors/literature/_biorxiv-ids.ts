/** DOIs of bioRxiv and medRxiv, with the version that is wanted where one is: `10.1101/2020.01.30.927871v2`. */

/** bioRxiv's numbers have six digits, medRxiv's eight; in 2019 and before there was no date in front. */
const NUMBER = "(?:\\d{4}\\.\\d{2}\\.\\d{2}\\.)?(?:\\d{8}|\\d{6})"

export const PREPRINT = new RegExp(
  `^(?:10\\.1101/${NUMBER}|10\\.64898/\\d{4}\\.\\d{2}\\.\\d{2}\\.\\d{6,8})(?:v[1-9]\\d*)?$`,
)

/** Page addresses and their tails, other addresses of DOIs, the servers' names in front. */
const BEFORE =
  /^(?:(?:https?:\/\/)?(?:www\.)?(?:bio|med)rxiv\.org\/content\/(?:(?:(?:bio|med)rxiv\/)?early\/\d{4}\/\d\d\/\d\d\/)?|(?:https?:\/\/)?(?:(?:dx|www)\.)?doi\.org\/|doi\s*[:=]?\s*|(?:bio|med)rxiv\s*[:/]?\s*)+/i
const AFTER =
  /(?:\.(?:full(?:[.+-](?:pdf|text|html))*|abstract|source\.xml|article-info|article-metrics|supplementary-material|pdf))?\/?(?:[?#].*)?[.,;)]*$/i

/** Since then new preprints have openRxiv's own prefix (openRxiv, 2025-11-18). */
const NEW_PREFIX_SINCE = "2025.12.01"

export function normalize(typed: string): string {
  const bare = typed.replace(BEFORE, "").replace(AFTER, "").replace(/%2f/i, "/").toLowerCase()
  if (PREPRINT.test(bare)) return bare
  if (!new RegExp(`^${NUMBER}(?:v[1-9]\\d*)?$`).test(bare)) return typed
  return `${/^\d{4}\./.test(bare) && bare.slice(0, 10) >= NEW_PREFIX_SINCE ? "10.64898" : "10.1101"}/${bare}`
}

export const doiOf = (id: string): string => id.replace(/v\d+$/, "")

export const versionOf = (id: string): string | undefined => /v(\d+)$/.exec(id)?.[1]

export type Server = "biorxiv" | "medrxiv"

/** Both servers have both prefixes; the length of the number says which is the likelier. */
export const serversOf = (id: string): Server[] =>
  /\d{8}$/.test(doiOf(id)) ? ["medrxiv", "biorxiv"] : ["biorxiv", "medrxiv"]

/** Around the change of prefix the date does not tell which one a preprint has. */
export function otherPrefix(id: string): string | undefined {
  const [prefix = "", number = ""] = doiOf(id).split("/")
  if (!/^2025\.1[12]\./.test(number)) return undefined
  return `${prefix === "10.1101" ? "10.64898" : "10.1101"}/${number}`
}
