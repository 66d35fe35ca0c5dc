import { applyEdits } from './edit.ts'
import type { Facts } from './facts.ts'
import { type Message, resultText } from './message.ts'
import { cutBy, limitToolOutput } from './policies/limit-tool-output.ts'
import { readKeys } from './policies/trim-repeated-reads.ts'
import { logStrings } from './strings.ts'
import { toolResults } from './tool-results.ts'
import { countCodePoints } from './truncation/code-points.ts'
import type { BuiltView } from './view.ts'

/** One thing worth logging. Where it goes is the host's business; never to standard output. */
export interface LogRecord {
  readonly level: 'debug' | 'info' | 'warn'
  /** A stable name for machines. */
  readonly event: string
  /** The specification's sentence. */
  readonly message: string
  readonly data?: Readonly<Record<string, string | number>>
}

/** What the specification wants logged about a view that was built from these messages. Names of files appear at `debug` only. */
export function logRecords(messages: readonly Message[], built: BuiltView, facts: Facts): readonly LogRecord[] {
  return [...commandRecords(built), ...readRecords(messages, built, facts), ...cutRecords(messages, built, facts)]
}

function commandRecords({ edits }: BuiltView): readonly LogRecord[] {
  const count = edits.filter((edit) => edit.policy === 'trim-outdated-commands').length
  return count === 0
    ? []
    : [{ level: 'info', event: 'commands_trimmed', message: logStrings.commandsTrimmed(count), data: { count } }]
}

function readRecords(messages: readonly Message[], { edits }: BuiltView, facts: Facts): readonly LogRecord[] {
  const trimmed = new Set(
    edits.flatMap((edit) => (edit.policy === 'trim-repeated-reads' && edit.kind === 'replace' ? [edit.message] : [])),
  )
  const records: LogRecord[] = []
  const counts = new Map<string, number>()
  for (const result of toolResults(messages, facts)) {
    if (result.kind !== 'file-read') continue
    const files = readKeys(result, facts)
    if (files.length === 0)
      records.push({ level: 'debug', event: 'read_without_path', message: logStrings.readWithoutPath(result.message.id) })
    if (trimmed.has(result.message.id)) for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1)
  }
  for (const [file, count] of counts) {
    records.push({
      level: 'debug',
      event: 'file_reads_trimmed',
      message: logStrings.fileReadsTrimmed(file, count),
      data: { file, count },
    })
  }
  if (trimmed.size > 0) {
    records.unshift({
      level: 'info',
      event: 'reads_trimmed',
      message: logStrings.readsTrimmed(trimmed.size),
      data: { count: trimmed.size },
    })
  }
  return records
}

/** A tool's own limit is the ordinary course of things; the global cap should not have been needed. */
function cutRecords(messages: readonly Message[], { edits }: BuiltView, facts: Facts): readonly LogRecord[] {
  const first = edits.findIndex((edit) => edit.policy === limitToolOutput.name)
  if (first < 0) return []
  const results = toolResults(applyEdits(messages, edits.slice(0, first)), facts)
  const byPlace = new Map(results.map((result) => [`${result.message.id}.${result.partIndex}`, result]))
  return edits.slice(first).flatMap((edit): readonly LogRecord[] => {
    if (edit.policy !== limitToolOutput.name || edit.kind !== 'replace' || edit.with.type !== 'tool-result') return []
    const was = byPlace.get(`${edit.message}.${edit.part}`)
    if (was === undefined) return []
    const { part, tool, kind } = was
    const before = countCodePoints(resultText(part))
    const after = countCodePoints(resultText(edit.with))
    if (tool !== null && cutBy(part, tool, kind, facts) === 'tool') {
      const message = logStrings.toolCut(tool, before, after)
      return [{ level: 'info', event: 'tool_output_cut', message, data: { tool, before, after } }]
    }
    return [{ level: 'warn', event: 'result_cut', message: logStrings.resultCut(before, after), data: { before, after } }]
  })
}
