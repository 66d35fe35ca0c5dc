import { useState } from 'react'
import type { ChangedFile } from '../../../node/src/shared/server-api.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp, useLoaded, useWork } from '../parts/use-loaded.tsx'
import { ApiError } from '../server/api.ts'
import { PreviewText } from './preview-text.tsx'

/** Not a failure: the agent has changed no file. */
function isNothing(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'NOTHING_TO_UNDO'
}

interface UndoFilesDialogProps {
  readonly session: string
  /** The message of the user that the changes followed; null for the latest with any. */
  readonly turn: string | null
  readonly onClose: () => void
}

/** Shows what undoing the file changes of a turn would do, file by file, and does it for the chosen ones. */
export function UndoFilesDialog({ session, turn, onClose }: UndoFilesDialogProps) {
  const { api } = useApp()
  const { dialogs } = useLanguage()
  const { undoFiles } = dialogs
  const [found, again] = useLoaded(
    () => api.command(session, 'file-changes', turn === null ? {} : { turn }),
    [api, session, turn],
  )
  const [chosen, choose] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [left, setLeft] = useState<readonly string[]>([])
  const { isWorking, error, run } = useWork()
  const files = found.state === 'there' ? found.value.files : []
  const isChosen = (file: ChangedFile) => file.canChange && (chosen.get(file.path) ?? file.state === 'written')
  const wanted = files.filter(isChosen)

  const start = () =>
    void run(async () => {
      if (found.state !== 'there') return
      const named = wanted.map(({ path, current }) => ({ path, current }))
      const outcome = await api.command(session, 'undo-files', { turn: found.value.turn, files: named })
      if (outcome.left.length === 0) return onClose()
      // Shown again as they are now.
      setLeft(outcome.left)
      choose(new Map())
      again()
    })

  return (
    <Dialog
      title={undoFiles.title}
      onClose={onClose}
      close={dialogs.cancel}
      actions={
        <Button
          look="primary"
          disabled={isWorking || wanted.length === 0}
          onClick={start}
          text={undoFiles.start(wanted.length)}
        />
      }
    >
      <div className="chat-dialog">
        <p className="muted">{undoFiles.about}</p>
        {found.state === 'loading' ? <p role="status">{undoFiles.loading}</p> : null}
        {found.state !== 'failed' ? null : isNothing(found.error) ? (
          <p>{found.error.message}</p>
        ) : (
          <ErrorNotice error={found.error} />
        )}
        {found.state === 'there' && files.length === 0 ? <p>{undoFiles.nothing}</p> : null}
        {left.length === 0 ? null : (
          <p className="notice notice-warn" role="alert">
            {undoFiles.left(visibleLine(left.join(', '), 500))}
          </p>
        )}
        {files.map((file) => (
          <FileRow
            key={file.path}
            file={file}
            isChosen={isChosen(file)}
            onChoose={(is) => choose(new Map(chosen).set(file.path, is))}
          />
        ))}
        {error === null ? null : <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}

/** A diff without the lines that name its file. */
function hunksOf(diff: string): string {
  const start = diff.indexOf('@@')
  return diff.slice(Math.max(0, start)).trimEnd()
}

interface FileRowProps {
  readonly file: ChangedFile
  readonly isChosen: boolean
  readonly onChoose: (isChosen: boolean) => void
}

function FileRow({ file: { path, state, isNew, diff, canChange }, isChosen, onChoose }: FileRowProps) {
  const { undoFiles } = useLanguage().dialogs
  const name = visibleLine(path, 300)
  const what = isNew && state === 'written' ? undoFiles.removed : undoFiles.states[state]
  return (
    <div className="undo-file">
      <label>
        <input
          type="checkbox"
          checked={isChosen}
          disabled={!canChange}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <span className="mono">{name}</span>
        <span className={state === 'changed' || state === 'lost' ? 'undo-file-warning small' : 'muted small'}>{what}</span>
      </label>
      {diff === null || diff === '' ? null : <PreviewText label={name} text={hunksOf(diff)} />}
    </div>
  )
}
