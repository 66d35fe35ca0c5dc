import { useId, useState } from 'react'
import './chat-dialogs.css'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'

/** Who is told that older rounds shall be folded, and what the summary should keep above all; empty where nothing was said. */
export interface CompactDialogProps {
  readonly onStart: (focus: string) => void
  readonly onClose: () => void
}

/** Asks what a summary of the older rounds should keep, before it is written. */
export function CompactDialog({ onStart, onClose }: CompactDialogProps) {
  const { strings } = useLanguage()
  const { compact: words, cancel } = strings.chat.dialogs
  const form = useId()
  const [focus, setFocus] = useState('')
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {cancel}
          </button>
          <button type="submit" form={form} className="button button-primary">
            {words.start}
          </button>
        </>
      }
    >
      <form
        id={form}
        className="chat-dialog"
        onSubmit={(event) => {
          event.preventDefault()
          onStart(focus.trim())
        }}
      >
        <p>{words.about}</p>
        <label className="chat-dialog-label">
          {words.focus}
          <input
            className="field"
            value={focus}
            maxLength={2000}
            placeholder={words.focusPlaceholder}
            onChange={(event) => setFocus(event.target.value)}
          />
        </label>
      </form>
    </Dialog>
  )
}
