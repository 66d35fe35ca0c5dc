import { type ReactNode, useLayoutEffect, useRef } from 'react'
import './dialog.css'

interface DialogProps {
  readonly title: string
  /** The one who looks at it wants to be rid of it: Esc, or a choice. */
  readonly onClose: () => void
  readonly children: ReactNode
  /** The choices, at its end. */
  readonly actions?: ReactNode
  /** Whether it interrupts: a screen reader says all of it at once. */
  readonly isAlert?: boolean
}

/** A dialog that holds the keyboard until it is closed. */
export function Dialog({ title, onClose, children, actions, isAlert = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Closed while it still stands in the page: only then does the browser put the keyboard back where it was.
  useLayoutEffect(() => {
    const dialog = element.current
    if (dialog !== null && !dialog.open) dialog.showModal()
    return () => dialog?.close()
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
      {actions === undefined ? null : <div className="dialog-actions">{actions}</div>}
    </dialog>
  )
}
