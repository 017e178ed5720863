import nemar from "./nemar.txt" with { type: "text" }
import reactome from "./reactome.txt" with { type: "text" }

type Env = Record<string, string | undefined>

/** A server that is known by its name. */
export interface Preset {
  /** Where it is, by the environment or by what is published; undefined where that is for the person to say. */
  at(env: Env): { url: string } | { command: string; args: string[] } | undefined
  /** What to set where `at` says nothing. */
  missing: string
  tools?: string[]
  /** What the model is told once, with the first of its tools. A line that names a tool which is not offered is left out. */
  guide: string
}

const PRESETS = {
  nemar: { at: () => ({ url: "https://mcp.nemar.org/mcp" }), missing: "", guide: nemar },
  reactome: {
    at: ({ REACTOME_MCP_URL: url, REACTOME_MCP_SERVER: command }) =>
      url ? { url: withPath(url) } : command ? commandOf(command) : undefined,
    missing:
      "set REACTOME_MCP_URL (a server's address) or REACTOME_MCP_SERVER (its dist/index.js), or give url or command",
    // Its 53 definitions cost 27 kB of context; these answer most questions. `"tools": ["*"]` takes all.
    tools: [
      "reactome_search",
      "reactome_get_pathway",
      "reactome_pathways_for_entity",
      "reactome_pathway_contained_events",
      "reactome_participants",
      "reactome_analyze_identifiers",
      "reactome_get_analysis_result",
      "reactome_species",
      "reactome_database_info",
    ],
    guide: reactome,
  },
} satisfies Record<string, Preset>

export const PRESET_NAMES = Object.keys(PRESETS)

export const isPreset = (name: string): name is keyof typeof PRESETS => Object.hasOwn(PRESETS, name)

export const presetOf = (name: string): Preset | undefined => (isPreset(name) ? PRESETS[name] : undefined)

/** Reactome's own client takes a base address and appends the path. */
function withPath(url: string): string {
  return URL.canParse(url) && new URL(url).pathname === "/" ? new URL("/mcp", url).href : url
}

/** A script is run by node; anything else is a command line. */
function commandOf(line: string): { command: string; args: string[] } {
  if (/^\S+\.[cm]?js$/.test(line.trim())) return { command: "node", args: [line.trim()] }
  const [command = "", ...args] = line.trim().split(/\s+/)
  return { command, args }
}
