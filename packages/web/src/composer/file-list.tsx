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

/** The id of an option in a list below the field, by which the field refers to the marked one. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`
}

/** The files of the workspace that match the name being typed, each with its tokens. */
export function FileList({ id, found, marked, onAccept }: FileListProps) {
  const { composer, short } = useLanguage()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  if (found.files.length === 0) return <p className="composer-files composer-no-files muted">{composer.noFiles(found.search)}</p>
  return (
    // The focus stays in the field.
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
          id={optionId(id, index)}
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

/** The name of a file that is being typed after `@`, and its place in the text from the `@` to the cursor. */
type OpenWord = { readonly search: string; readonly start: number; readonly end: number }

const maxWord = 300

/**
 * The file name that is being typed at the cursor, if any. The `@` of an address such as `me@example.org` starts none, and after Chinese
 * text no blank is needed.
 */
export function openWord(text: string, cursor: number): OpenWord | null {
  const from = Math.max(0, cursor - maxWord)
  const found = /(?:^|[^\w@])@(?:"([^"\n]*)|([^\s"@]*))$/.exec(text.slice(from, cursor))
  if (found === null || (found[0].startsWith('@') && from > 0)) return null
  const search = found[1] ?? found[2] ?? ''
  const marks = found[1] === undefined ? 1 : 2
  return { search, start: cursor - search.length - marks, end: cursor }
}

/** The text with a file's mention instead of the open word, and the cursor after it and one blank. */
export function acceptMention(text: string, word: OpenWord, mention: string): { readonly text: string; readonly cursor: number } {
  const behind = text.slice(word.end)
  const wanted = mention.endsWith(' ') ? mention : `${mention} `
  const put = /^\s/.test(behind) ? wanted.trimEnd() : wanted
  const before = text.slice(0, word.start) + put
  return { text: before + behind, cursor: before.length + wanted.length - put.length }
}

type FoundFiles = { readonly search: string; readonly files: readonly FileSuggestion[] }

const maxShown = 50

/** Searches files of the workspace while their name is typed. The last result stays until the next is there. */
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
        if (!controller.signal.aborted) setFound({ search, files: files.slice(0, maxShown) })
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
