import { hideOldSummaries } from '../compaction/hide-old-summaries.ts'
import { opensRound, roundsOf } from '../compaction/rounds.ts'
import { applyEdits, type Edit, type FoldEdit, placesOf } from '../edit.ts'
import { configOf, type Facts, reasonsOf } from '../facts.ts'
import { describeOverflow } from '../fit/request-size.ts'
import { type Message, resultText, type ToolResultPart } from '../message.ts'
import { cutBy, limitToolOutput } from '../policies/limit-tool-output.ts'
import { readKeys, trimRepeatedReads } from '../policies/trim-repeated-reads.ts'
import { fitWindowName } from '../policy.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import { logStrings } from '../strings/specification.ts'
import { countCodePoints } from '../text/lines.ts'
import type { BuiltView } from './build-view.ts'

/** One log record. The host decides where it goes; never to standard output. */
export interface LogRecord {
  readonly level: 'debug' | 'info' | 'warn'
  /** A stable name for machines. */
  readonly event: string
  /** The specification's sentence. */
  readonly message: string
  readonly data?: Readonly<Record<string, string | number>>
}

/** A view with the edits that no earlier request had, and the last message that one had. */
interface LoggedView extends Pick<BuiltView, 'edits' | 'view' | 'report'> {
  /** Default: all edits. */
  readonly fresh?: readonly Edit[]
  /** Default: nothing was sent. */
  readonly sent?: string | null
}

export type LogInput = readonly [messages: readonly Message[], built: LoggedView, facts: Facts]

/** The log records the specification asks for, about what is new in a view. File names appear at `debug` only. */
export function logRecords(...[messages, built, facts]: LogInput): readonly LogRecord[] {
  const fresh = built.fresh ?? built.edits
  return [
    ...commandRecords(fresh),
    ...readRecords(messages, built, facts),
    ...cutRecords(messages, built, facts),
    ...summaryRecords(fresh),
    ...fitRecords(messages, built, fresh, facts),
  ]
}

function commandRecords(edits: readonly Edit[]): readonly LogRecord[] {
  const count = edits.filter((edit) => edit.policy === 'trim-outdated-commands').length
  return count === 0
    ? []
    : [{ level: 'info', event: 'commands_trimmed', message: logStrings.commandsTrimmed(count), data: { count } }]
}

function readRecords(messages: readonly Message[], built: LoggedView, facts: Facts): readonly LogRecord[] {
  const { sent = null } = built
  const seen = new Set(sent === null ? [] : messages.slice(0, messages.findLastIndex(({ id }) => id === sent) + 1))
  const unknown = toolResults(messages, facts).filter(
    (result) =>
      result.kind === 'file-read' && !seen.has(result.message) && readKeys(facts.root, facts.platform)(result).length === 0,
  )
  const records = unknown.map(
    ({ message }): LogRecord => ({ level: 'debug', event: 'read_without_path', message: logStrings.readWithoutPath(message.id) }),
  )
  const trimmed = replacedBy(trimRepeatedReads.name, messages, built, facts)
  if (trimmed.length === 0) return records
  const count = trimmed.length
  const counts = new Map<string, number>()
  for (const { was } of trimmed)
    for (const file of readKeys(facts.root, facts.platform)(was)) counts.set(file, (counts.get(file) ?? 0) + 1)
  return [
    { level: 'info', event: 'reads_trimmed', message: logStrings.readsTrimmed(count), data: { count } },
    ...records,
    ...[...counts].map(
      ([file, times]): LogRecord => ({
        level: 'debug',
        event: 'file_reads_trimmed',
        message: logStrings.fileReadsTrimmed(file, times),
        data: { file, count: times },
      }),
    ),
  ]
}

/** A tool's own limit is routine; the global cap should not have been needed. */
function cutRecords(messages: readonly Message[], built: LoggedView, facts: Facts): readonly LogRecord[] {
  return replacedBy(limitToolOutput.name, messages, built, facts).map(({ was, shown }): LogRecord => {
    const before = countCodePoints(resultText(was.part))
    const after = countCodePoints(resultText(shown))
    const { tool } = was
    if (tool !== null && cutBy(was, facts) === 'tool') {
      const message = logStrings.toolCut(tool, before, after)
      return { level: 'info', event: 'tool_output_cut', message, data: { tool, before, after } }
    }
    return { level: 'warn', event: 'result_cut', message: logStrings.resultCut(before, after), data: { before, after } }
  })
}

/** A summary that is no longer shown is what the model no longer knows of its past. */
function summaryRecords(edits: readonly Edit[]): readonly LogRecord[] {
  return edits
    .filter(({ policy }) => policy === hideOldSummaries.name)
    .map(({ why }): LogRecord => ({ level: 'warn', event: 'summaries_hidden', message: why }))
}

function fitRecords(
  messages: readonly Message[],
  { view, report }: LoggedView,
  edits: readonly Edit[],
  facts: Facts,
): readonly LogRecord[] {
  const config = configOf(facts)
  const records: LogRecord[] = []
  const folds = edits.filter((edit) => edit.kind === 'fold').filter(({ policy }) => policy === fitWindowName)
  const kept = foldRound(folds, messages) ? roundsOf(view).length : config.compaction.keep_rounds
  if (kept < config.compaction.keep_rounds) {
    const data = { kept, wanted: config.compaction.keep_rounds }
    records.push({ level: 'warn', event: 'kept_rounds_lowered', message: reasonsOf(facts).window.rounds(kept), data })
  }
  if (report.overflow !== null) {
    const { tokens, limit, bytes, images } = report.overflow
    const [message = ''] = describeOverflow(report.overflow, config.locale).sentences
    records.push({ level: 'warn', event: 'request_overflow', message, data: { tokens, limit, bytes, images } })
  }
  return records
}

function foldRound(folds: readonly FoldEdit[], messages: readonly Message[]): boolean {
  if (folds.length === 0) return false
  const places = placesOf(messages)
  return folds.some(({ first, last }) =>
    messages.slice(places.get(first) ?? messages.length, (places.get(last) ?? -1) + 1).some(opensRound),
  )
}

function replacedBy(
  policy: string,
  messages: readonly Message[],
  { edits, fresh = edits }: LoggedView,
  facts: Facts,
): readonly { readonly was: PlacedResult; readonly shown: ToolResultPart }[] {
  const first = edits.findIndex((edit) => edit.policy === policy)
  if (first < 0) return []
  const results = toolResults(applyEdits(messages, edits.slice(0, first)), facts)
  const byPlace = new Map(results.map((result) => [`${result.message.id}.${result.partIndex}`, result]))
  return fresh.flatMap((edit) => {
    if (edit.policy !== policy || edit.kind !== 'replace' || edit.with.type !== 'tool-result') return []
    const was = byPlace.get(`${edit.message}.${edit.part}`)
    return was === undefined ? [] : [{ was, shown: edit.with }]
  })
}
