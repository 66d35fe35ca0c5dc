import { type Earlier, perChange, perItem, sameStart } from '../derive.ts'
import { isRecord, type Message, type ProviderOptions, type ToolCallPart } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { describeValue } from '../text/json.ts'
import type { FindCall } from './dialect.ts'
import { fitDialect, isSame } from './fit-dialect.ts'
import { type DialectName, type RequestRules, requestRules, rulesBehind } from './request-rules.ts'
import { callFinder } from './view-patches.ts'

export type { DialectName } from './request-rules.ts'

export interface WriteRequestOptions {
  readonly model: string
  /** The system prompt, placed before system messages at the start. */
  readonly system?: string
  /** Maximum output tokens, for vendors that require it. Default: 8192. */
  readonly maxTokens?: number
  /** The vendor whose rules apply if a library forwards requests. Default: that of the API format. */
  readonly behind?: DialectName
  /** Provider options by message id, if the API format supports them. Default: none. */
  readonly options?: ReadonlyMap<string, ProviderOptions>
  /** Whether values may be shared with earlier requests, which is faster; they must not be changed. Default: false. */
  readonly isShared?: boolean
}

/**
 * Writes a complete request. System messages at the start become the system prompt; later ones and summaries stay in place, as
 * system messages if the API format allows it, else as user messages within `<system-reminder>`. Expects a legal view.
 */
export function writeRequest(
  name: DialectName,
  messages: readonly Message[],
  { model, system = '', maxTokens = 8192, behind = name, options = new Map(), isShared = false }: WriteRequestOptions,
): Readonly<Record<string, unknown>> {
  for (const dialect of [name, behind]) {
    if (Object.hasOwn(requestRules, dialect)) continue
    throw new Error(`dialect: expected one of ${Object.keys(requestRules).join(', ')}, got ${describeValue(dialect)}`)
  }
  const rules = behind === name ? requestRules[name] : rulesBehind(name, behind)
  const start = messages.findIndex((message) => message.role !== 'system' || message.summary === true)
  const head = messages.slice(0, start < 0 ? messages.length : start)
  const texts = head.map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'))
  const prompts = [system, ...texts].filter((text) => text !== '')
  const runs = isShared ? writeShared(rules) : (list: readonly Message[]) => writeAll(list, createRunWriter(rules))
  const written = withOptions(runs(uniqueCalls(messages.slice(head.length))), rules.takesOptions === true ? options : new Map())
  return rules.around({ model, system: prompts, messages: written, maxTokens })
}

/** A message, or results in a row, as written. */
interface Written {
  readonly run: readonly Message[]
  readonly values: readonly unknown[]
  /** The index after its last message. */
  readonly end: number
}

function writeAll(messages: readonly Message[], { fit, write }: RunWriter): WrittenRuns {
  const fitted = messages.map(fit)
  const findCall = callFinder(fitted.flat())
  const runs: Written[] = []
  addRuns(runs, messages, 0, fitted, (run) => write(run, findCall))
  return { runs }
}

interface WrittenRuns {
  readonly runs: readonly Written[]
}

/** `fitted` are the messages from `first` on. */
function addRuns(
  runs: Written[],
  messages: readonly Message[],
  first: number,
  fitted: readonly (readonly Message[])[],
  write: (run: readonly Message[]) => readonly unknown[],
): void {
  for (let start = first; start < messages.length; ) {
    let end = start + 1
    if (messages[start]?.role === 'tool') while (messages[end]?.role === 'tool') end += 1
    const run = end === start + 1 ? (fitted[start - first] ?? []) : fitted.slice(start - first, end - first).flat()
    runs.push({ run, values: write(run), end })
    start = end
  }
}

function withOptions({ runs }: WrittenRuns, options: ReadonlyMap<string, ProviderOptions>): readonly unknown[] {
  const written: unknown[] = []
  for (const { run, values } of runs) {
    for (const value of values) written.push(value)
    const last = values.at(-1)
    const told = options.size === 0 ? undefined : run.map(({ id }) => options.get(id)).find((each) => each !== undefined)
    if (told !== undefined && isRecord(last)) written[written.length - 1] = { ...last, providerOptions: told }
  }
  return written
}

type OneList = readonly [messages: readonly Message[]]

/** Handed on from request to request, and changed by the next one. */
interface SharedRuns extends WrittenRuns {
  readonly runs: Written[]
  readonly calls: Map<string, ToolCallPart>
  /** The ids of calls that were asked for and not there. */
  readonly missed: Set<string | null>
  /** Whether two calls have the same id: the next request is then written from its start. */
  readonly hasDoubles: boolean
}

