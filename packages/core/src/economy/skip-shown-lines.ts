import type { Edit, ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { grouped } from '../grouped.ts'
import { rememberGrowth } from '../growing-list.ts'
import { type Message, resultText, type ToolResultPart, withText } from '../message.ts'
import { type ReasonStrings, reasonsOf } from '../people.ts'
import type { Policy } from '../policy.ts'
import { resultHandle } from '../recall/transcript.ts'
import { oneLine } from '../text/one-line.ts'
import { aboutOf, type PlacedResult, toolResults } from '../tool-results.ts'
import { rememberUncut, uncut } from '../truncation/uncut.ts'
import type { EconomyRules } from './economy-rules.ts'
import { createShownLines, type RepeatedRun, type ShownLines } from './shown-lines.ts'

export const skipShownLinesName = 'skip-shown-lines'

/**
 * Shows lines that stand in an earlier result of the same request as one line that says where: files that are read again, tests
 * that are run again. Nothing is lost as long as the earlier result is shown, so that one stays as long as this one.
 */
export function createSkipShownLines(rules: EconomyRules): Policy {
  if (!Number.isFinite(rules.repeatedLines)) return { name: skipShownLinesName, plan: () => [] }
  const repeatsIn = createRepeats(rules)
  const remembered = new WeakMap<
    ToolResultPart,
    { readonly key: string; readonly reasons: ReasonStrings; readonly edit: ReplaceEdit | null }
  >()
  return {
    name: skipShownLinesName,
    plan(messages, facts) {
      const repeats = repeatsIn(messages, facts)
      if (repeats.length === 0) return []
      const isHidden = hiddenBy(facts)
      const pins = new Set(facts.pins)
      const reasons = reasonsOf(facts)
      const edits: Edit[] = []
      for (const { result, runs } of repeats) {
        const shown = runs.filter(({ source }) => !isHidden(source))
        if (shown.length === 0 || pins.has(result.message.id)) continue
        // Which runs are left out is all that can change.
        const key = shown.length === runs.length ? 'all' : shown.map(({ from }) => from).join()
        const known = remembered.get(result.part)
        const isKnown = known !== undefined && known.key === key && known.reasons === reasons
        const edit = isKnown ? known.edit : editFor(result, shown, reasons)
        if (!isKnown) remembered.set(result.part, { key, reasons, edit })
        if (edit !== null) edits.push(edit)
      }
      return edits
    },
  }
}

/** The results whose lines a result leaves out, by message and part. */
export function shownElsewhere(part: ToolResultPart): readonly string[] {
  return references.get(part) ?? noReferences
}

const noReferences: readonly string[] = []
const references = new WeakMap<ToolResultPart, readonly string[]>()

interface SourcedRun extends Omit<RepeatedRun, 'source'> {
  readonly source: PlacedResult
}

interface Repeats {
  readonly result: PlacedResult
  readonly runs: readonly SourcedRun[]
}

/** What each result repeats of those before it. Worked out once for each. */
function createRepeats(rules: EconomyRules): (messages: readonly Message[], facts: Facts) => readonly Repeats[] {
  let current: Facts = {}
  const read = rememberGrowth({
    start: (): { readonly lines: ShownLines; readonly sources: PlacedResult[]; readonly repeats: Repeats[]; next: number } => ({
      lines: createShownLines({ lines: rules.repeatedLines, characters: rules.repeatedCharacters }),
      sources: [],
      repeats: [],
      next: 0,
    }),
    extend(state, messages) {
      const results = toolResults(messages, current)
      for (; state.next < results.length; state.next += 1) {
        const result = results[state.next] as PlacedResult
        const { part } = result
        // Only text that stands alone, and of failures nothing is left out.
        if (part.content.type !== 'text' || part.blob !== undefined || part.content.text.length > longestText) continue
        const runs = state.lines.add(part.content.text.split('\n'))
        state.sources.push(result)
        if (runs.length === 0 || result.isError) continue
        state.repeats.push({
          result,
          runs: runs.map((run) => ({ ...run, source: state.sources[run.source] as PlacedResult })),
        })
      }
    },
    finish: ({ repeats }) => repeats,
  })
  return (messages, facts) => {
    current = facts
    return read(messages)
  }
}

/** Longer ones are cut before this, or are files that nobody repeats. */
const longestText = 400_000

/** Results that are not shown as they stand here because an edit of them stays in force. */
function hiddenBy({ kept = [] }: Facts): (result: PlacedResult) => boolean {
  const others = new Map<string, ReplaceEdit>()
  for (const edit of kept)
    if (edit.kind === 'replace' && edit.policy !== skipShownLinesName) others.set(`${edit.message}.${edit.part}`, edit)
  return ({ message, partIndex, part }) => {
    const edit = others.get(`${message.id}.${partIndex}`)
    return edit !== undefined && !(edit.with.type === 'tool-result' && resultText(edit.with) === resultText(part))
  }
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
  references.set(short, [...new Set(runs.map(({ source }) => `${source.message.id}.${source.partIndex}`))])
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

function markerOf({ count, source, sourceFrom }: SourcedRun): string {
  const about = oneLine(aboutOf(source).slice(0, 3).join(', '), 60)
  const name = `${oneLine(source.tool ?? 'tool', 40)}${about === '' ? '' : ` ${about}`}`
  const whole = uncut(source.part)
  // Of one that is cut, the lines that are shown have other numbers than those that can be had back.
  const lines = whole === source.part ? `, lines ${sourceFrom + 1}-${sourceFrom + count}` : ''
  return `[${count} lines as shown above: ${name}${lines}; recall ${resultHandle(whole)}]`
}
