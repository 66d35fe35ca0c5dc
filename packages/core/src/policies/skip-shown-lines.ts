import { perPair } from '../derive.ts'
import { type Edit, partKey, type Reference, type ReplaceEdit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import { resultText, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { referenceTo } from '../results/references.ts'
import type { PlacedResult } from '../results/tool-results.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { aboveMarker, withoutNumbers } from '../text/shown-above.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { createResultRepeats, type LineSource, type ResultRepeats, type SourcedRun } from './economy/result-repeats.ts'

const skipShownLinesName = 'skip-shown-lines'

/**
 * Shows lines that an earlier result of the same request has as one line that says where: files read again, tests run again. The earlier result stays
 * as long as this one, so nothing is lost.
 */
export function createSkipShownLines(rules: EconomyRules): Policy {
  if (!Number.isFinite(rules.repeatedLines)) return { name: skipShownLinesName, plan: () => [] }
  const repeatsIn = createResultRepeats(rules)
  return {
    name: skipShownLinesName,
    cuts: true,
    plan(messages, facts) {
      const repeats = repeatsIn(messages, facts)
      if (repeats.length === 0) return []
      const showing = createShowing(facts)
      const pins = new Set(facts.pins)
      const reasons = reasonsOf(facts)
      const edits: Edit[] = []
      for (const repeated of repeats) {
        const { result, runs } = repeated
        if (pins.has(result.message.id)) continue
        const isAll = runs.every(({ source }) => showing.shows(source))
        const edit = editFor(repeated, isAll ? null : runs.map((run) => chosenSource(run, showing)).join(), reasons)
        if (edit === null) continue
        showing.leaveOut(result)
        edits.push(edit)
      }
      return edits
    },
  }
}

interface Showing {
  /** Whether a source shows the lines that it does not omit itself. */
  readonly shows: (source: LineSource) => boolean
  /** Whether it omits nothing. */
  readonly showsAll: (source: LineSource) => boolean
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

/** Which source of a run shows its lines: 0 for the first place, 1 and up for later copies, -1 for none. */
function chosenSource({ source, copies }: SourcedRun, { shows, showsAll }: Showing): number {
  return shows(source) ? 0 : copies.findIndex((copy) => showsAll(copy.source)) + 1 || -1
}

/** The edit that omits runs; `sources` has the chosen source of each run, and null means the first place of all. */
const editFor = perPair(({ result, runs }: ResultRepeats, sources: string | null, reasons: ReasonStrings): ReplaceEdit | null => {
  const chosen = sources === null ? runs : sources.split(',').flatMap((at, index) => runFrom(runs[index], Number(at)))
  const { message, part, partIndex } = result
  const lines = resultText(part).split('\n')
  const plain = withoutNumbers(lines)
  const shown: string[] = []
  const refers: Reference[] = []
  let next = 0
  for (const run of chosen) {
    for (; next < run.from; next += 1) shown.push(lines[next] as string)
    refers.push(referenceTo(shown.length, run.source.key, run.sourceFrom, plain.slice(run.from, run.from + run.sourceCount)))
    shown.push(aboveMarker(run))
    next += run.count
  }
  const text = [...shown, ...lines.slice(next)].join('\n')
  if (text.length >= resultText(part).length) return null
  const skipped = chosen.reduce((sum, { count }) => sum + count, 0)
  const why = reasons.economy.shownAbove(grouped(skipped))
  return { ...replaceEdit(skipShownLinesName, message.id, partIndex, withShownText(part, text), why), refers }
})

function runFrom(run: SourcedRun | undefined, source: number): readonly SourcedRun[] {
  if (run === undefined || source < 0) return []
  return [source === 0 ? run : { ...run, ...run.copies[source - 1] }]
}
