/** Where Crossref has a work and its citations, for the connectors whose DOIs it registered. */
import { url } from "../../connector.ts"

/** Without a contact: five single works or one list a second, one at a time (crossref.org, access and authentication, December 2025). */
export const CROSSREF_HOSTS = { "api.crossref.org": { perSecond: 5, concurrent: 1 } }

export function workUrl(doi: string): string {
  return url`https://api.crossref.org/works/${doi}`
}

/** By the route that names the form in its path. */
export function transformUrl(doi: string, mediaType: string): string {
  return `${workUrl(doi)}/transform/${mediaType}`
}
