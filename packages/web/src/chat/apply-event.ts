import type { Report } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import type { TurnEnd } from '../../../node/src/shared/event.ts'
import type { SessionEvent, SessionLook } from '../../../node/src/shared/server-api.ts'
import {
  type Block,
  type CompactionBlock,
  endedCall,
  type ShownCall,
  startedCall,
  type TextBlock,
  withProgress,
} from './blocks.ts'
import type { ConversationState } from './conversation-state.ts'

/** The state after an event that arrived at a moment. Events that ask for a new snapshot change nothing here. */
export function applyEvent(state: ConversationState, event: SessionEvent, at: number): ConversationState {
  switch (event.type) {
    case 'said':
      return said(state, event.data.text, event.data.message)
    case 'turn_start':
      return { ...named(closed(state), event.data.turn), isRecovering: false, turn: { at, answeredMs: 0 } }
    case 'text_delta':
      return words({ ...state, isRecovering: false }, 'answer', event.data.text)
    case 'reasoning_delta':
      return words({ ...state, isRecovering: false }, 'reasoning', event.data.text)
    case 'tool_call_start':
      return called(closed(state), startedCall(event.data))
    case 'tool_progress':
      return changedCall(state, event.data.callId, (call) => withProgress(call, event.data))
    case 'tool_call_end':
      return changedCall(state, event.data.callId, (call) => endedCall(call, event.data))
    case 'view_built':
      return { ...state, meter: withView(state.meter, event.data) }
    case 'compaction_start':
      return add(state, { kind: 'compaction', start: event.data, written: 0, end: null })
    case 'compaction_progress':
      return changedCompaction(state, (block) => ({ ...block, written: event.data.written }))
    case 'compaction_end': {
      const changed = changedCompaction(state, (block) => ({ ...block, end: event.data }))
      return changed === state ? add(state, { kind: 'compaction', start: null, written: 0, end: event.data }) : changed
    }
    case 'notification': {
      const isRestarted = event.data.code === 'answer_restarted'
      const blocks = isRestarted ? state.blocks.filter((block) => !isOpenText(block)) : state.blocks
      return add({ ...state, blocks }, { kind: 'notice', notice: event.data })
    }
    case 'error':
      // No error for a session that is just being repaired.
      if (event.data.details['recovering'] === true) return { ...state, isRecovering: true }
      return add({ ...state, isRecovering: false }, { kind: 'error', error: event.data })
    case 'usage': {
      const { what, total, durationMs } = event.data
      const turn = state.turn === null ? null : { ...state.turn, answeredMs: state.turn.answeredMs + durationMs }
      const meter = { ...state.meter, dollars: total.dollars, unpriced: total.unpriced, askedAt: at }
      const next = { ...state, meter, turn }
      return what === 'answer' ? closed(next) : next
    }
    case 'turn_end':
      return ended(state, event.data, at)
    case 'live':
      return {
        ...state,
        live: event.data,
        meter: event.data.look === null ? state.meter : meterOf(event.data.look, state.meter.askedAt),
      }
    case 'permission':
      return { ...state, live: { ...state.live, permission: event.data } }
    case 'changed':
    case 'reset':
    case 'moved':
      return state
  }
}

type NewBlock = Block extends infer Kind ? (Kind extends Block ? Omit<Kind, 'key'> : never) : never

function add(state: ConversationState, block: NewBlock): ConversationState {
  const key = `live ${state.made}`
  return { ...state, made: state.made + 1, blocks: [...state.blocks, { ...block, key }] }
}

/** A snapshot may already have a message that was sent just before it was taken. */
function said(state: ConversationState, text: string, id: string | null): ConversationState {
  if (id !== null && isStored(state, id)) return state
  // The first message names the session until the server does.
  const title = state.title ?? text
  return add({ ...closed(state), title }, { kind: 'user', id, text, images: [] })
}

function isStored({ stored }: ConversationState, id: string): boolean {
  return stored.latest.some((kept) => kept?.message.id === id)
}

/** Gives the message that started a turn its id, if that was unknown when it was sent. */
function named(state: ConversationState, id: string): ConversationState {
  const index = state.blocks.findLastIndex(({ kind }) => kind === 'user')
  const block = state.blocks[index]
  if (block?.kind !== 'user' || block.id !== null || isStored(state, id)) return state
  return { ...state, blocks: state.blocks.with(index, { ...block, id }) }
}

function words(state: ConversationState, kind: TextBlock['kind'], text: string): ConversationState {
  if (text === '') return state
  const index = state.blocks.findLastIndex(isOpenText)
  const block = state.blocks[index]
  if (block?.kind !== kind) return add(state, { kind, text, isOpen: true })
  return { ...state, blocks: state.blocks.with(index, { ...block, text: block.text + text }) }
}

