import type { PermissionAnswer, PermissionRequest } from '@plimsoll/core'
import { ShieldQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import { Trouble } from '../parts/use-loaded.tsx'
import { PreviewText } from './preview-text.tsx'
import './chat-dialogs.css'

/** The question about a call that waits; answers it by itself. Give it the call's id as its key. */
export interface PermissionDialogProps {
  readonly session: string
  readonly request: PermissionRequest
}

/** Longer than any command that somebody could judge. */
const mostAbout = 20_000

/**
 * Asks whether a call may run. Esc answers nothing: it sets the question aside, so that the conversation can be read, and one line stays
 * that asks it again.
 */
export function PermissionDialog({ session, request }: PermissionDialogProps) {
  const { strings } = useLanguage()
  const { api } = useApp()
  const { permission } = strings.chat.dialogs
  const [isAside, setAside] = useState(false)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const send = async (answer: PermissionAnswer, stop = false) => {
    setSending(true)
    setError(null)
    try {
      await api.command(session, 'permission', { callId: request.callId, answer, ...(stop ? { stop } : {}) })
    } catch (trouble) {
      // Only then: else the question goes away with the session's next state.
      setSending(false)
      setError(trouble)
    }
  }

  const tool = visibleText(request.tool.slice(0, 100))
  if (isAside)
    return (
      <div className="chat-aside notice notice-warn" role="status">
        <ShieldQuestion size={16} aria-hidden />
        <span>{permission.waiting(tool)}</span>
        <button type="button" className="button" onClick={() => setAside(false)}>
          {permission.answer}
        </button>
      </div>
    )
  return (
    <Question
      request={request}
      tool={tool}
      isSending={isSending}
      error={error}
      onAnswer={(answer, stop) => void send(answer, stop)}
      onAside={() => setAside(true)}
    />
  )
}

interface QuestionProps {
  readonly request: PermissionRequest
  readonly tool: string
  readonly isSending: boolean
  readonly error: unknown
  readonly onAnswer: (answer: PermissionAnswer, stop?: boolean) => void
  readonly onAside: () => void
}

function Question({ request, tool, isSending, error, onAnswer, onAside }: QuestionProps) {
  const { strings } = useLanguage()
  const { permission } = strings.chat.dialogs
  const isSettled = useSettled(500)
  const [reason, setReason] = useState<string | null>(null)

  const choose = (choice: PermissionChoice) => {
    if (choice === 'words') setReason('')
    else if (choice === 'stop') onAnswer({ kind: 'no', reason: null }, true)
    else onAnswer(choice === 'no' ? { kind: 'no', reason: null } : { kind: choice })
  }
  const canAnswer = isSettled && !isSending
  useEffect(() => {
    if (!canAnswer || reason !== null) return undefined
    const press = (event: KeyboardEvent) => {
      const choice = permissionKey(event)
      if (choice === null) return
      event.preventDefault()
      choose(choice)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })

  return (
    <Dialog
      title={permission.title[request.access](tool)}
      isAlert
      onClose={() => (reason === null ? onAside() : setReason(null))}
      actions={
        <PermissionActions
          reason={reason}
          canAnswer={canAnswer}
          onReason={setReason}
          onChoose={choose}
          onRefuse={(text) => onAnswer({ kind: 'no', reason: text })}
          onAside={onAside}
        />
      }
    >
      <div className="chat-dialog">
        <pre className="permission-about" tabIndex={0}>
          {visibleText(request.about.slice(0, mostAbout))}
          {request.about.length > mostAbout ? '…' : ''}
        </pre>
        {request.preview === null || request.preview === '' ? null : (
          <PreviewText label={permission.preview} text={request.preview} />
        )}
        <p className="muted small">{permission.scope[request.scope](tool)}</p>
        <p className="muted small">{permission.keysHint}</p>
        {error === null ? null : <Trouble error={error} />}
        {isSending ? <p role="status">{permission.sending}</p> : null}
      </div>
    </Dialog>
  )
}

/** What is being answered, and who is told. */
interface PermissionActionsProps {
  /** What the model is told in place of the call; null while nothing is being written. */
  readonly reason: string | null
  readonly canAnswer: boolean
  readonly onReason: (reason: string | null) => void
  readonly onChoose: (choice: PermissionChoice) => void
  readonly onRefuse: (reason: string) => void
  readonly onAside: () => void
}

/** The answers to the question whether a call may run, each with its letter; or the field for words to the model. */
function PermissionActions(props: PermissionActionsProps) {
  const { strings } = useLanguage()
  const { permission } = strings.chat.dialogs
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
        {permission.later}
        <kbd aria-hidden>Esc</kbd>
      </button>
      {answer('stop', permission.stop, 'button-danger')}
      {answer('words', permission.noWithWords, '')}
      {answer('no', permission.no, '')}
      {answer('session', permission.session, '')}
      {answer('once', permission.once, 'button-primary')}
    </>
  )
}

function Reason({ reason, canAnswer, onReason, onRefuse }: PermissionActionsProps & { readonly reason: string }) {
  const { strings } = useLanguage()
  const { permission } = strings.chat.dialogs
  return (
    <form
      className="permission-reason"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== '') onRefuse(reason.trim())
      }}
    >
      <label className="chat-dialog-label">
        {permission.reason}
        <input
          className="field"
          autoFocus
          maxLength={4000}
          placeholder={permission.reasonPlaceholder}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
        />
      </label>
      <div className="permission-reason-actions">
        <button type="button" className="button" onClick={() => onReason(null)}>
          {permission.back}
        </button>
        <button type="submit" className="button button-primary" disabled={!canAnswer || reason.trim() === ''}>
          {permission.sendReason}
        </button>
      </div>
    </form>
  )
}

/** What can be answered to the question whether a call may run. */
type PermissionChoice = 'once' | 'session' | 'no' | 'words' | 'stop'

/** The letter that answers it, shown on its button. */
const permissionLetters: Readonly<Record<PermissionChoice, string>> = {
  once: 'Y',
  session: 'A',
  no: 'N',
  words: 'T',
  stop: 'S',
}

/** A key as the browser tells it. */
interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly repeat: boolean
  readonly isComposing: boolean
}

/** What a key answers; null where it answers nothing. One that is held down, or pressed with another, never does. */
export function permissionKey({ key, ctrlKey, metaKey, altKey, repeat, isComposing }: PressedKey): PermissionChoice | null {
  if (ctrlKey || metaKey || altKey || repeat || isComposing) return null
  const found = Object.entries(permissionLetters).find(([, letter]) => letter === key.toUpperCase())
  return found === undefined ? null : (found[0] as PermissionChoice)
}

/**
 * Whether nobody has pressed a key for a moment since this was shown. What is asked in the middle of typing must not take the next letter
 * for an answer.
 */
function useSettled(milliseconds: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    const settle = () => {
      setSettled(true)
      document.removeEventListener('keydown', wait, true)
    }
    let timer = setTimeout(settle, milliseconds)
    function wait(): void {
      clearTimeout(timer)
      timer = setTimeout(settle, milliseconds)
    }
    document.addEventListener('keydown', wait, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', wait, true)
    }
  }, [milliseconds])
  return isSettled
}
