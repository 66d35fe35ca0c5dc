import type { TrimMode } from '@plimsoll/core/policies'
import { type GatewayStore, tenantOf } from '../../store/gateway-store.ts'
import type { QueuedPlanner } from '../planner/create-planner.ts'
import type { RelayedRequest } from '../planner.ts'
import { accepted, planned, relayed } from './planning.ts'

/** An output far over the limit of a tool's output. */
export const long = (name: string) => Array.from({ length: 2000 }, (_, line) => `${name} line ${line}`).join('\n')

/** A call in Anthropic's dialect with its result. */
export function turn(call: string, text: string, tool = 'Bash'): readonly object[] {
  const input = tool === 'Read' ? { file_path: `/src/${call}.ts` } : { command: `run ${call}` }
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: call, name: tool, input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: text }] },
  ]
}

/** The user's first message. */
export const asking = { role: 'user', content: 'look at it' }

/** A request in Anthropic's dialect with these messages. */
export const bodyOf = (messages: readonly object[], rest: object = {}) => ({
  model: 'claude-opus-5',
  max_tokens: 100,
  system: 'be brief',
  tools: [{ name: 'Bash' }],
  ...rest,
  messages,
})

/** The texts of the results that go out, by their calls. */
export async function resultsOf(planner: QueuedPlanner, request: RelayedRequest): Promise<Readonly<Record<string, string>>> {
  const sent = JSON.parse((await planned(planner, request)).toString()) as { messages: { content: unknown }[] }
  return Object.fromEntries(
    sent.messages.flatMap(({ content }) =>
      (Array.isArray(content) ? (content as readonly Record<string, string>[]) : []).flatMap((block) =>
        block['type'] === 'tool_result' ? [[block['tool_use_id'], block['content']] as const] : [],
      ),
    ),
  )
}

/** Sends a request and reports it as accepted. */
export async function send(
  planner: QueuedPlanner,
  messages: readonly object[],
  mode: TrimMode,
  rest: Partial<RelayedRequest> = {},
) {
  const request = relayed('anthropic', bodyOf(messages), mode, rest)
  const results = await resultsOf(planner, request)
  planner.answered(accepted(request))
  await planner.rest()
  return { request, results }
}
/** The tenant of the requests, as the store names it. */
export async function tenant(store: GatewayStore): Promise<string> {
  return tenantOf(await store.secret(), 'credential')
}

/** All stored conversations of that tenant. */
export async function stored(store: GatewayStore) {
  const owner = await tenant(store)
  const list = await store.conversations(owner)
  return Promise.all(list.map(({ id }) => store.conversation(owner, id)))
}
