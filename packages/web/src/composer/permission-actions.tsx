import { useLanguage } from '../parts/language.tsx'
import { type PermissionChoice, permissionLetters } from './permission-keys.ts'

/** What is being answered, and who is told. */
export interface PermissionActionsProps {
  /** What the model is told in place of the call; null while nothing is being written. */
  readonly reason: string | null
  readonly canAnswer: boolean
  readonly onReason: (reason: string | null) => void
  readonly onChoose: (choice: PermissionChoice) => void
  readonly onRefuse: (reason: string) => void
  readonly onAside: () => void
}

/** The answers to the question whether a call may run, each with its letter; or the field for words to the model. */
export function PermissionActions(props: PermissionActionsProps) {
  const { strings } = useLanguage()
  const words = strings.chat.dialogs.permission
  if (props.reason !== null) return <Reason {...props} reason={props.reason} />
  const { canAnswer, onChoose, onAside } = props
  const answer = (choice: PermissionChoice, label: string, className: string) => (
    <button type="button" className={`button ${className}`} disabled={!canAnswer} onClick={() => onChoose(choice)}>
      {label}
      <kbd aria-hidden>{permissionLetters[choice]}</kbd>
    </button>
  )
  return (
    <>
      <button type="button" className="button button-quiet" onClick={onAside}>
        {words.later}
        <kbd aria-hidden>Esc</kbd>
      </button>
      {answer('stop', words.stop, 'button-danger')}
      {answer('words', words.noWithWords, '')}
      {answer('no', words.no, '')}
      {answer('session', words.session, '')}
      {answer('once', words.once, 'button-primary')}
    </>
  )
}

function Reason({ reason, canAnswer, onReason, onRefuse }: PermissionActionsProps & { readonly reason: string }) {
  const { strings } = useLanguage()
  const words = strings.chat.dialogs.permission
  return (
    <form
      className="permission-reason"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== '') onRefuse(reason.trim())
      }}
    >
      <label className="chat-dialog-label">
        {words.reason}
        <input
          className="field"
          autoFocus
          maxLength={4000}
          placeholder={words.reasonPlaceholder}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
        />
      </label>
      <div className="permission-reason-actions">
        <button type="button" className="button" onClick={() => onReason(null)}>
          {words.back}
        </button>
        <button type="submit" className="button button-primary" disabled={!canAnswer || reason.trim() === ''}>
          {words.sendReason}
        </button>
      </div>
    </form>
  )
}
