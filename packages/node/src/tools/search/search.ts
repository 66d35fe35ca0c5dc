import type { FolderReader } from '../read/folder-reader.ts'
import type { Inside } from '../workspace.ts'

/** What is looked for, and where. */
export interface SearchRequest {
  readonly root: string
  /** The folder or file that is searched. */
  readonly place: Inside
  readonly reader: FolderReader
  readonly pattern: string
  readonly ignoresCase: boolean
  /** Whether a match may go over several lines, and `.` matches their ends. */
  readonly isMultiline: boolean
  /** Lines shown around a match. */
  readonly context: number
  /** Whether one match of each file is enough. */
  readonly isFirstEnough: boolean
  /** Patterns of paths of which one has to match, where there are any. Only a hint: `wants` decides. */
  readonly globs: readonly string[]
  /** Whether a file is looked into, by its path. */
  readonly wants: (path: string) => boolean
  readonly signal: AbortSignal
}

/**
 * What a search comes upon, file by file in the order of their paths, and in each line by line. After `trouble` nothing comes;
 * `otherSyntax` says that another way to search may succeed, as one that knows the pattern.
 */
export type SearchEvent =
  | {
      readonly kind: 'match' | 'context'
      readonly path: string
      /** Counted from 1. */
      readonly line: number
      readonly text: string
      /** Where in the text the match begins. */
      readonly column: number
    }
  | { readonly kind: 'skipped'; readonly why: string }
  | { readonly kind: 'trouble'; readonly reason: string; readonly otherSyntax?: true }

/** A way to search files. Ends its work when nobody takes the next event. */
export type Search = (request: SearchRequest) => AsyncGenerator<SearchEvent, void>
