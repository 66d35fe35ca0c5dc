import type { Edit } from '../edit.ts'
import { stringsOf } from '../facts.ts'
import { rememberGrowth } from '../growing-list.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../message.ts'
import { type ReasonStrings, reasonsOf } from '../people.ts'
import type { Policy } from '../policy.ts'

const name = 'pair-tool-calls'

/**
 * Makes every call have its result right after it and every result its call, as all providers demand. A call without a result
 * gets one that says so, beside its siblings; a result that strayed, late or early, is shown next to its call; a result without a call is
 * removed; a call is never invented. A result with no call id, and all results of a log without any calls, stay.
 */
export const pairToolCalls: Policy = {
  name,
  plan(messages, facts) {
    if (isPaired(messages) || !messages.some(hasCalls)) return []
    const writer = createWriter(stringsOf(facts).interruptedCall, reasonsOf(facts))
    const taken = new Set<ToolResultPart>()
    const finder = createFinder(messages)
    for (const [index, message] of messages.entries()) {
      if (message.role === 'assistant') answerCalls(messages, index, taken, writer, finder)
    }
    for (const message of messages) if (message.role === 'tool') dropOrphans(message, taken, writer)
    return writer.edits()
  },
}

/** The common case, without any bookkeeping: each call is answered in order by the messages that follow it. */
const isPaired = rememberGrowth({
  /** How many messages are known to be in order, up to a point where no call is open. */
  start: () => ({ paired: 0 }),
  extend(state, messages) {
    for (let index = state.paired; index < messages.length; index = state.paired) {
      const length = answeredLength(messages, index)
      if (length === 0) return
      state.paired += length
    }
  },
  finish: ({ paired }, messages) => paired === messages.length,
})

/** How many messages a message and the answers to its calls take up; none when they are not right after it and in order. */
function answeredLength(messages: readonly Message[], index: number): number {
  const message = messages[index] as Message
  if (message.role === 'tool') return 0
  if (message.role !== 'assistant') return 1
  let length = 1
  for (const part of message.parts) {
    if (part.type !== 'tool-call') continue
    const answer = messages[index + length]
    const result = answer?.role === 'tool' ? answer.parts[0] : undefined
    if (part.pending === true || result?.type !== 'tool-result' || result.callId !== part.callId) return 0
    if (answer?.parts.some((other, at) => at > 0 && other.type === 'tool-result') === true) return 0
    length += 1
  }
  return length
}

/** Takes the results that directly follow an assistant message for its calls, and finds or writes the missing ones. */
function answerCalls(
  messages: readonly Message[],
  index: number,
  taken: Set<ToolResultPart>,
  writer: Writer,
  finder: Finder,
): void {
  const assistant = messages[index] as Message
  const open = assistant.parts.filter((part) => part.type === 'tool-call')
  if (open.length === 0) return
  let end = index + 1
  while (messages[end]?.role === 'tool') {
    for (const part of (messages[end] as Message).parts) {
      if (part.type !== 'tool-result') continue
      const answered = open.findIndex((call) => call.callId === part.callId)
      if (answered < 0) continue
      open.splice(answered, 1)
      taken.add(part)
      writer.answered.add(part.callId)
    }
    end += 1
  }
  let start = index
  while (messages[start - 1]?.role === 'tool') start -= 1
  let after = (messages[end - 1] as Message).id
  for (const call of open) {
    if (call.pending === true) continue
    const strayed = finder.next(call.callId, start, end)
    if (strayed !== null) {
      taken.add(strayed.part)
      writer.moved.add(strayed.part)
      writer.answered.add(call.callId)
    }
    after = writer.insertResult(assistant, call, strayed, after)
  }
}

type Finder = ReturnType<typeof createFinder>

/**
 * Finds the result of a call that does not stand right after it: one further down, unless a call of the same id stands before it;
 * or one right before it when no call of that id came earlier, as in a list that runs backwards. Linear over all calls.
 */
