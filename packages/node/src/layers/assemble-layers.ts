import type { Message } from '@plimsoll/core'
import { currentRound } from './current-round.ts'

/** What a request is made of. */
export interface LayersInput {
  /** The system prompt and the tools' own prompts. The same text at every request, so that its bytes stay cached. */
  readonly system: string
  /** The project's rules. Default: none. */
  readonly rules?: string | null
  /** The conversation as the model should see it: the history with its summaries, and the running round. */
  readonly messages: readonly Message[]
  /** What changed about the rules since they were placed. Default: nothing. */
  readonly announcement?: string | null
  /** Where the work stands. Default: nothing is said. */
  readonly recap?: string | null
}

/** A layer that stands around the conversation and is never part of it. */
export type LayerName = 'system' | 'rules' | 'announcement' | 'recap'

/**
 * The messages of a request in order: system prompt, rules, history, the user's input, the running round in full, and last what
 * is made anew each time, the announcement and the recap. A layer among the given messages is dropped, so that an assembled list
 * can be assembled again; the same text gives the same message, so that what is known about it stays known.
 */
export function assembleLayers({ system, rules, messages, announcement, recap }: LayersInput): readonly Message[] {
  const { history, input, scratchpad } = currentRound(messages.some(isLayer) ? messages.filter((one) => !isLayer(one)) : messages)
  return [
    ...layer('system', system),
    ...layer('rules', rules),
    ...history,
    ...(input === null ? [] : [input]),
    ...scratchpad,
    ...layer('announcement', announcement),
    ...layer('recap', recap),
  ]
}

/** Whether a message is a layer around the conversation, which belongs into no history. What a person wrote never is. */
export function isLayer(message: Message): boolean {
  return message.role === 'system' && message.summary !== true && ids.has(message.id)
}

const ids: ReadonlySet<string> = new Set(
  (['system', 'rules', 'announcement', 'recap'] satisfies readonly LayerName[]).map((name) => `layer:${name}`),
)

// The latest message of each layer, which the next request mostly has again.
const latest = new Map<LayerName, { readonly text: string; readonly messages: readonly Message[] }>()

function layer(name: LayerName, text: string | null | undefined): readonly Message[] {
  if (text === undefined || text === null || text === '') return []
  const known = latest.get(name)
  if (known?.text === text) return known.messages
  const messages: readonly Message[] = [{ id: `layer:${name}`, role: 'system', parts: [{ type: 'text', text }] }]
  latest.set(name, { text, messages })
  return messages
}
