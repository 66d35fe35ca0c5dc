import { claudeMatcher } from './hook-agents.ts'
import { runHook } from './run-hook.ts'

/** Hooks for `query({ options: { hooks } })` of the Claude Agent SDK, which takes no read-only lists. */
export interface AgentSdkHooks {
  readonly PostToolUse: { readonly matcher: string; readonly hooks: ((input: unknown) => Promise<AgentSdkAnswer>)[] }[]
}

/** Empty if the result stays. */
export interface AgentSdkAnswer {
  readonly hookSpecificOutput?: { readonly hookEventName: 'PostToolUse'; readonly updatedToolOutput: unknown }
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

async function shorten(input: unknown): Promise<AgentSdkAnswer> {
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
  return answer === '' ? {} : (JSON.parse(answer) as AgentSdkAnswer)
}
