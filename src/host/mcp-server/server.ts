import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { ConfigError } from "../../config.ts"
import { permissionOf } from "../../create.ts"
import { PermissionRejected } from "../../permission/index.ts"
import { Failure } from "../../science/failure.ts"
import type { ToolContext } from "../../tool/context.ts"
import { version } from "../../version.ts"
import { clientOf } from "./client.ts"
import { describe } from "./describe.ts"
import { traitsOf } from "./hosts.ts"
import instructions from "./instructions.txt" with { type: "text" }
import { progressOf } from "./progress.ts"
import { directoryOfRoots, type Project } from "./project.ts"
import { getPrompt, listPrompts } from "./prompts.ts"
import { listResources, readResource } from "./resources.ts"
import { outsideTool, toCallResult } from "./result.ts"
import {
  elicitingPrompt,
  inRounds,
  InputNeeded,
  PATIENCE_MS,
  stateCodec,
  type Answers,
  type Approved,
} from "./rounds.ts"

/** A client that does not say where it works within this time has no project to offer. */
const ROOTS_MS = 5_000

export interface ServerOptions {
  projects: (directory: string) => Promise<Project>
  /** Where work is done unless the client's root says otherwise. */
  directory: string
  /** Whether the client may say where: only one that started us itself, and only where no directory was named. */
  roots: boolean
  /** Whether this server object lives as long as the client's session. */
  session: boolean
  /** Told of each request that is being worked on. */
  track?: (work: Promise<unknown>) => void
}

/**
 * The three tools and those of MCP servers, the saved files and two prompts for one connection, or in the sessionless revision for one request. The SDK's bare
 * server, because tools read their arguments themselves (models send numbers as text) and show their schemas as they are.
 */
export function createMcpServer(
  { projects, directory, roots, session, track = () => undefined }: ServerOptions,
  modern: boolean,
): Server {
  const server = new Server(
    { name: "opencode-science", title: "Scientific databases", version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructions.trim(),
      requestState: stateCodec,
      inputRequired: { roundTimeoutMs: PATIENCE_MS },
    },
  )
  const approved: Approved | undefined = session ? [] : undefined
  let ofClient: string | undefined

  /** The project that the client works in. It may have to be asked, which only some requests can. */
  async function projectOf(context: ServerContext, mayAsk = true): Promise<Project> {
    if (roots && ofClient === undefined && of(context).roots && (mayAsk || !modern))
      ofClient = directoryOfRoots(modern ? rootsOf(context) : await askForRoots()) ?? directory
    return await projects(ofClient ?? directory)
  }

  const askForRoots = async () =>
    (await server.listRoots(undefined, { timeout: ROOTS_MS }).catch(() => ({ roots: [] }))).roots

  const of = (context: ServerContext) =>
    clientOf(context, { name: server.getClientVersion()?.name, capabilities: server.getClientCapabilities() })

  const traits = (context: ServerContext) => traitsOf(of(context).name)

  async function runTool(name: string, args: unknown, context: ServerContext, answers: Answers) {
    const project = await projectOf(context)
    const tool = await project.find(name)
    if (!tool) {
      const there = (await project.tools()).map(({ id }) => id).join(", ")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}; there are ${there}.`)
    }
    const prompt = of(context).forms ? elicitingPrompt(context, answers, approved) : undefined
    const onProgress = progressOf(context)
    const call: ToolContext = {
      directory: project.directory,
      worktree: project.worktree,
      signal: context.mcpReq.signal,
      limits: traits(context).limits,
      showsImages: true,
      ask: permissionOf(project.config, prompt),
      ...(onProgress ? { onProgress } : {}),
    }
    const result = await tool.run(args, call).catch((error: unknown) => {
      if (error instanceof PermissionRejected) return outsideTool(error.message, "denied")
      throw error
    })
    return toCallResult(result, project.directory, traits(context))
  }

  async function callTool(name: string, args: unknown, context: ServerContext) {
    return await inRounds(context, (answers) => runTool(name, args, context, answers)).catch((error: unknown) => {
      // A wrong configuration in the client's root, or an MCP server that is down, is for the reader; all else is the protocol's, or a bug.
      if (!(error instanceof ConfigError || error instanceof Failure)) throw error
      const code = error instanceof Failure ? error.code : "unavailable"
      return toCallResult(outsideTool(error.message, code), directory, traits(context))
    })
  }

  /** Every request is known while it runs, so that the process does not leave in the middle of a write. */
  function tracked<T>(work: Promise<T>): Promise<T> {
    track(work)
    return work
  }

  // A list does not wait for the client to say where it works: hosts want it within seconds, and start us in the project anyway.
  server.setRequestHandler("tools/list", (_, context) =>
    tracked(
      projects(ofClient ?? directory).then(async ({ tools }) => ({
        tools: (await tools()).map((tool) => describe(tool, traits(context))),
      })),
    ),
  )
  server.setRequestHandler("tools/call", ({ params }, context) =>
    tracked(callTool(params.name, params.arguments ?? {}, context)),
  )
  server.setRequestHandler("resources/list", (_, context) =>
    tracked(projectOf(context, false).then(async ({ place }) => ({ resources: await listResources(place) }))),
  )
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }))
  server.setRequestHandler("resources/read", ({ params }, context) =>
    tracked(inRounds(context, async () => readResource((await projectOf(context)).place, params.uri))),
  )
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts() }))
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(params.name, params.arguments))
  if (!modern) server.setNotificationHandler("notifications/roots/list_changed", () => void (ofClient = undefined))
  return server
}

/** In the sessionless revision roots come back with the request that is sent again. */
function rootsOf({ mcpReq }: ServerContext) {
  if (mcpReq.inputResponses === undefined) throw new InputNeeded("roots", inputRequired.listRoots())
  const response = inputResponse(mcpReq.inputResponses, "roots")
  return response.kind === "roots" ? response.roots : []
}
