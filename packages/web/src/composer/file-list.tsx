import type { FileSuggestion } from '@plimsoll/core'
import { useEffect, useRef } from 'react'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import type { FoundFiles } from './use-files.ts'

/** The files to choose from, and which of them is marked. */
export interface FileListProps {
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
  const { strings, short } = useLanguage()
  const words = strings.chat.composer
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[marked]?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  if (found.files.length === 0) return <p className="composer-files composer-no-files muted">{words.noFiles(found.search)}</p>
  return (
    // The keyboard stays in the field; a press here must not take it away.
    <ul
      ref={list}
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={words.files}
      className="composer-files"
      onMouseDown={keepFocus}
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
            {file.tokens === null ? words.fileTokensUnknown : words.fileTokens(short(file.tokens))}
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

function keepFocus(event: { readonly preventDefault: () => void }): void {
  event.preventDefault()
}
