import type { Edit, ReplaceEdit } from '../edit.ts'
import { reasonsOf } from '../engine-words.ts'
import type { Facts } from '../facts.ts'
import { grouped } from '../grouped.ts'
import { rememberGrowth } from '../growing-list.ts'
import { handleOf } from '../hash.ts'
import { callInput, type Message, type Part, resultText, type ToolResultPart, withText } from '../message.ts'
import { partKey } from '../part-key.ts'
import type { ReasonStrings } from '../people.ts'
import type { Policy } from '../policy.ts'
import { resultHandle } from '../recall/transcript.ts'
import { labelText } from '../text/label-text.ts'
import { aboutOf, type PlacedResult, toolResults } from '../tool-results.ts'
import { toolRules } from '../tools.ts'
import { rememberUncut, uncut } from '../truncation/uncut.ts'
import type { EconomyRules } from './economy-rules.ts'
import { isReplacedText } from './shorten-input.ts'
import { createShownLines, type RepeatedRun, type ShownLines } from './shown-lines.ts'
import { withoutNumbers } from './without-numbers.ts'

const skipShownLinesName = 'skip-shown-lines'

/**
 * Shows lines that stand in an earlier result of the same request as one line that says where: files that are read again, tests
 * that are run again. Nothing is lost as long as the earlier result is shown, so that one stays as long as this one.
 */
export function createSkipShownLines(rules: EconomyRules): Policy {
  if (!Number.isFinite(rules.repeatedLines)) return { name: skipShownLinesName, plan: () => [] }
  const repeatsIn = createRepeats(rules)
  const remembered = new WeakMap<
    Repeats,
    { readonly key: string; readonly reasons: ReasonStrings; readonly edit: ReplaceEdit | null }
  >()
  return {
    name: skipShownLinesName,
    plan(messages, facts) {
      const repeats = repeatsIn(messages, facts)
      if (repeats.length === 0) return []
      const showing = createShowing(facts)
      const pins = new Set(facts.pins)
      const reasons = reasonsOf(facts)
      const edits: Edit[] = []
      for (const repeated of repeats) {
        const { result, runs } = repeated
        const shown = runs.every(({ source }) => showing.shows(source))
          ? runs
          : runs.flatMap((run) => shownRun(run, showing) ?? [])
        if (shown.length === 0 || pins.has(result.message.id)) continue
        // Which runs are left out, and for what, is all that can change.
        const key = shown === runs ? 'all' : shown.map(({ from, source }) => `${from} ${source.key}`).join()
        const known = remembered.get(repeated)
        const isKnown = known !== undefined && known.key === key && known.reasons === reasons
        const edit = isKnown ? known.edit : editFor(result, shown, reasons)
        if (!isKnown) remembered.set(repeated, { key, reasons, edit })
        if (edit === null) continue
        showing.leaveOut(result)
        edits.push(edit)
      }
      return edits
    },
  }
}

/** The results and calls whose lines a result leaves out, by message and part. */
export function shownElsewhere(part: ToolResultPart): readonly string[] {
  return references.get(part) ?? noReferences
}

const noReferences: readonly string[] = []
const references = new WeakMap<ToolResultPart, readonly string[]>()

/** Something that shows lines: a result, or a text in the arguments of a call that wrote a file. */
interface LineSource {
  readonly key: string
  readonly part: Part
  /** What it is, in a few words. */
  readonly label: string
  /** By which its text can be had back. */
  readonly handle: string
  /** Whether the lines have the same numbers in what can be had back. */
  readonly isNumbered: boolean
}

interface SourcedRun extends Omit<RepeatedRun, 'source' | 'copies'> {
  readonly source: LineSource
  readonly copies: readonly { readonly source: LineSource; readonly sourceFrom: number }[]
}

interface Repeats {
  readonly result: PlacedResult
  readonly runs: readonly SourcedRun[]
}

interface Reading {
  readonly lines: ShownLines
  readonly sources: LineSource[]
  readonly repeats: Repeats[]
  nextResult: number
}

