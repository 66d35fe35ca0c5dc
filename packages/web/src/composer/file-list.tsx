import { useEffect, useRef, useState } from 'react'
import type { FileSuggestion } from '../../../node/src/shared/server-api.ts'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import { useApp } from '../parts/use-loaded.tsx'

interface FileListProps {
  readonly id: string
  readonly found: FoundFiles
  readonly marked: number
  readonly onAccept: (file: FileSuggestion) => void
}

/** The id of one of the files, for the field that names the marked one. */
export function fileOptionId(list: string, index: number): string {
  return `${list}-${index}`
}

/** The files of the workspace that the name being typed may mean, each with what reading it would take. */
export function FileList({ id, found, marked, onAccept }: FileListProps) {
  const { composer, short } = useLanguage()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  if (found.files.length === 0) return <p className="composer-files composer-no-files muted">{composer.noFiles(found.search)}</p>
  return (
    // The keyboard stays in the field; a press here must not take it away.
    <ul
      ref={list}
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={composer.files}
      className="composer-files"
      onMouseDown={(event) => event.preventDefault()}
    >
      {found.files.map((file, index) => (
        <li
          key={file.path}
          id={fileOptionId(id, index)}
          role="option"
          aria-selected={index === marked}
          className="composer-file"
          onClick={() => onAccept(file)}
        >
          <FilePath path={file.path} />
          <span className="muted small number">
            {file.tokens === null ? composer.fileTokensUnknown : composer.fileTokens(short(file.tokens))}
          </span>
        </li>
      ))}
    </ul>
  )
}

function FilePath({ path }: { readonly path: string }) {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (
    <span className="composer-file-path mono">
      {visibleText(name)}
      {name === path ? null : <span className="muted"> {visibleText(path.slice(0, -name.length - 1))}</span>}
    </span>
  )
}

/** The name of a file that is being typed behind `@`. */
interface OpenWord {
  /** What of the name stands there so far. */
  readonly search: string
  /** The part of the text that a file's mention takes the place of: from the `@` to the cursor. */
  readonly start: number
  readonly end: number
}

/** More than this before the cursor is no name of a file. */
const longestWord = 300

/**
 * The file's name that is being typed at the cursor; null where there is none. The `@` of an address such as `me@example.org` begins
 * none, and behind Chinese text no blank is needed.
 */
export function openWord(text: string, cursor: number): OpenWord | null {
  const from = Math.max(0, cursor - longestWord)
  const found = /(?:^|[^\w@])@(?:"([^"\n]*)|([^\s"@]*))$/.exec(text.slice(from, cursor))
  if (found === null || (found[0].startsWith('@') && from > 0)) return null
  const search = found[1] ?? found[2] ?? ''
  const marks = found[1] === undefined ? 1 : 2
  return { search, start: cursor - search.length - marks, end: cursor }
}

/** The text with a file's mention in the place of the open word, and where the cursor stands then: behind one blank. */
export function acceptMention(text: string, word: OpenWord, mention: string): { readonly text: string; readonly cursor: number } {
  const behind = text.slice(word.end)
  const wanted = mention.endsWith(' ') ? mention : `${mention} `
  const put = /^\s/.test(behind) ? wanted.trimEnd() : wanted
  const before = text.slice(0, word.start) + put
  return { text: before + behind, cursor: before.length + wanted.length - put.length }
}

interface FoundFiles {
  readonly search: string
  readonly files: readonly FileSuggestion[]
}

/** More than this nobody reads; who wants another one types on. */
const mostShown = 50

/** Looks for files of the workspace while their name is typed. What was found stays until the next is there. */
export function useFiles(search: string | null): FoundFiles | null {
  const { api } = useApp()
  const [found, setFound] = useState<FoundFiles | null>(null)
  useEffect(() => {
    if (search === null) {
      setFound(null)
      return undefined
    }
    const controller = new AbortController()
    const ask = async () => {
      try {
        const files = await api.files(search, controller.signal)
        if (!controller.signal.aborted) setFound({ search, files: files.slice(0, mostShown) })
      } catch {
        // Without suggestions a name can still be typed.
      }
    }
    const timer = setTimeout(() => void ask(), 60)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, search])
  return search === null ? null : found
}
