/** Full texts of articles that PubMed describes, from PubMed Central: by E-utilities, and from the bucket of what may be downloaded. */
import { asArray, Miss, pick, url, z } from "../../connector.ts"
import type { Http, Location } from "../../connector.ts"
import { eutils, members, readText } from "../_eutils.ts"
import { convert, typeOf } from "./_pubmed-ids.ts"

/** The PMC id of an article, or that it has none. */
async function pmcidOf(id: string, http: Http): Promise<string | Miss> {
  const idtype = typeOf(id)
  if (idtype === "pmcid") return id
  const pmcid = (await convert([id], idtype, http)).get(id)?.pmcid
  return pmcid ?? new Miss("the article is not in PubMed Central: only its abstract can be had here")
}

/** The article as JATS, if PMC gives more of it than the front matter: its publisher may forbid that, and a scanned article has no text. */
export async function fullText(id: string, http: Http): Promise<Location | Miss | undefined> {
  const pmcid = await pmcidOf(id, http)
  if (pmcid instanceof Miss) return pmcid
  const location = eutils("efetch", { db: "pmc", rettype: "full", retmode: "xml" }, [pmcid.slice("PMC".length)])
  const jats = await readText(http, location)
  if (jats === undefined || NO_ARTICLE.test(jats)) return undefined
  if (!WHOLE.test(jats) || /<body[\s>]/.test(jats)) return location
  const why = /does not allow downloading of the full text/.test(jats) ? ", as its publisher wants it" : ""
  return new Miss(`PMC gives only the front matter of ${pmcid} as XML${why}: use the format abstract`)
}

const NO_ARTICLE = /<pmc-articleset>\s*<(?:error\b|\/)/
const WHOLE = /<article[\s>][^]*<\/pmc-articleset>\s*$/

/** The formats that the bucket has, by the names that an article's description there has for their addresses. */
const DEPOSITS = { pdf_url: "pdf", text_url: "txt", xml_url: "oa-xml" }

type Deposit = keyof typeof DEPOSITS

/** One of an article's files in the bucket. */
export async function deposited(id: string, file: Deposit, http: Http): Promise<Location | Miss> {
  const pmcid = await pmcidOf(id, http)
  if (pmcid instanceof Miss) return pmcid
  const version = await newest(pmcid, http)
  if (version === undefined) return new Miss(`${pmcid} is not among the articles that PMC opens for download`)
  const description = url`https://pmc-oa-opendata.s3.amazonaws.com/${version}/${version}.json`
  const files = pick(DESCRIPTION, await http.json(description, { miss: () => false }))
  const others = Object.entries(DEPOSITS).flatMap(([name, format]) => (members(files).get(name) ? [format] : []))
  return files[file] ?? new Miss(`PMC opens ${version} for download only as ${others.join(", ")}`)
}

/** An article that was deposited again has a folder for each version. */
async function newest(pmcid: string, http: Http): Promise<string | undefined> {
  const query = { "list-type": 2, prefix: `${pmcid}.`, delimiter: "/" }
  const answer = await http.xml("https://pmc-oa-opendata.s3.amazonaws.com/", { query, miss: () => false })
  const versions = pick(LISTING, answer).ListBucketResult.CommonPrefixes.map(({ Prefix }) => Prefix.replace(/\/$/, ""))
  const numberOf = (version: string) => Number(version.slice(`${pmcid}.`.length))
  return versions.sort((a, b) => numberOf(a) - numberOf(b)).at(-1)
}

const LISTING = z.lazy(() =>
  z.object({
    ListBucketResult: z.object({
      CommonPrefixes: z.preprocess(asArray, z.array(z.object({ Prefix: z.string() }))),
    }),
  }),
)

/** `s3://pmc-oa-opendata/PMC1.1/PMC1.1.pdf?md5=…` */
const OBJECT = z.lazy(() =>
  z
    .string()
    .regex(/^s3:\/\/pmc-oa-opendata\/[^/?]+\/[^/?]+(?:\?|$)/)
    .transform((address) => {
      const [folder = "", name = ""] = address.slice("s3://pmc-oa-opendata/".length).split(/[/?]/)
      return url`https://pmc-oa-opendata.s3.amazonaws.com/${folder}/${name}`
    })
    .nullish(),
)

/** Author manuscripts have no PDF. */
const DESCRIPTION = z.lazy(() => z.object({ pdf_url: OBJECT, text_url: OBJECT, xml_url: OBJECT }))
