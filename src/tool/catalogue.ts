import type { Connector } from "../science/connector.ts"

/** One line of the catalogue, kept under 30 tokens: id, what it holds, what an id looks like, the formats of its files. */
export function catalogueLine({ id, description, ids, files, key }: Connector): string {
  const formats = Object.keys(files).join(" ")
  const needs = key?.required ? ` · needs ${key.env}` : ""
  return `${id} · ${description} · ${ids.examples[0]}${formats ? ` · ${formats}` : ""}${needs}`
}

/** The catalogue by domain, in the order given. */
export function catalogue(databases: readonly Connector[]): string {
  const domains = [...new Set(databases.map(({ domain }) => domain))]
  return domains
    .map((domain) =>
      [`${domain}:`, ...databases.filter((each) => each.domain === domain).map(catalogueLine)].join("\n"),
    )
    .join("\n")
}
