import type { Config } from '@plimsoll/core/policies'
import { notify } from '../../agent/ask-context.ts'
import { type PayingOptions, payingFor } from '../../agent/request/session-cost.ts'
import { offlineModelName } from '../../model/offline/offline-model.ts'
import type { Environment } from '../../model/server-access.ts'
import { createAsk } from '../../model/side-calls.ts'
import type { OpenSession } from '../../session/session.ts'
import type { Emit } from '../../shared/event.ts'
import { connectMcpServers, type McpConnections } from '../../tools/mcp/mcp-servers.ts'
import type { Tool } from '../../tools/tool.ts'

/** The tools of an agent: its own, and those of the servers that the user configured. */
export interface Toolbox {
  /** All tools for one session, and who pays for what they ask models. The servers are started with the first call. */
  readonly tools: (session: OpenSession, paying: PayingOptions) => Promise<readonly Tool[]>
  readonly close: () => Promise<void>
}

/** What the tools are made with. */
export interface ToolboxOptions {
  readonly config: Config
  readonly environment: Environment
  /** The address of a server that knows the models by their whole names. Default: by the names. */
  readonly url?: string | undefined
  readonly root: string
  /** The name of the agent's own model. */
  readonly model: string
}

/** The tools of an agent, loaded and started when they are first asked for. */
export function openToolbox({ config, environment, url, root, model }: ToolboxOptions): Toolbox {
  const stop = new AbortController()
  let servers: Promise<McpConnections> | null = null

  function connect(emit: Emit): Promise<McpConnections> {
    servers ??= connectMcpServers(config.mcp_servers, {
      environment,
      root,
      signal: stop.signal,
      contextWindow: config.context_window,
      onTrouble: (details) => notify(emit, 'tools_trouble', details),
    })
    return servers
  }

  return {
    async tools(session, paying) {
      const expander = config.images.expand_model ?? model
      const expand =
        expander === offlineModelName
          ? null
          : createAsk({ model: expander, environment, url, ...payingFor('prompt-expansion', expander, paying) })
      const [{ ownTools }, { tools }] = await Promise.all([import('../../tools/own-tools.ts'), connect(paying.emit)])
      return [...ownTools(session, { config, environment, root, expand }), ...tools]
    },
    async close() {
      stop.abort()
      if (servers !== null) await (await servers).close()
    },
  }
}
