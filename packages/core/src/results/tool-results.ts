import { type Earlier, perChange, perList, perPair, sameStart, unchanging } from '../derive.ts'
import { createLocator } from '../edit.ts'
import { configOf, type Facts, type ToolKind, type ToolRules } from '../facts.ts'
import {
  callInput,
  isRecord,
  type Message,
  type Part,
  resultData,
  resultText,
  type ToolCallPart,
  type ToolResultPart,
} from '../message.ts'
import { streamsOf } from './streams.ts'
import { toolRules } from './tools.ts'

/** A tool result in the conversation, with its call and the table row of its tool. */
export interface PlacedResult {
  readonly index: number
  readonly message: Message
  readonly partIndex: number
  readonly part: ToolResultPart
  /** The result before policies cut it: its handle is the one to name. */
  readonly whole: ToolResultPart
  readonly call: ToolCallPart | null
  readonly tool: string | null
  readonly rules: ToolRules | null
  readonly kind: ToolKind
  readonly isError: boolean
}

/**
 * All tool results of a conversation in order. The call is the nearest one of its id before the result, else the first one after it. A result whose
 * tool has no name is judged by its text.
 */
export function toolResults(messages: readonly Message[], facts: Facts): readonly PlacedResult[] {
  return resultsIn(facts, messages, messages.length)
}

/** The paths, commands or patterns of the call behind a result. */
export function aboutOf(result: Pick<PlacedResult, 'call' | 'rules'>): readonly string[] {
  const input = result.call === null ? null : callInput(result.call)
  return input === null ? [] : (result.rules?.about?.(input) ?? [])
}

// The policies of one request share its facts. The next request has new facts, so a list that its owner changed is read again.
const resultsIn = perPair(function resultsOfRequest(
  facts: Facts,
  messages: readonly Message[],
  _length: number,
): readonly PlacedResult[] {
  const results = placeAll(facts.tools ?? noRows, configOf(facts).outdated_commands.stderr_is_error)(messages)
  return facts.uncut === undefined ? results : withOriginals(facts.uncut, results).results
})

type UncutAndResults = readonly [uncut: readonly Message[], results: readonly PlacedResult[]]

const withOriginals = perChange(function addOriginals(
  [uncut, results]: UncutAndResults,
  earlier: Earlier<UncutAndResults, { readonly results: readonly PlacedResult[] }> | null,
): { readonly results: readonly PlacedResult[] } {
  const [uncutBefore, resultsBefore] = earlier?.lists ?? [[], []]
  const before = earlier?.answer.results ?? []
  const known = firstAt(results, sameStart(uncut, uncutBefore))
  const same = Math.min(known, sameStart(results, resultsBefore))
  const locate = createLocator(uncut)
  const whole = before.slice(0, same).concat(results.slice(same))
  for (let at = same; at < results.length; at += 1) {
    const result = results[at] as PlacedResult
    if (at < known && result === resultsBefore[at]) whole[at] = before[at] as PlacedResult
    else if (uncut[result.index] !== result.message)
      whole[at] = withWhole(result, wholeOf(result, uncut[locate(result.message.id, result.index)]))
  }
  return { results: unchanging(whole, 'own') }
})()

function wholeOf({ partIndex, part }: PlacedResult, uncut: Message | undefined): ToolResultPart {
  const whole = uncut?.parts[partIndex]
  return whole?.type === 'tool-result' && whole.callId === part.callId ? whole : part
}

const withWhole = perPair((result: PlacedResult, whole: ToolResultPart) =>
  whole === result.part ? result : { ...result, whole },
)

const noRows: readonly ToolRules[] = []

export function firstAt(results: readonly PlacedResult[], index: number): number {
  let low = 0
  let high = results.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((results[middle]?.index ?? 0) < index) low = middle + 1
    else high = middle
  }
  return low
}

interface Placing {
  readonly calls: Map<string, ToolCallPart>
  readonly results: PlacedResult[]
  /** Results whose call has not come yet, as in a reversed list. */
  readonly early: Map<string, number[]>
}