/** What each result repeats of what stands before it. Worked out once for each. */
function createRepeats(rules: EconomyRules): (messages: readonly Message[], facts: Facts) => readonly Repeats[] {
  // Facts hold a whole conversation, which is not kept for the sake of them.
  const noFacts: Facts = {}
  let current = noFacts
  const read = rememberGrowth({
    start: (): Reading => ({
      lines: createShownLines({ lines: rules.repeatedLines, characters: rules.repeatedCharacters }),
      sources: [],
      repeats: [],
      nextResult: 0,
    }),
    extend(reading, messages, from) {
      const results = toolResults(messages, current)
      for (let index = from; index < messages.length; index += 1) {
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

function addResult({ lines, sources, repeats }: Reading, result: PlacedResult): void {
  const { part, message, partIndex } = result
  // Only text that stands alone.
  if (part.content.type !== 'text' || part.blob !== undefined || part.content.text.length > longestText) return
  const own = part.content.text.split('\n')
  // Of failures nothing is left out, and of what was shown so before nothing more.
  const isWhole = result.isError || hasMarker(part.content.text)
  if (isWhole) lines.addWhole(own)
  const runs = isWhole ? [] : lines.add(own)
  const about = labelText(aboutOf(result).slice(0, 3).join(', '), 60)
  const whole = uncut(part)
  sources.push({
    key: `${message.id}.${partIndex}`,
    part,
    label: `${labelText(result.tool ?? 'tool', 40)}${about === '' ? '' : ` ${about}`}`,
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
  return lines.length === shown.length && withoutNumbers(shown).every((line, index) => line === lines[index])
}

/** What the model wrote to a file itself need not be shown to it again either. */
function addCalls({ lines, sources }: Reading, message: Message, facts: Facts): void {
  for (const [partIndex, part] of message.parts.entries()) {
    if (part.type !== 'tool-call') continue
    const rules = toolRules(part.tool, facts.tools)
    const input = rules === null ? null : callInput(part)
    const kind = input === null ? 'other' : (rules?.kindOf?.(input) ?? rules?.kind)
    if (input === null || (kind !== 'edit' && kind !== 'write')) continue
    const about = labelText((rules?.about?.(input) ?? []).slice(0, 3).join(', '), 60)
    for (const [name, text] of Object.entries(input)) {
      if (typeof text !== 'string' || text.length > longestText || !text.includes('\n') || isReplacedText(name)) continue
      lines.addWhole(text.split('\n'))
      sources.push({
        key: `${message.id}.${partIndex}`,
        part,
        label: `${labelText(part.tool, 40)}${about === '' ? '' : ` ${about}`}`,
        handle: handleOf(text),
        isNumbered: true,
      })
    }
  }
}

/** Longer ones are cut before this, or are files that nobody repeats. */
const longestText = 400_000

/** What sources show, by the edits that stay in force and those that are proposed. */
interface Showing {
  /** Whether a source shows the lines that it does not leave out itself. */
  readonly shows: (source: LineSource) => boolean
  /** Whether it leaves nothing out. */
  readonly showsAll: (source: LineSource) => boolean
  /** Notes that a result leaves something out. */
  readonly leaveOut: (result: PlacedResult) => void
}

function createShowing({ kept = [] }: Facts): Showing {
  const others = new Map<string, ReplaceEdit>()
  const partial = new Set<string>()
  for (const edit of kept) {
    if (edit.kind !== 'replace') continue
    if (edit.policy === skipShownLinesName) partial.add(partKey(edit))
    else others.set(partKey(edit), edit)
  }
  const shows = ({ key, part }: LineSource) => {
    const edit = others.get(key)
    if (edit === undefined) return true
    return edit.with.type === 'tool-result' && part.type === 'tool-result' && resultText(edit.with) === resultText(part)
  }
  return {
    shows,
    showsAll: (source) => !partial.has(source.key) && shows(source),
    leaveOut: ({ message, partIndex }) => partial.add(`${message.id}.${partIndex}`),
  }
}

/** The run with a source that shows its lines: the first place, or a later text that could not name that any more. */
function shownRun(run: SourcedRun, { shows, showsAll }: Showing): SourcedRun | null {
  if (shows(run.source)) return run
  const copy = run.copies.find(({ source }) => showsAll(source))
  return copy === undefined ? null : { ...run, ...copy }
}

function editFor(result: PlacedResult, runs: readonly SourcedRun[], reasons: ReasonStrings): ReplaceEdit | null {
  const { message, part, partIndex } = result
  const lines = resultText(part).split('\n')
  const shown: string[] = []
  let next = 0
  for (const run of runs) {
    for (; next < run.from; next += 1) shown.push(lines[next] as string)
    shown.push(markerOf(run))
    next += run.count
  }
  for (; next < lines.length; next += 1) shown.push(lines[next] as string)
  const text = shown.join('\n')
  if (text.length >= resultText(part).length) return null
  const short = withText(part, text)
  rememberUncut(short, part)
  references.set(short, [...new Set(runs.map(({ source }) => source.key))])
  const skipped = runs.reduce((sum, { count }) => sum + count, 0)
  return {
    id: `${skipShownLinesName}:${message.id}.${partIndex}`,
    policy: skipShownLinesName,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: short,
    why: reasons.economy.shownAbove(grouped(skipped)),
  }
}

function markerOf({ count, source, sourceFrom, sourceCount }: SourcedRun): string {
  const { label, handle, isNumbered } = source
  const often = sourceCount < count ? ' over and over' : ''
  const lines = isNumbered ? `, lines ${sourceFrom + 1}-${sourceFrom + sourceCount}` : ''
  return `[${count}${sign}${often}: ${label}${lines}; recall ${handle}]`
}

const sign = ' lines as shown above'

/** Whether a text was shown like this already, in a view that is read as a log. */
function hasMarker(text: string): boolean {
  return text.includes(sign) && marker.test(text)
}

const marker = /^\[\d{1,7} lines as shown above(?: over and over)?: [^\n]{1,200}; recall [0-9a-f]{12}\]$/m

/** The handles of the texts of which a text says that their lines are shown above. */
export function shownAbove(text: string): readonly string[] {
  if (!text.includes(sign)) return noReferences
  return text.split('\n').flatMap((line) => (marker.test(line) ? [line.slice(-13, -1)] : []))
}
