import { type ExportFormat, exportFormats } from '@plimsoll/core'
import { type FormEvent, useId, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { Trouble } from '../parts/use-loaded.tsx'
import './session-dialogs.css'

/** Which session, and its title where it is known. */
export interface ExportDialogProps {
  readonly session: string
  readonly title: string | null
  readonly onClose: () => void
}

/** What is read by people comes first. */
const formats: readonly ExportFormat[] = ['markdown', ...exportFormats.filter((name) => name !== 'markdown')]

/** Saves a session to a file, in a format of choice, without secrets unless they are asked for. */
export function ExportDialog({ session, title, onClose }: ExportDialogProps) {
  const { strings } = useLanguage()
  const { api } = useApp()
  const { exporting, cancel } = strings.sessions
  const form = useId()
  const [format, setFormat] = useState<ExportFormat>('markdown')
  const [isRedacted, setRedacted] = useState(true)
  const [isWorking, setWorking] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const save = async (event: FormEvent) => {
    event.preventDefault()
    setWorking(true)
    setError(null)
    try {
      const path = `/sessions/${encodeURIComponent(session)}/export?format=${format}${isRedacted ? '&redact=1' : ''}`
      const answer = await api.fetch(path)
      await saveFile(answer, fileNameIn(answer.headers.get('content-disposition'), `plimsoll-session.${extensionOf(format)}`))
      onClose()
    } catch (trouble) {
      setError(trouble)
      setWorking(false)
    }
  }

  return (
    <Dialog
      title={exporting.title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {cancel}
          </button>
          <button type="submit" form={form} className="button button-primary" disabled={isWorking}>
            {isWorking ? exporting.atWork : exporting.save}
          </button>
        </>
      }
    >
      <form id={form} className="session-dialog" onSubmit={(event) => void save(event)}>
        {title === null ? null : <p className="muted">{title}</p>}
        <label className="session-dialog-label">
          {exporting.format}
          <select className="field" value={format} onChange={({ target }) => setFormat(target.value as ExportFormat)}>
            {formats.map((name) => (
              <option key={name} value={name}>
                {exporting.formats[name]}
              </option>
            ))}
          </select>
        </label>
        <label className="session-dialog-check">
          <input type="checkbox" checked={isRedacted} onChange={({ target }) => setRedacted(target.checked)} />
          {exporting.redact}
        </label>
        <p className="muted small">{isRedacted ? exporting.redactAbout : exporting.notRedacted}</p>
        <p className="muted small">{exporting.html(`plimsoll inspect ${session} --html FILE`)}</p>
        {error === null ? null : <Trouble error={error} />}
      </form>
    </Dialog>
  )
}

function extensionOf(format: ExportFormat): string {
  if (format === 'markdown') return 'md'
  if (format === 'log') return 'jsonl'
  return format === 'react' ? 'txt' : 'json'
}

/** The name that an answer gives its file; the other one where it gives none that is only a name. */
export function fileNameIn(disposition: string | null, otherwise: string): string {
  const named = /filename="([\w.-]{1,200})"/.exec(disposition ?? '')?.[1]
  return named === undefined || named.startsWith('.') ? otherwise : named
}

/** Lets the browser save an answer of the server as a file of that name. */
async function saveFile(answer: Response, name: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read it only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
