import { changesOf } from '../../compaction/changed-files.ts'
import { perItem } from '../../derive.ts'
import type { ToolKind } from '../../facts.ts'
import { callInput, isRecord, type ToolCallPart } from '../../message.ts'
import { aboutOf, type PlacedResult } from '../../results/tool-results.ts'
import { pathKey } from '../../text/paths.ts'
import { allLines, commandReads, type LineRange, rangeAsked } from './command-reads.ts'
import type { ResultClass } from './economy-rules.ts'

export interface ResultProfile {
  readonly class: ResultClass
  /** Tool and subject: equal for calls that ask for the same. Null if the subject is unknown. */
  readonly subject: string | null
  /** By file key. */
  readonly reads: readonly { readonly file: string; readonly range: LineRange | null }[]
  readonly changes: readonly string[]
  /** The file whose complete new content is in the arguments. */
  readonly writes: readonly string[]
}

export const profileOf = perItem(
  (result: PlacedResult, root: string | undefined, platform: string | undefined): ResultProfile =>
    result.call === null ? { ...unknown, class: classByKind(result.kind) } : workOut(result, result.call, root, platform),
)

const unknown: Omit<ResultProfile, 'class'> = { subject: null, reads: [], changes: [], writes: [] }

function workOut(
  result: PlacedResult,
  call: ToolCallPart,
  root: string | undefined,
  platform: string | undefined,
): ResultProfile {
  const { kind } = result
  const about = aboutOf(result)
  const subject = about.length === 0 ? null : `${call.tool} ${about.join('\n')}`
  const keys = (paths: readonly string[]) => [
    ...new Set(paths.map((path) => pathKey(path, root, platform)).filter((key) => key !== '')),
  ]
  if (kind === 'terminal') {
    const command = about[0] ?? ''
    const look = commandReads(command)
    const reads = look.reads.flatMap(({ path, range }) => keys([path]).map((file) => ({ file, range })))
    const changes = keys(changesOf(result).map(({ path }) => path))
    return { class: look.does === 'other' ? 'terminal' : look.does, subject, reads, changes, writes: [] }
  }
  if (kind === 'file-read') {
    const input = callInput(call)
    // Each file may come with its own lines, which are not told apart here.
    const range =
      input === null
        ? allLines
        : Object.values(input).some((value) => Array.isArray(value) && value.some(isRecord))
          ? null
          : rangeAsked(input)
    return { ...unknown, class: 'read', reads: keys(about).map((file) => ({ file, range })) }
  }
  if (kind === 'edit' || kind === 'write') {
    const changes = keys(changesOf({ ...result, isError: false }).map(({ path }) => path))
    return { class: 'edit', subject, reads: [], changes, writes: kind === 'write' && changes.length === 1 ? changes : [] }
  }
  return { ...unknown, class: classByKind(kind), subject }
}

function classByKind(kind: ToolKind): ResultClass {
  switch (kind) {
    case 'terminal':
      return 'terminal'
    case 'file-read':
      return 'read'
    case 'search':
    case 'glob':
    case 'list':
    case 'repo-map':
      return 'search'
    case 'edit':
    case 'write':
      return 'edit'
    case 'recall':
      return 'recall'
    case 'todo':
    case 'image':
    case 'other':
      return 'other'
  }
}
