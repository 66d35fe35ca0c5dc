import { type ExportFormat, exportFormats } from '@plimsoll/core/session'
import { useId, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { saveAs } from '../parts/save-as.ts'
import { Trouble, useWork } from '../parts/use-loaded.tsx'

interface ExportDialogProps {
  readonly session: string
  readonly title: string | null
  readonly onClose: () => void
}

/** What is read by people comes first. */
const formats: readonly ExportFormat[] = ['markdown', ...exportFormats.filter((name) => name !== 'markdown')]

/** Saves a session to a file, in a format of choice, without secrets unless they are asked for. */
export function ExportDialog({ session, title, onClose }: ExportDialogProps) {
  const { api } = useApp()
  const { sessions } = useLanguage()
  const form = useId()
  const [format, setFormat] = useState<ExportFormat>('markdown')
  const [isRedacted, setRedacted] = useState(true)
  const { isWorking, error, run } = useWork()
  const save = async () => {
    const answer = await api.fetch(
      `/sessions/${encodeURIComponent(session)}/export?format=${format}${isRedacted ? '&redact=1' : ''}`,
    )
    const name = fileNameIn(answer.headers.get('content-disposition'), `plimsoll-session.${extensionOf(format)}`)
    saveAs(URL.createObjectURL(await answer.blob()), name)
    onClose()
  }

  return (
    <Dialog
      title={sessions.exporting.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose} text={sessions.cancel} />
          <Button
            type="submit"
            form={form}
            look="primary"
            disabled={isWorking}
            text={isWorking ? sessions.exporting.atWork : sessions.exporting.save}
          />
        </>
      }
    >
      <form
        id={form}
        className="session-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          void run(save)
        }}
      >
        {title === null ? null : <p className="muted">{title}</p>}
        <label className="session-dialog-label">
          {sessions.exporting.format}
          <select className="field" value={format} onChange={({ target }) => setFormat(target.value as ExportFormat)}>
            {formats.map((name) => (
              <option key={name} value={name}>
                {sessions.exporting.formats[name]}
              </option>
            ))}
          </select>
        </label>
        <label className="session-dialog-check">
          <input type="checkbox" checked={isRedacted} onChange={({ target }) => setRedacted(target.checked)} />
          {sessions.exporting.redact}
        </label>
        <p className="muted small">{isRedacted ? sessions.exporting.redactAbout : sessions.exporting.notRedacted}</p>
        <p className="muted small">{sessions.exporting.html(`plimsoll inspect ${session} --html FILE`)}</p>
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
