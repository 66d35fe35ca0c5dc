import { claudeMatcher } from './hook-agents.ts'
import { runHook } from './run-hook.ts'

/** Hooks for `query({ options: { hooks } })` of the Claude Agent SDK. */
export interface AgentSdkHooks {
  readonly PostToolUse: readonly {
    readonly matcher: string
    readonly hooks: readonly ((input: unknown) => Promise<Readonly<Record<string, unknown>>>)[]
  }[]
}

/**
 * Shortens what tools return, as the plugin of Claude Code does: the original is kept in the gateway's store before the agent is answered. If anything fails, the
 * result stays as it was. For recall, add `plimsoll mcp` to `mcpServers`.
 *
 * @example
 * query({ prompt, options: { hooks: plimsollHooks(), mcpServers: { plimsoll: { command: 'plimsoll', args: ['mcp'] } } } })
 */
export function plimsollHooks(): AgentSdkHooks {
  return { PostToolUse: [{ matcher: claudeMatcher, hooks: [shorten] }] }
}

async function shorten(input: unknown): Promise<Readonly<Record<string, unknown>>> {
  let answer = ''
  await runHook('claude-code', {
    stdin: (async function* () {
      yield Buffer.from(JSON.stringify(input))
    })(),
    environment: process.env,
    folder: process.cwd(),
    platform: process.platform,
    now: Date.now,
    write: (text) => {
      answer += text
    },
  })
  return answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>)
}
