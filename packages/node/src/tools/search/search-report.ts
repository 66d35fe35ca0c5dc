import type { ModelStrings } from '@plimsoll/core/text'
import type { FolderReader } from '../read/folder-reader.ts'
import { counted } from '../tool.ts'
import { type Inside, shownPath } from '../workspace.ts'

export interface SearchRequest {
  readonly root: string
  readonly place: Inside
  readonly reader: FolderReader
  readonly pattern: string
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly context: number
  readonly isFirstEnough: boolean
  /** Patterns of paths of which one has to match, if there are any. Only a hint: `wants` decides. */
  readonly globs: readonly string[]
  readonly wants: (path: string) => boolean
  readonly signal: AbortSignal
}

/** In the order of paths and lines. `trouble` is the last event; with `otherSyntax` another search may succeed. */
export type SearchEvent =
  | {
      readonly kind: 'match' | 'context'
      readonly path: string
      readonly line: number
      readonly text: string
      readonly column: number
    }
  | { readonly kind: 'skipped'; readonly why: string }
  | { readonly kind: 'problem'; readonly reason: string; readonly otherSyntax?: true }

/** A way to search files. Ends its work when no more events are taken. */
export type Search = (request: SearchRequest) => AsyncGenerator<SearchEvent, void>

export interface ReportOptions {
  readonly mode: 'content' | 'files' | 'count'
  readonly limit: number
  readonly context: number
  readonly strings: ModelStrings
}

export interface SearchFailure {
  readonly reason: string
  readonly otherSyntax: boolean
}

/** How many matches there are, then `path:12:text` for matches and `path-11-text` for lines around them. */
export async function reportSearch(
  events: AsyncIterable<SearchEvent>,
  { mode, limit, context, strings }: ReportOptions,
): Promise<{ readonly text: string; readonly matches: number; readonly files: number } | SearchFailure> {
  const lines: string[] = []
  const counts = new Map<string, number>()
  const skipped: string[] = []
  let [matches, isCut] = [0, false]
  let last = { path: '', line: 0, match: 0 }
  for await (const event of events) {
    if (event.kind === 'problem') return { reason: event.reason, otherSyntax: event.otherSyntax === true }
    if (event.kind === 'skipped') {
      skipped.push(event.why)
      continue
    }
    const { kind, path, line } = event
    if (kind === 'match') {
      matches += 1
      counts.set(path, (counts.get(path) ?? 0) + 1)
      if (matches > maxCounted) {
        isCut = true
        break
      }
    }
    const isFull =
      matches > limit || (matches === limit && kind === 'context' && (path !== last.path || line > last.match + context))
    if (mode !== 'content' || isFull) continue
    if (context > 0 && last.line > 0 && (path !== last.path || line > last.line + 1)) lines.push('--')
    lines.push(`${shownPath(path)}${kind === 'match' ? `:${line}:` : `-${line}-`}${clipAround(event.text, event.column)}`)
    last = { path, line, match: kind === 'match' ? line : path === last.path ? last.match : 0 }
  }
  const found = { matches: Math.min(matches, maxCounted), counts, lines, skipped, isCut }
  return { text: reportText(found, mode, limit, strings), matches: found.matches, files: counts.size }
}

const maxCounted = 20_000
const maxLineLength = 500

interface Found {
  readonly matches: number
  readonly counts: ReadonlyMap<string, number>
  readonly lines: readonly string[]
  readonly skipped: readonly string[]
  readonly isCut: boolean
}

function reportText(
  { matches, counts, lines, skipped, isCut }: Found,
  mode: ReportOptions['mode'],
  limit: number,
  strings: ModelStrings,
): string {
  const atLeast = isCut ? 'at least ' : ''
  const inFiles = counted(counts.size, 'file')
  const summary =
    mode === 'files' ? `${atLeast}${inFiles}` : `${atLeast}${matches} ${matches === 1 ? 'match' : 'matches'} in ${inFiles}`
  const notes = skipped.length === 0 ? [] : [`Note: not searched: ${skipped.join(', ')}`]
  if (matches === 0) return ['No matches', ...notes].join('\n')
  if (mode === 'content') {
    const isMore = matches > limit
    const hint = isMore ? `, the first ${limit} shown; raise head_limit or narrow the search for the ${matches - limit} more` : ''
    // The marker by which everything else recognises a cut search is at the very end.
    return [summary + hint, ...notes, ...lines].join('\n') + (isMore ? strings.matchesShown(limit, matches) : '')
  }
  const named = [...counts].map(([path, count]) => (mode === 'files' ? shownPath(path) : `${shownPath(path)}: ${count}`))
  const more = named.length > limit ? [`(truncated: and ${named.length - limit} more files)`] : []
  return [summary, ...named.slice(0, limit), ...more, ...notes].join('\n')
}

function clipAround(text: string, column: number): string {
  if (text.length <= maxLineLength) return text
  const start = Math.max(0, Math.min(column - maxLineLength / 4, text.length - maxLineLength))
  const end = start + maxLineLength
  const shown = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`
}
