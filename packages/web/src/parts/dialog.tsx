import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from './controls.tsx'
import './dialog.css'

interface DialogProps {
  readonly title: string
  /** Called by Esc, and by the button that closes. */
  readonly onClose: () => void
  readonly children: ReactNode
  /** The text of the button that closes it. Without it there is none. */
  readonly close?: string
  readonly actions?: ReactNode
  /** Whether it interrupts: a screen reader reads all of it at once. */
  readonly isAlert?: boolean
}

/** Chromium gives the focus back to a field, but its caret goes with the removed dialog in which a button was clicked: nothing could be typed. */
function restoreCaret(): void {
  const field = document.activeElement
  if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.selectionStart, field.selectionEnd)
}

/** A dialog that holds the keyboard until it is closed. */
export function Dialog({ title, onClose, children, close, actions, isAlert = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: only then does the browser put the keyboard back where it was.
  useLayoutEffect(() => {
    const dialog = element.current
    if (dialog !== null && !dialog.open) dialog.showModal()
    return () => {
      dialog?.close()
      queueMicrotask(restoreCaret)
    }
  }, [])
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-label={title}
      {...(isAlert ? { role: 'alertdialog' } : {})}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 className="dialog-title">{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        {close === undefined ? null : <Button onClick={onClose} text={close} />}
        {actions}
      </div>
    </dialog>
  )
}
