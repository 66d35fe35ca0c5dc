import { type Edit, partKey, type Reference, type ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { resultText, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { referenceTo } from '../results/references.ts'
import type { PlacedResult } from '../results/tool-results.ts'
import { rememberUncut } from '../results/transcript.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { aboveMarker, withoutNumbers } from '../text/shown-above.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { createResultRepeats, type LineSource, type ResultRepeats, type SourcedRun } from './economy/result-repeats.ts'

const skipShownLinesName = 'skip-shown-lines'

/**
 * Shows lines that stand in an earlier result of the same request as one line that says where: files that are read again, tests
 * that are run again. Nothing is lost as long as the earlier result is shown, so that one stays as long as this one.
 */
export function createSkipShownLines(rules: EconomyRules): Policy {
  if (!Number.isFinite(rules.repeatedLines)) return { name: skipShownLinesName, plan: () => [] }
  const repeatsIn = createResultRepeats(rules)
  const remembered = new WeakMap<
    ResultRepeats,
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
  const plain = withoutNumbers(lines)
  const shown: string[] = []
  const refers: Reference[] = []
  let next = 0
  for (const run of runs) {
    for (; next < run.from; next += 1) shown.push(lines[next] as string)
    refers.push(referenceTo(shown.length, run.source.key, run.sourceFrom, plain.slice(run.from, run.from + run.sourceCount)))
    shown.push(aboveMarker(run))
    next += run.count
  }
  for (; next < lines.length; next += 1) shown.push(lines[next] as string)
  const text = shown.join('\n')
  if (text.length >= resultText(part).length) return null
  const short = withShownText(part, text)
  rememberUncut(short, part)
  const skipped = runs.reduce((sum, { count }) => sum + count, 0)
  return {
    id: `${skipShownLinesName}:${message.id}.${partIndex}`,
    policy: skipShownLinesName,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: short,
    refers,
    why: reasons.economy.shownAbove(grouped(skipped)),
  }
}
