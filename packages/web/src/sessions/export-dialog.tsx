import { type ExportFormat, exportFormats } from '@plimsoll/core/session'
import { useId, useState } from 'react'
import { saveAs } from '../parts/browser.ts'
import { Button, Form, Select } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { ErrorNotice, useApp, useWork } from '../parts/use-loaded.tsx'

type ExportDialogProps = { readonly session: string; readonly title: string | null; readonly onClose: () => void }

const formats: readonly ExportFormat[] = ['markdown', ...exportFormats.filter((name) => name !== 'markdown')]

/** Saves a session to a file, in a chosen format, redacted by default. */
export function ExportDialog({ session, title, onClose }: ExportDialogProps) {
  const { api } = useApp()
  const { sessions } = useLanguage()
  const { exporting } = sessions
  const form = useId()
  const [format, setFormat] = useState<ExportFormat>('markdown')
  const [isRedacted, setRedacted] = useState(true)
  const { isWorking, error, run } = useWork()
  const save = async () => {
    const answer = await api.fetch(
      `/sessions/${encodeURIComponent(session)}/export?format=${format}${isRedacted ? '&redact=1' : ''}`,
    )
    const name = fileNameIn(answer.headers.get('content-disposition'), `plimsoll-session.${extensions[format] ?? 'json'}`)
    saveAs(URL.createObjectURL(await answer.blob()), name)
    onClose()
  }

  return (
    <Dialog
      title={exporting.title}
      onClose={onClose}
      close={sessions.cancel}
      actions={
        <Button
          type="submit"
          form={form}
          look="primary"
          disabled={isWorking}
          text={isWorking ? exporting.atWork : exporting.save}
        />
      }
    >
      <Form id={form} className="session-dialog" onSubmit={() => void run(save)}>
        {title === null ? null : <p className="muted">{title}</p>}
        <label className="session-dialog-label">
          {exporting.format}
          <Select
            className="field"
            value={format}
            options={formats.map((name) => [name, exporting.formats[name]])}
            onChoose={setFormat}
          />
        </label>
        <label className="session-dialog-check">
          <input type="checkbox" checked={isRedacted} onChange={({ target }) => setRedacted(target.checked)} />
          {exporting.redact}
        </label>
        <p className="muted small">{isRedacted ? exporting.redactAbout : exporting.notRedacted}</p>
        <p className="muted small">{exporting.html(`plimsoll inspect ${session} --html FILE`)}</p>
        {error === null ? null : <ErrorNotice error={error} />}
      </Form>
    </Dialog>
  )
}

const extensions: Partial<Record<ExportFormat, string>> = { markdown: 'md', log: 'jsonl', react: 'txt' }

/** The file name in an answer's header; the other one if it has none that is only a name. */
export function fileNameIn(disposition: string | null, otherwise: string): string {
  const named = /filename="([\w.-]{1,200})"/.exec(disposition ?? '')?.[1]
  return named === undefined || named.startsWith('.') ? otherwise : named
}
