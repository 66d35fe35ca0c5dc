import { ShieldQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PermissionAnswer, PermissionRequest } from '../../../node/src/shared/event.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import { Trouble, useApp } from '../parts/use-loaded.tsx'
import { PreviewText } from './preview-text.tsx'

/** Longer than any command that somebody could judge. */
const mostAbout = 20_000

/**
 * Asks whether a call may run. Esc answers nothing: it sets the question aside, so that the conversation can be read, and one line stays
 * that asks it again.
 */
export function PermissionDialog({ session, request }: { readonly session: string; readonly request: PermissionRequest }) {
  const { api } = useApp()
  const { dialogs } = useLanguage()
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
        <span>{dialogs.permission.waiting(tool)}</span>
        <Button onClick={() => setAside(false)} text={dialogs.permission.answer} />
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
  const { dialogs } = useLanguage()
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
      title={dialogs.permission.title[request.access](tool)}
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
          <PreviewText label={dialogs.permission.preview} text={request.preview} />
        )}
        <p className="muted small">{dialogs.permission.scope[request.scope](tool)}</p>
        <p className="muted small">{dialogs.permission.keysHint}</p>
        {error === null ? null : <Trouble error={error} />}
        {isSending ? <p role="status">{dialogs.permission.sending}</p> : null}
      </div>
    </Dialog>
  )
}

interface PermissionActionsProps {
  /** What the model is told in place of the call; null while nothing is being written. */
  readonly reason: string | null
  readonly canAnswer: boolean
  readonly onReason: (reason: string | null) => void
  readonly onChoose: (choice: PermissionChoice) => void
  readonly onRefuse: (reason: string) => void
  readonly onAside: () => void
}

function PermissionActions(props: PermissionActionsProps) {
  const { dialogs } = useLanguage()
  if (props.reason !== null) return <Reason {...props} reason={props.reason} />
  const { canAnswer, onChoose, onAside } = props
  const answer = (choice: PermissionChoice, text: string, look?: 'primary' | 'danger') => (
    <Button {...(look === undefined ? {} : { look })} disabled={!canAnswer} onClick={() => onChoose(choice)} text={text}>
      <kbd aria-hidden>{permissionLetters[choice]}</kbd>
    </Button>
  )
  return (
    <>
      <Button look="quiet" onClick={onAside} text={dialogs.permission.later}>
        <kbd aria-hidden>Esc</kbd>
      </Button>
      {answer('stop', dialogs.permission.stop, 'danger')}
      {answer('words', dialogs.permission.noWithWords)}
      {answer('no', dialogs.permission.no)}
      {answer('session', dialogs.permission.session)}
      {answer('once', dialogs.permission.once, 'primary')}
    </>
  )
}

function Reason({ reason, canAnswer, onReason, onRefuse }: PermissionActionsProps & { readonly reason: string }) {
  const { dialogs } = useLanguage()
  return (
    <form
      className="permission-reason"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() !== '') onRefuse(reason.trim())
      }}
    >
      <label className="chat-dialog-label">
        {dialogs.permission.reason}
        <input
          className="field"
          autoFocus
          maxLength={4000}
          placeholder={dialogs.permission.reasonPlaceholder}
          value={reason}
          onChange={(event) => onReason(event.target.value)}
        />
      </label>
      <div className="permission-reason-actions">
        <Button onClick={() => onReason(null)} text={dialogs.permission.back} />
        <Button type="submit" look="primary" disabled={!canAnswer || reason.trim() === ''} text={dialogs.permission.sendReason} />
      </div>
    </form>
  )
}

type PermissionChoice = 'once' | 'session' | 'no' | 'words' | 'stop'

const permissionLetters: Readonly<Record<PermissionChoice, string>> = {
  once: 'Y',
  session: 'A',
  no: 'N',
  words: 'T',
  stop: 'S',
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'>

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