function createFinder(messages: readonly Message[]) {
  const places = new Map<string, { cursor: number; firstCall: number; readonly at: Place[] }>()
  for (const [index, message] of messages.entries()) {
    for (const part of message.parts) {
      if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.callId === null) continue
      let known = places.get(part.callId)
      if (known === undefined) {
        known = { cursor: 0, firstCall: messages.length, at: [] }
        places.set(part.callId, known)
      }
      known.at.push({ index, part })
      if (part.type === 'tool-call') known.firstCall = Math.min(known.firstCall, index)
    }
  }
  return {
    /** The neighbours of the call reach from `start` to `end`. Calls are asked for in order, so a cursor only moves forward. */
    next(callId: string, start: number, end: number): Strayed | null {
      const known = places.get(callId)
      if (known === undefined) return null
      while (known.cursor < known.at.length) {
        const { index, part } = known.at[known.cursor] as Place
        const isEarly = part.type === 'tool-result' && index >= start && index < known.firstCall
        if (!isEarly && index < end) {
          known.cursor += 1
          continue
        }
        if (part.type !== 'tool-result') return null
        known.cursor += 1
        return { part, message: messages[index] as Message }
      }
      return null
    },
  }
}

interface Strayed {
  readonly part: ToolResultPart
  readonly message: Message
}

interface Place {
  readonly index: number
  readonly part: ToolCallPart | ToolResultPart
}

/** Removes results nobody asked for here: those without a call, and those already shown beside theirs. */
function dropOrphans(message: Message, taken: ReadonlySet<ToolResultPart>, writer: Writer): void {
  const isOrphan = (part: Message['parts'][number]) =>
    part.type === 'tool-result' && part.callId !== null && (!taken.has(part) || writer.moved.has(part))
  const orphans = message.parts.filter(isOrphan)
  if (orphans.length === 0) return
  const moved = orphans.every((part) => part.type === 'tool-result' && writer.moved.has(part))
  const doubled = orphans.every((part) => part.type === 'tool-result' && writer.answered.has(part.callId))
  const why = moved ? writer.reasons.strayedResult : doubled ? writer.reasons.doubledResult : writer.reasons.orphanResult
  const others = message.parts.filter((part) => !isOrphan(part))
  const keeps = others.some((part) => part.type === 'tool-result')
  writer.fold(message, keeps ? { ...message, parts: others } : null, why)
}

type Writer = ReturnType<typeof createWriter>

/** Collects the edits; ids are made from those of the messages they belong to, so that they are the same at every request. */
function createWriter(interrupted: string, reasons: ReasonStrings) {
  const edits: Edit[] = []
  const ids = new Set<string>()
  return {
    reasons,
    /** The ids of calls that have a result of their own. */
    answered: new Set<string | null>(),
    /** Results that are shown beside their call instead of where they stand. */
    moved: new Set<ToolResultPart>(),
    insertResult(assistant: Message, call: ToolCallPart, strayed: Strayed | null, after: string): string {
      const id = unique(ids, `${assistant.id}:${call.callId}`)
      const part: ToolResultPart = strayed?.part ?? {
        type: 'tool-result',
        callId: call.callId,
        tool: call.tool,
        content: { type: 'text', text: interrupted },
        isError: true,
      }
      const why = strayed === null ? reasons.interruptedCall : reasons.strayedResult
      // A result keeps its time wherever it is shown; one that was never given has none.
      const time = strayed?.message.at === undefined ? {} : { at: strayed.message.at }
      const message: Message = { id, role: 'tool', parts: [part], ...time }
      edits.push({ id: `${name}:${id}`, policy: name, kind: 'insert', after, message, why })
      return id
    },
    fold(message: Message, into: Message | null, why: string): void {
      edits.push({ id: `${name}:${message.id}`, policy: name, kind: 'fold', first: message.id, last: message.id, into, why })
    },
    edits: (): readonly Edit[] => edits,
  }
}

function unique(ids: Set<string>, wish: string): string {
  let id = wish
  for (let count = 2; ids.has(id); count += 1) id = `${wish}:${count}`
  ids.add(id)
  return id
}

function hasCalls(message: Message): boolean {
  return message.role === 'assistant' && message.parts.some((part) => part.type === 'tool-call')
}
