import type { SessionListRow } from '@plimsoll/core'
import { useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { Trouble } from '../parts/trouble.tsx'
import './session-dialogs.css'

/** Which session, what it is called, and who is told once it is gone. */
export interface RemoveDialogProps {
  readonly row: SessionListRow
  readonly title: string
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Asks before a session is removed for good, and says what goes with it. */
export function RemoveDialog({ row, title, onRemoved, onClose }: RemoveDialogProps) {
  const { strings, number, bytes } = useLanguage()
  const { api } = useApp()
  const words = strings.sessions
  const [isWorking, setWorking] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const remove = async () => {
    setWorking(true)
    setError(null)
    try {
      await api.removeSession(row.id)
      onRemoved()
    } catch (trouble) {
      setError(trouble)
      setWorking(false)
    }
  }
  return (
    <Dialog
      title={words.removal.title}
      isAlert
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {words.cancel}
          </button>
          <button type="button" className="button button-danger" disabled={isWorking} onClick={() => void remove()}>
            {isWorking ? words.removal.atWork : words.removal.confirm}
          </button>
        </>
      }
    >
      <div className="session-dialog">
        <p>
          <strong>{words.removal.about(title)}</strong>
        </p>
        <p>{words.removal.what(words.messages(number(row.messages)), bytes(row.bytes))}</p>
        {row.isBusy ? <p>{words.removal.busy}</p> : null}
        <p>{words.removal.forever}</p>
        {error === null ? null : <Trouble error={error} />}
      </div>
    </Dialog>
  )
}