const placeAll = perList({
  start: (_tools: readonly ToolRules[], _stderrIsError: boolean): Placing => ({
    calls: new Map(),
    results: [],
    early: new Map(),
  }),
  add({ calls, results, early }, message: Message, index, tools, stderrIsError) {
    for (let partIndex = 0; partIndex < message.parts.length; partIndex += 1) {
      const part = message.parts[partIndex] as Part
      if (part.type === 'tool-call' && message.role === 'assistant') {
        calls.set(part.callId, part)
        for (const at of early.get(part.callId) ?? []) {
          const { part: answer, ...was } = results[at] as PlacedResult
          results[at] = place(answer, was.message, was.index, was.partIndex, part, tools, stderrIsError)
        }
        early.delete(part.callId)
      }
      if (part.type === 'tool-result' && message.role === 'tool') {
        const { callId } = part
        const call = callId === null ? null : (calls.get(callId) ?? null)
        if (call === null && callId !== null) {
          const waiting = early.get(callId)
          if (waiting === undefined) early.set(callId, [results.length])
          else waiting.push(results.length)
        }
        results.push(place(part, message, index, partIndex, call, tools, stderrIsError))
      }
    }
  },
  change({ results }, index, was, is, tools, stderrIsError) {
    if (!answersTheSame(was, is)) return asksTheSame(was, is)
    for (let at = firstAt(results, index); results[at]?.index === index; at += 1) {
      const { partIndex, call } = results[at] as PlacedResult
      results[at] = place(is.parts[partIndex] as ToolResultPart, is, index, partIndex, call, tools, stderrIsError)
    }
    return true
  },
  finish: ({ results }) => unchanging(results),
})

function answersTheSame(was: Message, is: Message): boolean {
  if (was.role !== 'tool' || is.role !== 'tool' || was.parts.length !== is.parts.length) return false
  const answered = (part: Part | undefined) => (part?.type === 'tool-result' ? part.callId : undefined)
  return was.parts.every((part, index) => answered(part) === answered(is.parts[index]))
}

function asksTheSame(was: Message, is: Message): boolean {
  if (was.role !== 'assistant' || is.role !== 'assistant' || was.parts.length !== is.parts.length) return false
  const isCall = (part: Part | undefined) => part?.type === 'tool-call'
  return was.parts.every((part, index) => part === is.parts[index] || (!isCall(part) && !isCall(is.parts[index])))
}

const place = perPair(
  (
    part: ToolResultPart,
    message: Message,
    index: number,
    partIndex: number,
    call: ToolCallPart | null,
    tools: readonly ToolRules[],
    stderrIsError: boolean,
  ): PlacedResult => {
    const tool = call?.tool ?? part.tool
    const rules = tool === null ? null : toolRules(tool, tools)
    const kind = tool === null ? kindByText(resultText(part)) : kindByRules(rules, call)
    const hasFailed = isError(part, { kind, rules, stderrIsError })
    return { index, message, partIndex, part, whole: part, call, tool, rules, kind, isError: hasFailed }
  },
)

function kindByRules(rules: ToolRules | null, call: ToolCallPart | null): ToolKind {
  if (rules?.kindOf === undefined || call === null) return rules?.kind ?? 'other'
  const input = callInput(call)
  return input === null ? rules.kind : rules.kindOf(input)
}

function kindByText(text: string): ToolKind {
  if (looksLikeCommand(text)) return 'terminal'
  if (text.startsWith('📄') || /^\s*\d+→/.test(text)) return 'file-read'
  return 'other'
}

interface ErrorContext {
  readonly kind: ToolKind
  readonly rules: ToolRules | null
  /** Whether anything on stderr makes a command a failure. */
  readonly stderrIsError: boolean
}

/**
 * Whether a result reports a failure, in every form in use: the API format's flag, `messageStatus`, an `Error:` prefix, `success: false`, `status:
 * "error"`, and for commands stderr, exit code, signal and time-out.
 */
