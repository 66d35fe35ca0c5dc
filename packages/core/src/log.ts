import { configOf, type Facts } from './facts.ts'
import { type Message, resultText, type ToolResultPart } from './message.ts'
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
  const { tools } = configOf(facts).tool_output_limits
  const shown = new Map<string, ToolResultPart>()
  const names = new Map<string, string | null>()
  for (const { message, partIndex, part, tool } of toolResults(messages, facts)) {
    shown.set(`${message.id}.${partIndex}`, part)
    names.set(message.id, tool)
  }
  const records: LogRecord[] = []
  for (const edit of edits) {
    if (edit.kind !== 'replace' || edit.with.type !== 'tool-result') continue
    const place = `${edit.message}.${edit.part}`
    const was = shown.get(place)
    shown.set(place, edit.with)
    if (edit.policy !== 'limit-tool-output' || was === undefined) continue
    const before = countCodePoints(resultText(was))
    const after = countCodePoints(resultText(edit.with))
    const tool = names.get(edit.message) ?? null
    records.push(
      tool !== null && Object.hasOwn(tools, tool)
        ? {
            level: 'info',
            event: 'tool_output_cut',
            message: logStrings.toolCut(tool, before, after),
            data: { tool, before, after },
          }
        : { level: 'warn', event: 'result_cut', message: logStrings.resultCut(before, after), data: { before, after } },
    )
  }
  return records
}
