import { isSaid, saidText } from '../../../node/src/shared/mentions.ts'
import type { ChatMessage, LiveState, SessionEvent, SessionSnapshot } from '../../../node/src/shared/server-api.ts'
import { applyEvent, type Meter, meterOf } from './apply-event.ts'
import type { Block, ShownCall } from './blocks.ts'
import { messageRun, pageRange, type StoredMessages, storedBlocks } from './stored-messages.ts'

/** Everything that the chat of one session shows. */
export interface ConversationState {
  readonly session: string
  readonly title: string | null
  readonly from: SessionSnapshot['from']
  readonly troubles: readonly string[]
  readonly stored: StoredMessages
  /** Calls of the last stored answer without a result, by id, and the number of its message. */
  readonly open: { readonly number: number; readonly calls: Readonly<Record<string, ShownCall>> } | null
  readonly blocks: readonly Block[]
  /** How many blocks there ever were: the name of the next one. */
  readonly made: number
  readonly live: LiveState
  readonly meter: Meter
  /** Set while a request that was too long is being made to fit. */
  readonly isRecovering: boolean
  /** When the turn started, as it was seen here, and how long its answers took. */
  readonly turn: { readonly at: number; readonly answeredMs: number } | null
}

type ConversationAction =
  | { readonly type: 'snapshot'; readonly snapshot: SessionSnapshot }
  | { readonly type: 'page'; readonly page: number; readonly messages: readonly ChatMessage[] }
  | { readonly type: 'events'; readonly events: readonly { readonly event: SessionEvent; readonly at: number }[] }

/** The next state; null before the first snapshot. A snapshot replaces everything. */
export function reduceConversation(state: ConversationState | null, action: ConversationAction): ConversationState | null {
  if (action.type === 'snapshot') return conversationOf(action.snapshot)
  if (state === null) return null
  if (action.type === 'events') return action.events.reduce((before, { event, at }) => applyEvent(before, event, at), state)
  const { stored } = state
  const pages = new Map(stored.pages).set(action.page, messageRun(action.messages, ...pageRange(stored, action.page)))
  return { ...state, stored: { ...stored, pages } }
}

/** The state of a session as the server has it. */
export function conversationOf(snapshot: SessionSnapshot): ConversationState {
  const { id, title, from, troubles, count, start, messages, live } = snapshot
  const stored: StoredMessages = { count, start, latest: messageRun(messages, start, count), pages: new Map() }
  return {
    session: id,
    title,
    from,
    troubles,
    stored,
    open: live.isBusy ? openCalls(stored) : null,
    blocks: [],
    made: 0,
    live,
    meter: meterOf(live.look, messages.at(-1)?.message.at ?? null),
    isRecovering: false,
    turn: null,
  }
}

/** How many rows there are: one for each stored message, and one for each block since. */
export function rowCount({ stored, blocks }: ConversationState): number {
  return stored.count + blocks.length
}

/** The key of a row, which does not change when others come before or after it. A number, because long lists ask for all of them. */
export function rowKey(stored: number, index: number): number {
  return index < stored ? index : stored - index - 1
}

/** The blocks of a row; null if its message has not been loaded. */
export function rowBlocks(state: ConversationState, index: number): readonly Block[] | null {
  const { stored, blocks, open } = state
  if (index >= stored.count) {
    const block = blocks[index - stored.count]
    return block === undefined ? [] : [block]
  }
  const known = storedBlocks(stored, index)
  if (known === null || open?.number !== index) return known
  return known.map((block) => {
    // Ids are the model's: one may have the name of a property of every object.
    if (block.kind !== 'call' || !Object.hasOwn(open.calls, block.call.callId)) return block
    return { ...block, call: open.calls[block.call.callId] ?? block.call }
  })
}

/** The last thing in a conversation that decides how it continues: an error, the end of a turn, or a message; null if there is none. */
export function lastBlock({ blocks, stored }: Pick<ConversationState, 'blocks' | 'stored'>): Block | null {
  const found = blocks.findLast(isDeciding)
  if (found !== undefined) return found
  for (let number = stored.count - 1; number >= stored.start; number -= 1) {
    const before = storedBlocks(stored, number)?.findLast(isDeciding)
    if (before !== undefined) return before
  }
  return null
}

/** An error is followed by the end of its turn. */
function isDeciding({ kind, ...block }: Block): boolean {
  return kind !== 'notice' && kind !== 'summary' && kind !== 'compaction' && !('end' in block && isFailed(block.end))
}

function isFailed(end: object | null): boolean {
  return end !== null && 'outcome' in end && end.outcome === 'failed'
}

/** The calls of the last answer without a result, while the agent runs them. */
function openCalls(stored: StoredMessages): ConversationState['open'] {
  for (let number = stored.count - 1; number >= stored.start; number -= 1) {
    const blocks = storedBlocks(stored, number)
    const role = stored.latest[number - stored.start]?.message.role
    if (role === 'tool') continue
    if (role !== 'assistant' || blocks === null) return null
    const calls = blocks.flatMap((block) => (block.kind === 'call' && block.call.status === 'missing' ? [block.call] : []))
    if (calls.length === 0) return null
    return { number, calls: Object.fromEntries(calls.map((call) => [call.callId, { ...call, status: 'running' }])) }
  }
  return null
}

/** The messages of the user, as far as they are loaded, oldest first. */
export function saidTexts({ stored, blocks }: Pick<ConversationState, 'stored' | 'blocks'>): readonly string[] {
  return [
    ...stored.latest.flatMap((kept) => (kept !== null && isSaid(kept.message) ? [saidText(kept.message)] : [])),
    ...blocks.flatMap((block) => (block.kind === 'user' ? [block.text] : [])),
  ]
}