export function isError(part: ToolResultPart, context: ErrorContext): boolean {
  if (part.isError === true || part.status === 'error') return true
  const text = resultText(part)
  if (/^(?:\s|\u001b\[[\d;]*m){0,50}(?:Error:|<tool_use_error>)/.test(text.slice(0, 500))) return true
  if (context.kind === 'terminal' && context.stderrIsError && (streamsOf(part)?.stderr ?? '') !== '') return true
  const value = resultData(part)
  if (value !== undefined) {
    if (saysFailed(value)) return true
    return context.kind === 'terminal' && isRecord(value) && commandFailed(value, context.stderrIsError)
  }
  if (context.kind !== 'terminal') return false
  return looksLikeCommand(text) ? probeCutJson(text, context.stderrIsError) : exitCodeFails(text, context.rules)
}

function saysFailed(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && 'toolCallId' in item && saysFailed(item))
  if (!isRecord(value)) return false
  if (value['success'] === false || value['isError'] === true || value['is_error'] === true) return true
  return value['status'] === 'error' || value['status'] === 'failed'
}

function commandFailed(value: Readonly<Record<string, unknown>>, stderrIsError: boolean): boolean {
  if (stderrIsError && typeof value['stderr'] === 'string' && value['stderr'].length > 0) return true
  if (value['timedOut'] === true || value['timed_out'] === true || value['timeout'] === true || value['interrupted'] === true)
    return true
  if (typeof value['signal'] === 'string' && value['signal'] !== '') return true
  const code = exitCodeOf(value) ?? (isRecord(value['metadata']) ? exitCodeOf(value['metadata']) : undefined)
  return code !== undefined && code !== 0
}

function exitCodeOf(value: Readonly<Record<string, unknown>>): number | undefined {
  for (const key of ['exitCode', 'exit_code', 'returncode', 'exit']) {
    const code = value[key]
    if (typeof code === 'number') return code
    if (typeof code === 'string' && /^-?\d+$/.test(code)) return Number(code)
  }
  return undefined
}

function looksLikeCommand(text: string): boolean {
  return text.includes('"stdout":') || text.includes('"stderr":') || text.includes('"exitCode":')
}

function probeCutJson(text: string, stderrIsError: boolean): boolean {
  if (stderrIsError && /"stderr":\s*"[^"]/.test(text)) return true
  if (/"(?:timedOut|timed_out|interrupted)":\s*true/.test(text)) return true
  const code = /"(?:exitCode|exit_code)":\s*"?(-?\d+)/.exec(text)?.[1]
  return code !== undefined && Number(code) !== 0
}

/**
 * Agents put the code at the top or bottom; what a command printed in between is not its own. One nonzero code is enough: keeping a success in full
 * costs little, losing a failure costs much.
 */
function exitCodeFails(text: string, rules: ToolRules | null): boolean {
  return exitCodesIn(text, rules).some((code) => code !== 0)
}

function exitCodesIn(text: string, rules: ToolRules | null): readonly number[] {
  const pattern = rules?.exitCode
  if (pattern === undefined) return []
  const everywhere = pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`)
  const ends = text.length > 800 ? [text.slice(0, 400), text.slice(-400)] : [text]
  return ends.flatMap((end) => Array.from(end.matchAll(everywhere), (match) => Number(match[1])))
}

/** The exit code of a command, from wherever its tool puts it; null if it does not say. */
export function exitCodeIn(part: ToolResultPart, rules: ToolRules | null): number | null {
  const value = resultData(part)
  const said = [part.metadata, value, isRecord(value) ? value['metadata'] : null]
  for (const one of said) {
    const code = isRecord(one) ? exitCodeOf(one) : undefined
    if (code !== undefined) return code
  }
  const codes = value === undefined ? exitCodesIn(resultText(part), rules) : []
  return codes.find((code) => code !== 0) ?? codes[0] ?? null
}