/** Writes only what differs from the request before. */
const writeShared = perChange(function writeRuns(
  [messages]: OneList,
  latest: Earlier<OneList, SharedRuns> | null,
  rules: RequestRules,
): SharedRuns {
  const earlier = latest?.answer.hasDoubles === true ? null : latest
  const { fit, write } = sharedRunWriter(rules)
  const { runs, calls, missed } = earlier?.answer ?? { runs: [], calls: new Map(), missed: new Set<string | null>() }
  const same = earlier === null ? 0 : sameStart(messages, earlier.lists[0])
  const goesOn = messages[same]?.role === 'tool'
  for (let last = runs.at(-1); last !== undefined; last = runs.at(-1)) {
    if (last.end < same || (last.end === same && !(goesOn && messages[same - 1]?.role === 'tool'))) break
    for (const call of callsIn(last.run)) calls.delete(call.callId)
    runs.pop()
  }
  const first = runs.at(-1)?.end ?? 0
  const fitted = messages.slice(first).map(fit)
  let hasDoubles = false
  for (const list of fitted)
    for (const call of callsIn(list)) {
      // It may be the call of a result that was written without it, or with another one.
      if (first > 0 && (calls.has(call.callId) || missed.has(call.callId))) return writeRuns([messages], null, rules)
      hasDoubles ||= calls.has(call.callId)
      calls.set(call.callId, call)
    }
  const findCall: FindCall = (callId) => {
    const call = callId === null ? undefined : calls.get(callId)
    if (call === undefined) missed.add(callId)
    return call
  }
  addRuns(runs, messages, first, fitted, (run) => write(run, findCall))
  return { runs, calls, missed, hasDoubles }
})

function callsIn(run: readonly Message[]): readonly ToolCallPart[] {
  return run.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-call'))
}

interface RunWriter {
  readonly fit: (message: Message) => readonly Message[]
  readonly write: (run: readonly Message[], findCall: FindCall) => readonly unknown[]
}

function createRunWriter(rules: RequestRules): RunWriter {
  return { fit: (message) => fitDialect(message, rules), write: (run, findCall) => writeRun(run, rules, findCall) }
}

const sharedRunWriter = perItem((rules: RequestRules) => rememberRuns(createRunWriter(rules)))()

interface WrittenRun {
  readonly run: readonly Message[]
  readonly calls: readonly (ToolCallPart | undefined)[]
  readonly values: readonly unknown[]
}

function rememberRuns({ fit, write }: RunWriter): RunWriter {
  const written = new WeakMap<Message, WrittenRun>()
  return {
    fit: perItem(fit)(),
    write(run, findCall) {
      const [first] = run
      if (first === undefined) return []
      const calls: WrittenRun['calls'][number][] = []
      for (const { parts } of run) for (const part of parts) if (part.type === 'tool-result') calls.push(findCall(part.callId))
      const known = written.get(first)
      if (known !== undefined && isSame(known.run, run) && isSame(known.calls, calls)) return known.values
      const values = write(run, findCall)
      written.set(first, { run, calls, values })
      return values
    },
  }
}

/** Results come first: nothing may be between a call and its results. */
function writeRun(run: readonly Message[], { dialect }: RequestRules, findCall: FindCall): readonly unknown[] {
  const { sharing, write } = dialect
  const results = run.filter(({ role }) => role === 'tool')
  const written: unknown[] = []
  if (sharing !== null && results.length > 0)
    written.push(sharing.around(results.flatMap((each) => sharing.blocks(each, findCall))))
  if (sharing === null) for (const message of results) written.push(...write(message, findCall))
  for (const message of run) if (message.role !== 'tool') written.push(...write(message, findCall))
  return written
}

/** Gives every call a unique id: some servers reuse ids, which other vendors reject. Expects results right after their calls. */
function uniqueCalls(messages: readonly Message[]): readonly Message[] {
  const ids = new Set<string>()
  let calls = 0
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type !== 'tool-call') continue
      calls += 1
      ids.add(part.callId)
    }
  }
  if (ids.size === calls) return messages
  const counts = new Map<string, number>()
  /** New ids for the results of the latest calls, by the id they name. */
  let renamed = new Map<string, string[]>()
  return messages.map((message) => {
    if (message.role === 'assistant') {
      renamed = new Map()
      return withParts(message, (part) => (part.type === 'tool-call' ? rename(part, ids, counts, renamed) : part))
    }
    if (message.role !== 'tool') return message
    return withParts(message, (part) => {
      const callId = part.type === 'tool-result' && part.callId !== null ? renamed.get(part.callId)?.shift() : undefined
      return part.type !== 'tool-result' || callId === undefined || callId === part.callId ? part : { ...part, callId }
    })
  })
}

function rename(part: ToolCallPart, ids: Set<string>, counts: Map<string, number>, renamed: Map<string, string[]>): ToolCallPart {
  let count = counts.get(part.callId) ?? 0
  let callId = part.callId
  for (; count > 0 && ids.has(callId); count += 1) callId = `call_${handleOf(`${part.callId} ${count}`)}`
  ids.add(callId)
  counts.set(part.callId, Math.max(1, count))
  const waiting = renamed.get(part.callId)
  if (waiting === undefined) renamed.set(part.callId, [callId])
  else waiting.push(callId)
  return callId === part.callId ? part : { ...part, callId }
}

function withParts(message: Message, change: (part: Message['parts'][number]) => Message['parts'][number]): Message {
  const parts = message.parts.map(change)
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
}
