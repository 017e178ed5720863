import { matches } from "../permission/index.ts"
import type { SpillPlace } from "../science/save.ts"
import type { Tool } from "../tool/tool.ts"
import { describe, guideFor } from "./describe.ts"
import { faultOf, McpFailure, isRefusal } from "./fault.ts"
import { listTools, type Offered } from "./list.ts"
import { namesFor } from "./names.ts"
import { createSession, type Session } from "./session.ts"
import type { Settings } from "./settings.ts"
import { foreignTool } from "./tool.ts"

export interface Loaded {
  tools: Tool[]
  notes: string[]
  session: Session
}

/** Connects to one server and makes its tools ours. `others` are prefixes of other servers that begin with this one's. */
export async function load(
  settings: Settings,
  place: SpillPlace,
  signal: AbortSignal,
  others: string[],
): Promise<Loaded> {
  const session = createSession(settings)
  try {
    const listed = await session.use(settings.timeouts.connectMs, signal, listTools)
    const { wanted, notes } = choose(settings, listed.tools)
    const names = namesFor(
      settings.prefix,
      wanted.map(({ name }) => name),
      others,
    )
    const ids = new Set(names.values())
    const guide = guideFor(settings.guide ?? "", settings.name, settings.prefix, ids)
    const tools = wanted.map((offered, index) =>
      foreignTool({
        settings,
        session,
        place,
        offered,
        id: names.get(offered.name) ?? offered.name,
        description: [...(index === 0 && guide ? [guide] : []), describe(settings, offered)].join("\n"),
      }),
    )
    return { tools, notes: [...listed.notes, ...notes], session }
  } catch (error) {
    await session.close()
    if (signal.aborted) throw signal.reason
    throw isRefusal(error)
      ? new McpFailure(settings.name, "bad_response", `it does not list its tools (error ${error.code})`)
      : faultOf(settings, error)
  }
}

/** Only what the person's list, or the preset's, names. */
function choose({ tools: allowed, prefix }: Settings, offered: Offered[]): { wanted: Offered[]; notes: string[] } {
  if (!allowed) return { wanted: offered, notes: [] }
  const fits = (pattern: string, { name }: Offered) => matches(pattern, name) || matches(pattern, `${prefix}_${name}`)
  const unused = allowed.filter((pattern) => !offered.some((each) => fits(pattern, each)))
  return {
    wanted: offered.filter((each) => allowed.some((pattern) => fits(pattern, each))),
    notes: unused.length > 0 ? [`it has no ${unused.join(", ")}, which the list of its tools names`] : [],
  }
}
