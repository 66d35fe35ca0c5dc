import { rememberGrowth } from '../../derive.ts'
import { configOf, type Facts, type ToolRules } from '../../facts.ts'
import { callInput, type Message, type Part, resultText } from '../../message.ts'
import { aboutOf, type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { toolRules } from '../../results/tools.ts'
import { resultHandle } from '../../results/transcript.ts'
import { uncut } from '../../results/uncut.ts'
import { hasAboveMarker } from '../../text/above-marker.ts'
import { handleOf } from '../../text/hash.ts'
import { labelText } from '../../text/label-text.ts'
import { withoutNumbers } from '../../text/without-numbers.ts'
import type { EconomyRules } from './economy-rules.ts'
import { isReplacedText } from './shorten-input.ts'
import { createShownLines, type RepeatedRun, type ShownLines } from './shown-lines.ts'

/** Something that shows lines: a result, or a text in the arguments of a call that wrote a file. */
export interface LineSource {
  readonly key: string
  readonly part: Part
  /** What it is, in a few words. */
  readonly label: string
  /** By which its text can be had back. */
  readonly handle: string
  /** Whether the lines have the same numbers in what can be had back. */
  readonly isNumbered: boolean
}

/** A run of lines of a result that are shown before it, with what shows them. */
export interface SourcedRun extends Omit<RepeatedRun, 'source' | 'copies'> {
  readonly source: LineSource
  readonly copies: readonly { readonly source: LineSource; readonly sourceFrom: number }[]
}

/** A result, and what it repeats of what stands before it. */
export interface ResultRepeats {
  readonly result: PlacedResult
  readonly runs: readonly SourcedRun[]
}

/** Finds what each result of a conversation repeats. Worked out once for each, and again where the tools mean something else. */
export function createResultRepeats(rules: EconomyRules): Reader {
  const readers = new WeakMap<readonly ToolRules[], { readonly strict: Reader; readonly lenient: Reader }>()
  return (messages, facts) => {
    const { tools = noRows } = facts
    let both = readers.get(tools)
    if (both === undefined) {
      both = { strict: createReader(rules), lenient: createReader(rules) }
      readers.set(tools, both)
    }
    const read = configOf(facts).outdated_commands.stderr_is_error ? both.strict : both.lenient
    return read(messages, facts)
  }
}

const noRows: readonly ToolRules[] = []

type Reader = (messages: readonly Message[], facts: Facts) => readonly ResultRepeats[]

interface Reading {
  lines: ShownLines
  sources: LineSource[]
  repeats: ResultRepeats[]
  nextResult: number
  /** The numbers of the results whose call had not come. */
  uncalled: number[]
}

function createReader(rules: EconomyRules): Reader {
  // Facts hold a whole conversation, which is not kept for the sake of them.
  const noFacts: Facts = {}
  let current = noFacts
  const start = (): Reading => ({
    lines: createShownLines({ lines: rules.repeatedLines, characters: rules.repeatedCharacters }),
    sources: [],
    repeats: [],
    nextResult: 0,
    uncalled: [],
  })
  const read = rememberGrowth({
    start,
    extend(reading, messages, from) {
      const results = toolResults(messages, current)
      // A call that comes after its result says what that is: perhaps a failure, and of another tool.
      const isOutdated = reading.uncalled.some((at) => (results[at] as PlacedResult).call !== null)
      if (isOutdated) Object.assign(reading, start())
      for (let index = isOutdated ? 0 : from; index < messages.length; index += 1) {
        const message = messages[index] as Message
        if (message.role === 'assistant') addCalls(reading, message, current)
        for (; results[reading.nextResult]?.index === index; reading.nextResult += 1)
          addResult(reading, results[reading.nextResult] as PlacedResult)
      }
    },
    finish: ({ repeats }) => repeats,
  })
  return (messages, facts) => {
    current = facts
    const repeats = read(messages)
    current = noFacts
    return repeats
  }
}

function addResult({ lines, sources, repeats, nextResult, uncalled }: Reading, result: PlacedResult): void {
  const { part, message, partIndex } = result
  if (result.call === null) uncalled.push(nextResult)
  const text = resultText(part)
  if (part.blob !== undefined || isTooLong(text)) return
  const own = text.split('\n')
  // Of failures nothing is left out, and of what was shown so before nothing more.
  const isWhole = result.isError || hasAboveMarker(text)
  if (isWhole) lines.addWhole(own)
  const runs = isWhole ? [] : lines.add(own)
  const whole = uncut(part)
  sources.push({
    key: `${message.id}.${partIndex}`,
    part,
    label: labelOf(result.tool ?? 'tool', aboutOf(result)),
    handle: resultHandle(whole),
    // Of one that is cut, the lines that are shown have other numbers than those that can be had back.
    isNumbered: whole === part || isAligned(resultText(whole), own),
  })
  if (runs.length === 0) return
  const sourced = <Place extends { readonly source: number }>(place: Place) => ({
    ...place,
    source: sources[place.source] as LineSource,
  })
  repeats.push({ result, runs: runs.map((run) => ({ ...sourced(run), copies: run.copies.map(sourced) })) })
}

function isAligned(whole: string, shown: readonly string[]): boolean {
  const lines = withoutNumbers(whole.split('\n'))
  return withoutNumbers(shown).every((line, index) => line === lines[index])
}

/** What the model wrote to a file itself need not be shown to it again either. */
function addCalls({ lines, sources }: Reading, message: Message, facts: Facts): void {
  for (const [partIndex, part] of message.parts.entries()) {
    if (part.type !== 'tool-call') continue
    const rules = toolRules(part.tool, facts.tools)
    if (rules === null) continue
    const input = callInput(part)
    if (input === null) continue
    const kind = rules.kindOf?.(input) ?? rules.kind
    if (kind !== 'edit' && kind !== 'write') continue
    for (const [name, text] of Object.entries(input)) {
      if (typeof text !== 'string' || isTooLong(text) || !text.includes('\n') || isReplacedText(name)) continue
      lines.addWhole(text.split('\n'))
      sources.push({
        key: `${message.id}.${partIndex}`,
        part,
        label: labelOf(part.tool, rules.about?.(input) ?? []),
        handle: handleOf(text),
        isNumbered: true,
      })
    }
  }
}

function labelOf(tool: string, about: readonly string[]): string {
  const words = labelText(about.slice(0, 3).join(', '), 60)
  return `${labelText(tool, 40)}${words === '' ? '' : ` ${words}`}`
}

/** Longer ones are cut before this, or are files that nobody repeats. */
const longestText = 400_000

function isTooLong(text: string): boolean {
  return text.length > longestText
}
