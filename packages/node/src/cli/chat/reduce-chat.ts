import type { Report } from '@plimsoll/core'
import type { AgentEvent } from '../../shared/event.ts'
import { cleanLine, cleanLines } from '../terminal/text.ts'
import { codeAfter } from './block-lines.ts'
import {
  type Block,
  type ChatAction,
  type ChatState,
  emptyChat,
  type Meter,
  type RunningCall,
  type TurnCost,
} from './chat-state.ts'
import { summariseCall } from './summarise-call.ts'

const rememberedTurns = 50

/** Returns the state after an action. Pure. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'event':
      return reduceEvent(state, action.event, action.at)
    case 'block':
      return add(finishText(state), action.block)
    case 'printed':
      return state.blocks.at(-1) == null ? state : { ...state, blocks: state.blocks.map(() => null) }
    case 'busy':
      return { ...state, busySince: action.since }
    case 'waiting':
      return { ...state, waiting: action.texts }
    case 'dialog': {
      const { dialog, at } = action
      const { busySince, askedAt } = state
      // The time that a question waits is not running time.
      const since = busySince === null || askedAt === null ? busySince : busySince + at - askedAt
      return { ...state, dialog, busySince: since, askedAt: dialog === null ? null : at }
    }
    case 'looked': {
      const { view, cost } = action
      const { dollars, unpriced, keepAlive } = cost
      const meter = { ...state.meter, ...sizeOf(view.report), usable: view.usable, dollars, unpriced, keepAlive }
      return { ...state, meter }
    }
    case 'session': {
      const { blocks, dialog, askedAt, waiting, busySince } = state
      return { ...emptyChat, blocks, dialog, askedAt, waiting, busySince }
    }
  }
}

function reduceEvent(state: ChatState, event: AgentEvent, at: number): ChatState {
  switch (event.type) {
    case 'turn_start':
      return { ...state, answer: emptyChat.answer, reasoning: null, calls: [], isRecovering: false }
    case 'text_delta':
      return say({ ...finishReasoning(state), isRecovering: false }, event.data.text)
    case 'reasoning_delta':
      return think(finishAnswer(state), event.data.text)
    case 'tool_call_start': {
      const { callId, tool, about } = event.data
      const call = { callId, tool: cleanLine(tool), about: cleanLine(about), message: '', progress: null, output: [] }
      const finished = finishText(state)
      return { ...finished, calls: [...finished.calls.filter((known) => known.callId !== callId), call] }
    }
    case 'tool_progress': {
      const { callId, stage, message, progress } = event.data
      const follow =
        stage === 'output' ? withOutput(message) : (call: RunningCall) => ({ ...call, message: cleanLine(message), progress })
      return { ...state, calls: state.calls.map((call) => (call.callId === callId ? follow(call) : call)) }
    }
    case 'tool_call_end': {
      const { callId, tool, durationMs } = event.data
      const call = state.calls.find((known) => known.callId === callId)
      const block: Block = {
        kind: 'call',
        tool: call?.tool ?? cleanLine(tool),
        about: call?.about ?? '',
        durationMs,
        summary: summariseCall(event.data),
      }
      return add({ ...finishText(state), calls: state.calls.filter((known) => known.callId !== callId) }, block)
    }
    case 'view_built': {
      const { report, usable } = event.data
      return { ...state, lastTiming: report.timing, meter: { ...state.meter, ...sizeOf(report), usable } }
    }
    case 'compaction_start':
      return { ...finishText(state), compaction: { start: event.data, written: 0 } }
    case 'compaction_progress':
      return state.compaction === null ? state : { ...state, compaction: { ...state.compaction, written: event.data.written } }
    case 'compaction_end':
      return add({ ...state, compaction: null }, { kind: 'compaction', start: state.compaction?.start ?? null, end: event.data })
    case 'notification': {
      const { code, message, details } = event.data
      // An answer that starts again replaces its first part.
      const dropped = code === 'answer_restarted' ? { ...state, answer: emptyChat.answer, reasoning: null } : finishText(state)
      return add({ ...dropped, isRecovering: false }, { kind: 'notice', code, message, details })
    }
    case 'error':
      // The error is being repaired while it is reported.
      if (event.data.details['recovering'] === true)
        return { ...state, answer: emptyChat.answer, reasoning: null, isRecovering: true }
      return add({ ...finishText(state), isRecovering: false }, { kind: 'error', error: event.data })
    case 'usage': {
      const { what, usage, total, cost } = event.data
      const isKept = what === 'keep-alive'
      // Requests next to the conversation say nothing about its cached part.
      const last = what === 'answer' || isKept ? { usage, at } : state.meter.last
      const { times, dollars } = state.meter.keepAlive
      const keepAlive = isKept ? { times: times + 1, dollars: dollars + (cost?.dollars ?? 0) } : state.meter.keepAlive
      return { ...state, meter: { ...state.meter, last, dollars: total.dollars, unpriced: total.unpriced, keepAlive } }
    }
    case 'turn_end': {
      const { data: end } = event
      const turn: TurnCost = { steps: end.steps, usage: end.usage, ...end.cost }
      const durationMs = state.busySince === null ? null : Math.max(0, at - state.busySince)
      const over = { ...finishText(state), calls: [], compaction: null, isRecovering: false }
      return add({ ...over, turns: [...state.turns, turn].slice(-rememberedTurns) }, { kind: 'turn', end, durationMs })
    }
  }
}

function sizeOf({ load, timing }: Report): Pick<Meter, 'tokens' | 'source' | 'waitingTokens' | 'lifetimeSeconds'> {
  const { tokens, source } = load
  return { tokens, source, waitingTokens: timing?.waitingTokens ?? 0, lifetimeSeconds: timing?.lifetimeSeconds ?? null }
}

function add(state: ChatState, block: Block): ChatState {
  return { ...state, blocks: [...state.blocks, block] }
}

/** More complete lines than this are printed although their paragraph continues, so that the open part stays small. */
const maxOpenLines = 8
const maxOpenCharacters = 4000

