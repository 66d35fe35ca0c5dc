import { type Earlier, perChange, perList, sameStart, unchanging } from '../../derive.ts'
import type { Facts } from '../../facts.ts'
import { callInput, type Message, type Part, resultText } from '../../message.ts'
import { aboutOf, firstAt, type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { toolRules } from '../../results/tools.ts'
import { resultHandle } from '../../results/transcript.ts'
import { handleOf } from '../../text/hash.ts'
import { labelText } from '../../text/labels.ts'
import { hasAboveMarker, withoutNumbers } from '../../text/shown-above.ts'
import type { EconomyRules } from './economy-rules.ts'
import { isReplacedText } from './shorten-input.ts'

/** Something that shows lines: a result, or a text in the arguments of a call that wrote a file. */
export interface LineSource {
  readonly key: string
  readonly part: Part
  readonly label: string
  readonly handle: string
  /** Whether the lines have the same numbers in the recalled text. */
  readonly isNumbered: boolean
}

export interface SourcedRun extends Omit<RepeatedRun, 'source' | 'copies'> {
  readonly source: LineSource
  readonly copies: readonly { readonly source: LineSource; readonly sourceFrom: number }[]
}

export interface ResultRepeats {
  readonly result: PlacedResult
  readonly runs: readonly SourcedRun[]
}

export function createResultRepeats({
  repeatedLines,
  repeatedCharacters,
}: EconomyRules): (messages: readonly Message[], facts: Facts) => readonly ResultRepeats[] {
  const read = perList({
    start: (_tools: Facts['tools']): Reading => ({
      lines: createShownLines({ lines: repeatedLines, characters: repeatedCharacters }),
      sources: [],
      repeats: [],
    }),
    add(reading, shown: Message | PlacedResult, _index, tools) {
      if ('role' in shown) addCalls(reading, shown, tools)
      else addResult(reading, shown)
    },
    finish: ({ repeats }): readonly ResultRepeats[] => repeats,
  })
  return (messages, facts) => read(facts.tools)(showingLines(messages, toolResults(messages, facts)).items)
}

type MessagesAndResults = readonly [messages: readonly Message[], results: readonly PlacedResult[]]

interface Showing {
  readonly items: readonly (Message | PlacedResult)[]
  /** How many of them come before each message. */
  readonly starts: Int32Array
}

/** What shows lines: the model's messages and the results, in order. */
const showingLines = perChange(function whatShowsLines(
  [messages, results]: MessagesAndResults,
  earlier: Earlier<MessagesAndResults, Showing> | null,
): Showing {
  const [messagesBefore, resultsBefore] = earlier?.lists ?? [[], []]
  const same = sameStart(results, resultsBefore)
  // Before the first message or result that is another one.
  const from = Math.min(sameStart(messages, messagesBefore), resultsBefore[same]?.index ?? messages.length)
  const starts = new Int32Array(messages.length + 1)
  starts.set(earlier?.answer.starts.subarray(0, from + 1) ?? [])
  const items = earlier?.answer.items.slice(0, starts[from]) ?? []
  let next = firstAt(results, from)
  for (let index = from; index < messages.length; index += 1) {
    starts[index] = items.length
    const message = messages[index] as Message
    if (message.role === 'assistant') items.push(message)
    for (; results[next]?.index === index; next += 1) items.push(results[next] as PlacedResult)
  }
  starts[messages.length] = items.length
  return { items: unchanging(items, 'own'), starts }
})()

interface Reading {
  readonly lines: ShownLines
  readonly sources: LineSource[]
  readonly repeats: ResultRepeats[]
}

function addResult({ lines, sources, repeats }: Reading, result: PlacedResult): void {
  const { part, whole, message, partIndex } = result
  const text = resultText(part)
  if (part.blob !== undefined || isTooLong(text)) return
  const own = text.split('\n')
  // Failures, and results that already omit lines, are shown in full.
  const isWhole = result.isError || hasAboveMarker(text)
  if (isWhole) lines.addWhole(own)
  const runs = isWhole ? [] : lines.add(own)
  sources.push({
    key: `${message.id}.${partIndex}`,
    part,
    label: labelOf(result.tool ?? 'tool', aboutOf(result)),
    handle: resultHandle(whole),
    // The shown lines of a cut result have other numbers than those that can be recalled.
    isNumbered: whole === part || isAligned(resultText(whole), own),
  })
  if (runs.length === 0) return
  const sourced = <Run extends { readonly source: number }>(place: Run) => ({
    ...place,
    source: sources[place.source] as LineSource,
  })
  repeats.push({ result, runs: runs.map((run) => ({ ...sourced(run), copies: run.copies.map(sourced) })) })
}

function isAligned(whole: string, shown: readonly string[]): boolean {
  const lines = withoutNumbers(whole.split('\n'))
  return withoutNumbers(shown).every((line, index) => line === lines[index])
}

/** The model need not be shown again what it wrote to a file itself. */
function addCalls({ lines, sources }: Reading, message: Message, tools: Facts['tools']): void {
  for (const [partIndex, part] of message.parts.entries()) {
    if (part.type !== 'tool-call') continue
    const rules = toolRules(part.tool, tools)
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

/** Longer ones are cut before this, or are files that are not repeated. */
const maxTextLength = 400_000

function isTooLong(text: string): boolean {
  return text.length > maxTextLength
}

/** A run of lines that an earlier text, or the same one further up, already shows. Lines are counted from 0. */
export interface RepeatedRun {
  readonly from: number
  readonly count: number
  /** The number of the text that has them. */
  readonly source: number
  readonly sourceFrom: number
  /** How many lines the source has: fewer than `count` if they repeat. */
  readonly sourceCount: number
  /** Texts that omit the same lines, latest first: they may show them if the source is no longer shown. */
  readonly copies: readonly Copy[]
}

export interface Copy {
  readonly source: number
  readonly sourceFrom: number
}

/** Minimum lines and characters of a repeated run to omit it. */
export interface RepeatLimits {
  readonly lines: number
  readonly characters: number
}

interface ShownLines {
  /** Finds the runs of lines in a text that are already shown, and adds the other lines. */
  readonly add: (lines: readonly string[]) => readonly RepeatedRun[]
  /** Adds a text that is shown in full, even if it repeats lines. */
  readonly addWhole: (lines: readonly string[]) => void
}

export function createShownLines(limits: RepeatLimits): ShownLines {
  const texts: (string | null)[][] = []
  const places = new Map<string, { readonly source: number; readonly line: number }[]>()
  const leftOut = new Map<number, LeftOut[]>()
  return {
    add: (given) => read(given, 'left out'),
    addWhole(given) {
      read(given, 'shown')
    },
  }

  function read(given: readonly string[], repeated: 'shown' | 'left out'): readonly RepeatedRun[] {
    const lines: (string | null)[] = withoutNumbers(given)
    const source = texts.length
    texts.push(lines)
    const runs: RepeatedRun[] = []
    for (let from = 0; from < lines.length; ) {
      const run = runAt(lines, source, from)
      if (run === null) {
        remember(lines[from] as string, source, from)
        from += 1
      } else {
        runs.push(run)
        // These lines are shown elsewhere, so no reference may point here.
        if (repeated === 'left out') {
          lines.fill(null, from, from + run.count)
          leaveOut(run, source)
        }
        from += run.count
      }
    }
    return runs
  }

  /** At most one place continues for long enough: a later one would have been omitted for the earlier. */
  function runAt(lines: readonly (string | null)[], own: number, from: number): RepeatedRun | null {
    for (const { source, line } of places.get(lines[from] as string) ?? []) {
      const earlier = texts[source] as readonly (string | null)[]
      let count = 0
      let characters = 0
      while (from + count < lines.length && lines[from + count] === earlier[line + count]) {
        characters += (lines[from + count] as string).length
        count += 1
      }
      if (count < limits.lines || characters < limits.characters) continue
      // Repeating lines overlap themselves; only those before them are shown.
      const sourceCount = source === own ? Math.min(count, from - line) : count
      return { from, count, source, sourceFrom: line, sourceCount, copies: copiesOf(source, line, count) }
    }
    return null
  }

  function copiesOf(source: number, sourceFrom: number, count: number): readonly Copy[] {
    const known = leftOut.get(source) ?? []
    return known.flatMap((one) =>
      one.sourceFrom <= sourceFrom && one.sourceFrom + one.count >= sourceFrom + count
        ? [{ source: one.text, sourceFrom: one.from + sourceFrom - one.sourceFrom }]
        : [],
    )
  }

  function leaveOut({ from, count, source, sourceFrom }: RepeatedRun, text: number): void {
    if (source === text) return
    const known = leftOut.get(source) ?? []
    leftOut.set(source, [{ text, from, count, sourceFrom }, ...known.slice(0, maxCopies - 1)])
  }

  function remember(line: string, source: number, at: number): void {
    if (line.trim().length < minLineLength) return
    const known = places.get(line)
    if (known === undefined) places.set(line, [{ source, line: at }])
    // The latest places are the likeliest to continue alike.
    else {
      if (known.length >= maxPlaces) known.shift()
      known.push({ source, line: at })
    }
  }
}

interface LeftOut {
  readonly text: number
  readonly from: number
  readonly count: number
  readonly sourceFrom: number
}

/** Braces and blanks are everywhere; a run may include them but not start with them. */
const minLineLength = 4
const maxPlaces = 4
const maxCopies = 16
