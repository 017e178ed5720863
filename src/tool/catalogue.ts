import type { Connector } from "../science/connector.ts"

/** Of a long list, how many formats a line names; a narrower list names them all. */
const FORMATS_IN_BRIEF = 5
const FEW_DATABASES = 8

/** One line of the catalogue: id, what it holds, what an id looks like, the formats of its files. */
export function catalogueLine({ id, description, ids, files, key }: Connector, formatsShown: number): string {
  const formats = Object.keys(files)
  const more = formats.length > formatsShown ? [`+${formats.length - formatsShown}`] : []
  const needs = key?.required ? [`needs ${key.env}`] : []
  return [id, description, ids.examples[0], [...formats.slice(0, formatsShown), ...more].join(" "), ...needs]
    .filter((part) => part !== "")
    .join(" · ")
}

/** The catalogue by domain, in the order given; under 30 tokens a database as a whole. */
export function catalogue(databases: readonly Connector[]): string {
  const formatsShown = databases.length > FEW_DATABASES ? FORMATS_IN_BRIEF : Infinity
  const domains = [...new Set(databases.map(({ domain }) => domain))]
  return domains
    .map((domain) =>
      [
        `${domain}:`,
        ...databases.filter((each) => each.domain === domain).map((each) => catalogueLine(each, formatsShown)),
      ].join("\n"),
    )
    .join("\n")
}