function say(state: ChatState, text: string): ChatState {
  const { answer } = state
  const open = answer.text + text
  const end = text.includes('\n') || open.length > maxOpenCharacters ? wholeUpTo(open, answer.isCode) : 0
  if (end === 0) return { ...state, answer: { ...answer, text: open } }
  const whole = open.slice(0, end)
  const block: Block = { kind: 'answer', text: whole.replace(/\n$/, ''), isCode: answer.isCode }
  const rest = { text: open.slice(end), isCode: codeAfter(whole, answer.isCode) }
  return { ...add(state, block), answer: rest }
}

/** A growing text can be printed up to its last blank line, or up to its last line if it has many. */
function wholeUpTo(text: string, isCode: boolean): number {
  const lastBreak = text.lastIndexOf('\n') + 1
  const paragraph = text.lastIndexOf('\n\n') + 2
  if (paragraph > 1 && !codeAfter(text.slice(0, paragraph), isCode)) return paragraph
  const lines = text.split('\n').length - 1
  if (lines > maxOpenLines) return lastBreak
  if (text.length <= maxOpenCharacters) return 0
  const blank = text.lastIndexOf(' ', maxOpenCharacters)
  return lastBreak > 0 ? lastBreak : blank > maxOpenCharacters / 2 ? blank + 1 : maxOpenCharacters
}

const maxReasoningLength = 400

function think(state: ChatState, text: string): ChatState {
  const known = state.reasoning ?? { line: '', characters: 0 }
  const lines = cleanLines((known.line + text).slice(-maxReasoningLength))
  const line = lines.findLast((piece) => piece.trim() !== '') ?? ''
  // A finished line stays until the next one has text.
  const isEnded = text.endsWith('\n')
  return { ...state, reasoning: { line: isEnded ? `${line}\n` : line, characters: known.characters + text.length } }
}

function finishText(state: ChatState): ChatState {
  return finishAnswer(finishReasoning(state))
}

function finishReasoning(state: ChatState): ChatState {
  const { reasoning } = state
  if (reasoning === null) return state
  const { line, characters } = reasoning
  return add({ ...state, reasoning: null }, { kind: 'reasoning', last: line.trim(), characters })
}

function finishAnswer(state: ChatState): ChatState {
  const { answer } = state
  if (answer.text.trim() === '') return answer === emptyChat.answer ? state : { ...state, answer: emptyChat.answer }
  const block: Block = { kind: 'answer', text: answer.text.replace(/(?<!\n)\n+$/, ''), isCode: answer.isCode }
  return { ...add(state, block), answer: emptyChat.answer }
}

const maxOutputLines = 5

function withOutput(piece: string): (call: RunningCall) => RunningCall {
  return (call) => {
    const open = call.output.join('\n')
    const text = open + piece.slice(-20_000)
    const lines = text.split('\n').slice(-maxOutputLines - 1)
    return { ...call, output: (lines.at(-1) === '' ? lines : lines.slice(-maxOutputLines)).map((line) => line.slice(-2000)) }
  }
}
