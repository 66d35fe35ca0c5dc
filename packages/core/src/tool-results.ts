import { configOf, type Facts } from './facts.ts'
import { rememberGrowth } from './growing-list.ts'
import { isError } from './is-error.ts'
import { callInput, type Message, resultText, type ToolCallPart, type ToolResultPart } from './message.ts'
import { type ToolKind, type ToolRules, toolRules } from './tools.ts'

/** A tool result where it stands in the conversation, with the call it answers and what the table knows of its tool. */
export interface PlacedResult {
  readonly index: number
  readonly message: Message
  readonly partIndex: number
  readonly part: ToolResultPart
  readonly call: ToolCallPart | null
  readonly tool: string | null
  readonly rules: ToolRules | null
  readonly kind: ToolKind
  readonly isError: boolean
}

/**
 * All tool results of a conversation in order. A call is found by its id, the nearest one before the result. The name of the
 * tool wins where it is known; only a result that nobody can name is judged by what its text looks like.
 */
export function toolResults(messages: readonly Message[], facts: Facts): readonly PlacedResult[] {
  const stderrIsError = configOf(facts).outdated_commands.stderr_is_error
  const known = lists.get(messages)
  if (known !== undefined && known.tools === facts.tools && known.stderrIsError === stderrIsError) return known.results
  const results = readerFor(facts.tools, stderrIsError)(messages)
  lists.set(messages, { tools: facts.tools, stderrIsError, results })
  return results
}

/** The tool behind a result part that `toolResults` has placed before. */
export function toolOf(part: ToolResultPart): string | null {
  return part.tool ?? placed.get(part)?.tool ?? null
}

/** The paths, commands or patterns that the call behind a result is about. */
export function aboutOf(result: PlacedResult): readonly string[] {
  const input = result.call === null ? null : callInput(result.call)
  return input === null ? [] : (result.rules?.about?.(input) ?? [])
}

// The policies of one request ask about the same list.
const lists = new WeakMap<
  readonly Message[],
  { readonly tools: Facts['tools']; readonly stderrIsError: boolean; readonly results: readonly PlacedResult[] }
>()
const placed = new WeakMap<ToolResultPart, PlacedResult>()

type Reader = (messages: readonly Message[]) => readonly PlacedResult[]
const readers = new WeakMap<readonly ToolRules[], { readonly strict: Reader; readonly lenient: Reader }>()
const noRows: readonly ToolRules[] = []

/** One reader for each tool table and meaning of stderr, so that what one remembers is never mixed with another's. */
function readerFor(tools: readonly ToolRules[] = noRows, stderrIsError: boolean): Reader {
  let both = readers.get(tools)
  if (both === undefined) {
    both = { strict: createReader(tools, true), lenient: createReader(tools, false) }
    readers.set(tools, both)
  }
  return stderrIsError ? both.strict : both.lenient
}

function createReader(tools: readonly ToolRules[], stderrIsError: boolean): Reader {
  return rememberGrowth({
    start: () => ({ calls: new Map<string, ToolCallPart>(), results: [] as PlacedResult[] }),
    extend({ calls, results }, messages, from) {
      for (let index = from; index < messages.length; index += 1) {
        const message = messages[index] as Message
        if (message.role === 'assistant') {
          for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part)
        } else if (message.role === 'tool') {
          for (const [partIndex, part] of message.parts.entries()) {
            if (part.type !== 'tool-result') continue
            const call = part.callId === null ? null : (calls.get(part.callId) ?? null)
            results.push(place({ index, message, partIndex, part, call }, tools, stderrIsError))
          }
        }
      }
    },
    finish: ({ results }) => results.slice(),
  })
}

function place(
  where: Pick<PlacedResult, 'index' | 'message' | 'partIndex' | 'part' | 'call'>,
  tools: readonly ToolRules[],
  stderrIsError: boolean,
): PlacedResult {
  const { part, call } = where
  const tool = call?.tool ?? part.tool
  const rules = tool === null ? null : toolRules(tool, tools)
  const kind = tool === null ? kindByText(resultText(part)) : kindByRules(rules, call)
  const result: PlacedResult = { ...where, tool, rules, kind, isError: isError(part, { kind, rules, stderrIsError }) }
  placed.set(part, result)
  return result
}

function kindByRules(rules: ToolRules | null, call: ToolCallPart | null): ToolKind {
  if (rules === null) return 'other'
  const input = rules.kindOf === undefined || call === null ? null : callInput(call)
  return input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
}

function kindByText(text: string): ToolKind {
  if (text.includes('"stdout":') || text.includes('"stderr":') || text.includes('"exitCode":')) return 'terminal'
  if (text.startsWith('📄') || /^\s*\d+→/.test(text)) return 'file-read'
  return 'other'
}
