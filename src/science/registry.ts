import type { Connector, Domain } from "./connector.ts"
import { Failure } from "./failure.ts"

export interface Registry {
  /** The databases of a domain, or those that mention a text, or all; in the order of the folders. */
  databases(filter?: { domain?: string | undefined; find?: string | undefined }): Connector[]
  /** Throws `unknown_db` with what was probably meant. */
  get(id: string): Connector
  domains(): Domain[]
}

export interface Choice {
  enable?: string[] | undefined
  disable?: string[] | undefined
}

export function createRegistry(connectors: readonly Connector[], { enable, disable }: Choice = {}): Registry {
  const chosen = connectors.filter(({ id }) => (enable?.includes(id) ?? true) && !disable?.includes(id))
  const byId = new Map(chosen.map((connector) => [connector.id, connector]))

  const databases: Registry["databases"] = ({ domain, find } = {}) =>
    chosen.filter((connector) => (!domain || connector.domain === domain) && (!find || mentions(connector, find)))

  return {
    databases,
    domains: () => [...new Set(chosen.map(({ domain }) => domain))],
    get(id) {
      const found = byId.get(id.trim().toLowerCase())
      if (found) return found
      const bare = id.replace(/[^a-z0-9]/gi, "").toLowerCase()
      const called = chosen.filter((connector) => bare !== "" && connector.id.replaceAll("-", "").includes(bare))
      const near = called.length > 0 ? called : chosen.filter((connector) => mentions(connector, id))
      const hint =
        near.length > 0
          ? `did you mean ${near
              .slice(0, 3)
              .map((c) => c.id)
              .join(" or ")}?`
          : `there are ${chosen.map((c) => c.id).join(", ")}`
      throw new Failure("unknown_db", `There is no database ${JSON.stringify(id.slice(0, 60))}; ${hint}`)
    },
  }
}

function mentions({ id, name, description, domain, ids, files }: Connector, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const all = [id, name, description, domain, ids.curie, ...Object.keys(files)].join(" ").toLowerCase()
  return words.length > 0 && words.every((word) => all.includes(word))
}
