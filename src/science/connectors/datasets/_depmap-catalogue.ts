import { Failure, type Http } from "../../connector.ts"

/** One file of one release. It has no address in the releases after 24Q4. */
export interface CatalogueFile {
  release: string
  release_date: string
  filename: string
  url?: string
  md5_hash: string
}

/** Open to programs since July 2026 (forum.depmap.org/t/4652); the same list without `no-captcha` asks for a human check. */
const CATALOGUE = "https://depmap.org/portal/api/no-captcha/download/files"

const COLUMNS = ["release", "release_date", "filename", "md5_hash"] as const

/** All files of all releases, the newest release first; some fourteen hundred. */
export async function catalogue(http: Http): Promise<CatalogueFile[]> {
  const [header = [], ...rows] = readCsv((await http.text(CATALOGUE, { inspect: humanCheck })) ?? "")
  const lacking = COLUMNS.find((column) => !header.includes(column))
  if (lacking !== undefined)
    throw new Failure("bad_response", `the answer of DepMap's catalogue has changed: it has no column ${lacking}`)
  if (rows.length === 0 || rows.some((row) => row.length !== header.length))
    throw new Failure("bad_response", "DepMap's catalogue is empty or cut off; try again.")
  const files = rows.map((row): CatalogueFile => {
    const value = (column: string) => row[header.indexOf(column)] ?? ""
    const url = value("url")
    return {
      release: value("release"),
      release_date: value("release_date"),
      filename: value("filename"),
      ...(url === "" || expires(url) ? {} : { url }),
      md5_hash: value("md5_hash"),
    }
  })
  return files.sort((a, b) => b.release_date.localeCompare(a.release_date))
}

/** The portal's wall is a page under 200. It is the portal that refuses, whatever the file: never "no such file". */
function humanCheck(body: string): Failure | undefined {
  return /^\s*</.test(body) && /verif|turnstile|challenge|captcha/i.test(body)
    ? new Failure(
        "unavailable",
        "DepMap's portal asks for a human check, which a program cannot pass; releases up to 24Q4 are on figshare too (plus.figshare.com).",
        { retryable: false },
      )
    : undefined
}

/** RFC 4180: quoted values may hold commas, quotes and line breaks. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const values = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  while (values.lastIndex < text.length) {
    const value = values.exec(text)
    if (value === null) throw new Failure("bad_response", "DepMap's catalogue is no CSV; try again later.")
    const [, quoted, plain = "", end] = value
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ",") rows.push([])
  }
  return rows.filter((row) => row.length > 0)
}

/** `DepMap Public 24Q4` is 24Q4; the other data sets' releases keep their names. */
export const shortName = (release: string): string => /^DepMap Public (\d\dQ[1-4])$/.exec(release)?.[1] ?? release

export const fileId = ({ release, filename }: CatalogueFile): string => `${shortName(release)}/${filename}`

/** Such a link is of no use in a record, a manifest or a citation: it counts as none. */
const expires = (url: string): boolean => /[?&](?:Expires|Signature|X-Goog-|X-Amz-)/i.test(url)

/** Files that got another name, and from which release on. */
const RENAMED: [was: RegExp, since: string, now: string][] = [
  [/^achilles_gene_effect(?:\.csv)?$/i, "22Q4", "CRISPRGeneEffect.csv"],
  [/^achilles_gene_dependency(?:\.csv)?$/i, "22Q4", "CRISPRGeneDependency.csv"],
  [/^sample_info(?:\.csv)?$/i, "22Q4", "Model.csv"],
  [/^ccle_expression(?:\.csv)?$/i, "22Q4", "OmicsExpressionProteinCodingGenesTPMLogp1.csv"],
  [
    /^omicsexpressionproteincodinggenestpmlogp1(?:\.csv)?$/i,
    "25Q3",
    "OmicsExpressionTPMLogp1HumanProteinCodingGenes.csv",
  ],
  [/^omicscngene(?:\.csv)?$/i, "25Q3", "OmicsCNGeneWGS.csv"],
]

export function renamed(filename: string): string | undefined {
  const [, since, now] = RENAMED.find(([was]) => was.test(filename)) ?? []
  return now === undefined ? undefined : `since ${since} it is ${now}`
}
