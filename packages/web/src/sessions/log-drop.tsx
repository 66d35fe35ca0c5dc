import { FileUp } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { LogListRow } from '../../../node/src/shared/server-api.ts'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble } from '../parts/use-loaded.tsx'

/** Takes a log from the disk, chosen or dropped, and hands it over to the server of this machine. */
export function LogDrop({ onTaken }: { readonly onTaken: (row: LogListRow) => void }) {
  const { sessions, bytes } = useLanguage()
  const { api } = useApp()
  const [isOver, setOver] = useState(false)
  const [sending, setSending] = useState<File | null>(null)
  const [error, setError] = useState<unknown>(null)

  const take = async (files: readonly File[]) => {
    const [file] = files
    const trouble = logFileTrouble(files)
    if (file === undefined) return
    const name = visibleLine(file.name, 80)
    if (trouble === 'several') return setError(new Error(sessions.logScreen.oneOnly))
    if (trouble === 'empty') return setError(new Error(sessions.logScreen.emptyFile(name)))
    if (trouble === 'too-large')
      return setError(new Error(sessions.logScreen.tooLarge(name, bytes(file.size), bytes(mostLogBytes))))
    setSending(file)
    setError(null)
    try {
      onTaken(await api.upload(file))
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(null)
    }
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }

  return (
    <div
      className={isOver ? 'log-drop log-drop-over' : 'log-drop'}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void take([...event.dataTransfer.files])
      }}
    >
      <p className="log-drop-line">
        <label className="button log-drop-choose">
          <FileUp size={16} aria-hidden />
          {sessions.logScreen.choose}
          <input
            type="file"
            className="visually-hidden"
            disabled={sending !== null}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              // So that the same file can be chosen again.
              target.value = ''
              void take(files)
            }}
          />
        </label>
        <span className="muted">{sessions.logScreen.drop}</span>
      </p>
      <p className="muted small">{sessions.logScreen.limit(bytes(mostLogBytes))}</p>
      {sending === null ? null : (
        <p role="status">
          <label>
            {sessions.logScreen.sending(visibleLine(sending.name, 80), bytes(sending.size))} <progress />
          </label>
        </p>
      )}
      {error === null ? null : <Trouble error={error} />}
    </div>
  )
}

/** The most bytes of a file that can be handed over to the server. */
export const mostLogBytes = 256_000_000

type LogFileTrouble = 'too-large' | 'empty' | 'several' | null

/** Looks at files that were chosen or dropped before any of their bytes are sent. */
export function logFileTrouble(files: readonly { readonly size: number }[]): LogFileTrouble {
  const [file] = files
  if (file === undefined || files.length > 1) return 'several'
  if (file.size > mostLogBytes) return 'too-large'
  return file.size === 0 ? 'empty' : null
}