function closed(state: ConversationState, lost: Pick<TextBlock, 'isLost'> = {}): ConversationState {
  if (!state.blocks.some(isOpenText)) return state
  return { ...state, blocks: state.blocks.map((block) => (isOpenText(block) ? { ...block, isOpen: false, ...lost } : block)) }
}

function isOpenText(block: Block): block is TextBlock {
  return 'isOpen' in block && block.isOpen
}

/** A call of a stored answer is already in its message; any other comes to the end. */
function called(state: ConversationState, call: ShownCall): ConversationState {
  if (state.open?.calls[call.callId]?.status !== 'running') return add(state, { kind: 'call', call })
  return { ...state, open: { ...state.open, calls: { ...state.open.calls, [call.callId]: call } } }
}

/** Of calls with the same id this changes the latest, as long as it runs. */
function changedCall(state: ConversationState, callId: string, change: (call: ShownCall) => ShownCall): ConversationState {
  const index = state.blocks.findLastIndex((block) => block.kind === 'call' && block.call.callId === callId)
  const block = state.blocks[index]
  if (block?.kind === 'call' && block.call.status === 'running')
    return { ...state, blocks: state.blocks.with(index, { ...block, call: change(block.call) }) }
  const stored = state.open?.calls[callId]
  if (state.open === null || stored?.status !== 'running') return state
  return { ...state, open: { ...state.open, calls: { ...state.open.calls, [callId]: change(stored) } } }
}

function changedCompaction(state: ConversationState, change: (block: CompactionBlock) => CompactionBlock): ConversationState {
  const index = state.blocks.findLastIndex((block) => block.kind === 'compaction' && block.end === null)
  const block = state.blocks[index]
  if (block?.kind !== 'compaction') return state
  return { ...state, blocks: state.blocks.with(index, change(block)) }
}

function ended(state: ConversationState, end: TurnEnd, at: number): ConversationState {
  const { turn } = state
  // The beginning of an answer that failed is not kept.
  const spoken = closed(state, end.outcome === 'failed' ? { isLost: true } : {})
  const calls = spoken.blocks.map(
    (block): Block =>
      block.kind === 'call' && block.call.status === 'running' ? { ...block, call: { ...block.call, status: 'missing' } } : block,
  )
  // Events that were missed arrive all at once: then the time of the answers says more than the clock.
  const durationMs = end.durationMs ?? (turn === null ? 0 : Math.max(at - turn.at, turn.answeredMs))
  return add({ ...spoken, blocks: calls, isRecovering: false, turn: null }, { kind: 'turn', end, durationMs })
}

/** How full the window is and what the session has cost, for the head of the chat. */
export interface Meter {
  readonly load: Pick<WindowFill, 'tokens' | 'window' | 'reserve' | 'source'> | null
  /** Null if unknown. */
  readonly dollars: number | null
  /** Requests without a known price. */
  readonly unpriced: number
  /** Tokens of pending edits. */
  readonly waitingTokens: number
  /** How long the provider keeps a prompt, in milliseconds; null if it keeps none. */
  readonly cacheLifetimeMs: number | null
  /** When the provider was last asked; null if unknown. */
  readonly askedAt: number | null
}

/** The meter of a session as the server sees it. */
export function meterOf(look: SessionLook | null, askedAt: number | null): Meter {
  if (look === null) return { load: null, dollars: null, unpriced: 0, waitingTokens: 0, cacheLifetimeMs: null, askedAt }
  const { tokens, window, reserve, source } = look.fill
  return {
    load: { tokens, window, reserve, source },
    dollars: look.cost?.dollars ?? null,
    unpriced: look.cost?.unpriced ?? 0,
    ...fromReport(look.report),
    askedAt,
  }
}

/** The same after a request was built. */
export function withView(
  meter: Meter,
  view: { readonly report: Report; readonly window: number; readonly usable: number },
): Meter {
  const { report, window, usable } = view
  const { tokens, source } = report.load
  return { ...meter, load: { tokens, window, reserve: Math.max(0, window - usable), source }, ...fromReport(report) }
}

/** How long the conversation stays cached, in milliseconds: 0 when the cache has expired, null if unknown. */
export function cacheLeft({ cacheLifetimeMs, askedAt }: Meter, now: number): number | null {
  if (cacheLifetimeMs === null || askedAt === null) return null
  return Math.max(0, askedAt + cacheLifetimeMs - now)
}

/** For providers that do not say how long they keep a prompt. */
const usualLifetime = 5 * 60_000

function fromReport(report: Report | null): Pick<Meter, 'waitingTokens' | 'cacheLifetimeMs'> {
  const timing = report?.timing ?? null
  if (timing === null) return { waitingTokens: 0, cacheLifetimeMs: null }
  const { waitingTokens, lifetimeSeconds, cold } = timing
  const lifetimeMs = lifetimeSeconds === null ? usualLifetime : lifetimeSeconds * 1000
  return { waitingTokens, cacheLifetimeMs: cold === 'uncached' ? null : lifetimeMs }
}
