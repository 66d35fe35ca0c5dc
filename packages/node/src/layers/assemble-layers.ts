import type { Message } from '@plimsoll/core'
import { roundsOf } from '@plimsoll/core/compaction'
import type { TimingName } from '@plimsoll/core/policies'

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

/** A conversation as a request sees it: what is over, what is asked now, and what was done about it so far. */
interface CurrentRound {
  /** The rounds before the current one, with summaries and whatever stands before the first round. */
  readonly history: readonly Message[]
  /** What the user wrote last; null in a conversation where nobody wrote anything yet. */
  readonly input: Message | null
  /** The steps of the running round, in full. */
  readonly scratchpad: readonly Message[]
}

/** Splits a conversation at the user's latest message. Every message is in exactly one place, and none is copied. */
export function currentRound(messages: readonly Message[]): CurrentRound {
  const first = roundsOf(messages).at(-1)?.first
  const input = first === undefined ? undefined : messages[first]
  if (first === undefined || input === undefined) return { history: messages, input: null, scratchpad: [] }
  return { history: messages.slice(0, first), input, scratchpad: messages.slice(first + 1) }
}

/** A file with rules of the project, as far as it was read. */
export interface RulesFile {
  readonly name: string
  readonly text: string
  /** The size of the whole file, where only its beginning was read. */
  readonly cutFrom?: number
}

/** The text of the rules layer: each file under its name; null where no file says anything. */
export function rulesText(files: readonly RulesFile[]): string | null {
  const texts = files.flatMap(({ name, text, cutFrom }) => {
    if (text.trim() === '' && cutFrom === undefined) return []
    const end = cutFrom === undefined ? '' : `\n[${name} is cut here: the whole file has ${cutFrom} bytes]`
    return [`Project rules (${name}):\n\n${text.trimEnd()}${end}`]
  })
  return texts.length === 0 ? null : texts.join('\n\n')
}

/** What decides where rules go. */
interface RulesInput {
  /** `immediate` shows the rules as they are now; `economic` and `auto` spare the provider's cache. */
  readonly timing: TimingName
  /** The rules that stood in the last request, null where it had none; undefined where there was no request. */
  readonly shown: string | null | undefined
  /** The rules as the project has them now. */
  readonly current: string | null
  /** Whether nothing would be lost by changing the beginning of the request: a cold cache, or a compaction. */
  readonly cold: boolean
}

/** The text of the rules layer, and what the end of the request has to say about it. */
interface RulesPlacement {
  readonly rules: string | null
  readonly announcement: string | null
}

/**
 * Decides between showing changed rules in their layer, which costs the cache everything behind it, and leaving the layer as it
 * is while the end of the request announces the change. Announced rules move into the layer at the next cold moment.
 */
export function placeRules({ timing, shown, current, cold }: RulesInput): RulesPlacement {
  if (timing === 'immediate' || cold || shown === undefined || shown === current) return { rules: current, announcement: null }
  return { rules: shown, announcement: announce(shown, current) }
}

function announce(shown: string | null, current: string | null): string {
  if (current === null) return 'The project rules above no longer apply: the project has none any more.'
  if (shown === null) return `The project has rules now:\n\n${current}`
  const { removed, added } = changedLines(shown, current)
  // Where most of it is new, the whole is easier to follow than its pieces.
  if (removed.length + added.length > current.length / 2) {
    return `The project rules above have changed. In place of them, these hold:\n\n${current}`
  }
  const pieces = ['The project rules above have changed.']
  if (removed !== '') pieces.push(`These lines no longer apply:\n\n${removed}`)
  if (added !== '') pieces.push(`These lines hold now:\n\n${added}`)
  return pieces.join('\n\n')
}

/** The lines between what two texts begin with and what they end with alike. */
function changedLines(before: string, after: string): { readonly removed: string; readonly added: string } {
  const old = before.split('\n')
  const now = after.split('\n')
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  return { removed: old.slice(start, old.length - end).join('\n'), added: now.slice(start, now.length - end).join('\n') }
}
