import { defineConnector, Failure, Miss, pick } from "../../connector.ts"
import type { AnswerHead, FileFormat } from "../../connector.ts"
import { doiOf, normalize, PREPRINT } from "./_biorxiv-ids.ts"
import { detailsUrl, findPost, idsOf, Post, remarksOf, type Found } from "./_biorxiv-posts.ts"
import { search } from "./_biorxiv-search.ts"
import { CROSSREF_HOSTS, transformUrl } from "./_crossref-urls.ts"

/** Its protection answers a few requests in a row with a challenge, and then with nothing for a while (Cloudflare, error 1015). */
const PAGES = { perSecond: 1 / 3, concurrent: 1, pool: "rxiv pages" }

export default defineConnector({
  id: "biorxiv",
  name: "bioRxiv / medRxiv",
  domain: "literature",
  description: "preprints of bioRxiv and medRxiv",
  homepage: "https://www.biorxiv.org",
  license: "Each preprint under its authors' licence (field license; cc_no or none: all rights reserved)",
  cite: "The preprint by its DOI, with the server and the version",
  ids: {
    curie: "biorxiv",
    pattern: PREPRINT,
    examples: ["10.1101/456574", "10.1101/2020.01.30.927871v2", "10.64898/2026.07.31.741992"],
    normalize,
  },
  probe: { query: "single cell", missing: "10.1101/1999.01.01.000001" },
  hosts: {
    "api.biorxiv.org": { perSecond: 1, concurrent: 1 },
    "www.biorxiv.org": PAGES,
    "www.medrxiv.org": PAGES,
    "www.ebi.ac.uk": { perSecond: 5, concurrent: 3 },
    ...CROSSREF_HOSTS,
  },
  url: "https://doi.org/{id}",
  page: (id) => `https://doi.org/${doiOf(id)}`,

  missing,
  failure: refusal,
  identify: (record) => idsOf(pick(Post, record)),
  relation: (asked, own) => `the newest version of ${asked} is ${own}`,
  remarks: (record) => remarksOf(pick(Post, record)),

  search,
  fetch: async (id, http) => {
    const found = await findPost(id, http)
    return found instanceof Miss ? found : found.record
  },

  files: {
    pdf: file("pdf", (found) => `${pageUrl(found)}.full.pdf`),
    jats: file("xml", ({ post }) =>
      post.jatsxml.startsWith("https://") ? post.jatsxml : new Miss("its record names no XML: use pdf or html"),
    ),
    html: file("html", (found) => `${pageUrl(found)}.full`),
    bibtex: file("bibtex", ({ post }) => transformUrl(post.doi, "application/x-bibtex")),
    ris: file("ris", ({ post }) => transformUrl(post.doi, "application/x-research-info-systems")),
    "csl-json": file("csl-json", ({ post }) => transformUrl(post.doi, "application/vnd.citationstyles.csl+json")),
    // With all versions.
    json: file("json", ({ server, post }) => detailsUrl(server, post.doi)),
    // The journal article that came of it.
    published: file("json", ({ server, post }) => detailsUrl(server, post.doi).replace("/details/", "/pubs/")),
  },
})

/** The server and the version are looked up: neither the prefix nor the number tells them for certain. */
function file(kind: FileFormat["kind"], place: (found: Found) => string | Miss): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const found = await findPost(id, http)
      return found instanceof Miss ? found : place(found)
    },
  }
}

const pageUrl = ({ server, post }: Found) => `https://www.${server}.org/content/${post.doi}v${post.version}`

/** The API says it under status 200, in a message; that its records are found by way of it is seen to there. */
function missing({ status, head, html, operation }: AnswerHead): boolean {
  if (operation !== "file") return status === 404 && !html
  return status === 404 || /^\s*\{\s*"messages"\s*:\s*\[\s*\{\s*"status"\s*:\s*"no /i.test(head)
}

function refusal({ status, head, operation }: AnswerHead): Failure | undefined {
  if (operation !== "file") return undefined
  if (status === 429)
    return new Failure("rate_limited", "bioRxiv wants no more requests for files now (429); try again in a minute.", {
      retryAfterMs: 60_000,
    })
  if (status !== 403 && !CHALLENGE.test(head)) return undefined
  return new Failure(
    "unavailable",
    "bioRxiv / medRxiv lets only browsers have this file (Cloudflare): open the preprint's page, or try europepmc with the same DOI.",
    { retryable: false },
  )
}

/** It comes under 200 as well. */
const CHALLENGE = /<title>Just a moment|<title>Attention Required! \| Cloudflare|\/cdn-cgi\/challenge-platform\//
