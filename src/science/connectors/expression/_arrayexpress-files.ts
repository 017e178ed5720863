import { Failure, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"

/** The files of a study in BioStudies. */

const SITE = "https://www.ebi.ac.uk/biostudies"

const Section = z.lazy(() =>
  z.object({ files: z.array(z.unknown()).optional(), subsections: z.array(z.unknown()).optional() }),
)

const File = z.lazy(() =>
  z.object({
    path: z.string(),
    attributes: z.array(z.object({ name: z.string(), value: z.string().nullish() })).optional(),
  }),
)

export interface StudyFile {
  path: string
  /** What it is, in the study's words: `SDRF File`. */
  type?: string | undefined
}

/** The files that the study names itself; those of a list apart are not among them. */
export const filesOf = (study: Json): StudyFile[] => filesIn(pick(z.object({ section: z.unknown() }), study).section)

/** Where a section has several files or subsections, they may stand in a list of their own inside the list. */
function filesIn(section: Json): StudyFile[] {
  const { files = [], subsections = [] } = pick(Section, section)
  const own = pick(z.array(File), files.flat()).map(({ path, attributes = [] }) => ({
    path,
    type: attributes.find(({ name }) => name === "Type")?.value ?? undefined,
  }))
  return [...own, ...subsections.flat().flatMap(filesIn)]
}

/** The ids by which files are fetched, a few of them. */
export function named(accession: string, files: StudyFile[]): string {
  const some = files.slice(0, 8).map(({ path }) => `${accession}/${path}`)
  const rest = files.length > some.length ? ` and ${files.length - some.length} more, in the format filelist` : ""
  return some.length === 0 ? "see the format filelist" : `fetch ${some.join(", ")}${rest}, with the format file`
}

/** The site leads to the mirror by a 302, but for names beyond ASCII, which only the mirror itself finds. */
export async function storedAt(accession: string, path: string, http: Http): Promise<string | Miss> {
  const segments = path.split("/").map((segment) => url`${segment}`)
  if (/^[\x20-\x7e]+$/.test(path)) return `${SITE}/files/${url`${accession}`}/${segments.join("/")}`
  const info = await infoOf(accession, http)
  return info instanceof Miss ? info : `${info.httpLink}/Files/${segments.join("/")}`
}

export async function mirrored(accession: string, ending: string, http: Http): Promise<string | Miss> {
  const info = await infoOf(accession, http)
  return info instanceof Miss ? info : `${info.httpLink}/${url`${accession}`}${ending}`
}

/** The service takes no more, and answers a larger limit with an empty list. */
const MOST = 1000

export async function fileList(accession: string, http: Http): Promise<string | Miss> {
  const info = await infoOf(accession, http)
  if (info instanceof Miss) return info
  if (info.files === 0) return new Miss("this study has no files here")
  if (info.files > MOST)
    throw new Failure(
      "too_large",
      `ArrayExpress lists at most ${MOST} files at once, and ${accession} has ${info.files}: see ${info.httpLink}`,
    )
  return `${SITE}/api/v1/studies/${url`${accession}`}/files?limit=${MOST}`
}

const Info = z.lazy(() => z.object({ files: z.number(), httpLink: z.string() }))

/** Of a study that is not there the service says `{}`. */
async function infoOf(accession: string, http: Http): Promise<z.infer<typeof Info> | Miss> {
  const answer = await http.json(`${SITE}/api/v1/studies/${url`${accession}`}/info`, {
    miss: ({ status, html, head }) => (status === 404 && !html) || (status === 200 && /^\s*\{\s*\}\s*$/.test(head)),
  })
  return answer === undefined ? new Miss("no released study of this accession") : pick(Info, answer)
}
