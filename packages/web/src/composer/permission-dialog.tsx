import { EyeOff, MessageSquareReply, ShieldQuestion, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type PermissionAnswer, type PermissionRequest, wouldFail } from '../../../node/src/shared/event.ts'
import { usePageKey } from '../parts/browser.ts'
import { Button, Form } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { Menu } from '../parts/menu.tsx'
import { visibleText } from '../parts/safe-text.ts'
import { ErrorNotice, useApp } from '../parts/use-loaded.tsx'
import { PreviewText } from './preview-text.tsx'

/** Longer than any command that a user could judge. */
const maxAbout = 20_000

/** Asks whether a call may run. Esc hides the question, so that the conversation can be read; one line stays that reopens it. */
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
      // Only then: otherwise the question goes away with the session's next state.
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
  const { dialogs, turn } = useLanguage()
  const { permission } = dialogs
  const canAnswer = useSettled(500) && !isSending
  // The answer to the model instead of the call; null while the user writes none.
  const [reason, setReason] = useState<string | null>(null)
  const choose = (choice: PermissionChoice) => {
    if (choice === 'words') setReason('')
    else if (choice === 'stop') onAnswer({ kind: 'no', reason: null }, true)
    else onAnswer(choice === 'no' ? { kind: 'no', reason: null } : { kind: choice })
  }
  usePageKey(
    (event) => {
      const choice = permissionKey(event)
      if (choice === null) return
      event.preventDefault()
      choose(choice)
    },
    canAnswer && reason === null,
  )
  const answer = (choice: PermissionChoice, text: string, look?: 'primary') => (
    <Button look={look} disabled={!canAnswer} onClick={() => choose(choice)} text={text}>
      <kbd aria-hidden>{permissionLetters[choice]}</kbd>
    </Button>
  )
  const more = (choice: PermissionChoice, label: string) => ({
    key: choice,
    label,
    isDisabled: !canAnswer,
    onChoose: () => choose(choice),
  })
  return (
    <Dialog
      title={permission.title[request.access](tool)}
      isAlert
      onClose={() => (reason === null ? onAside() : setReason(null))}
      actions={
        reason === null ? (
          <>
            <Menu
              label={permission.more}
              items={[
                { ...more('words', permission.noWithWords), icon: MessageSquareReply },
                { ...more('stop', permission.stop), icon: Square },
                { key: 'later', label: permission.later, icon: EyeOff, onChoose: onAside },
              ]}
            >
              {permission.more}
            </Menu>
            {answer('no', permission.no)}
            {answer('session', permission.session)}
            {answer('once', permission.once, 'primary')}
          </>
        ) : (
          <Reason
            reason={reason}
            canAnswer={canAnswer}
            onReason={setReason}
            onRefuse={() => onAnswer({ kind: 'no', reason: reason.trim() })}
          />
        )
      }
    >
      <div className="chat-dialog">
        <pre className="permission-about" tabIndex={0}>
          {visibleText(request.about.slice(0, maxAbout))}
          {request.about.length > maxAbout ? '…' : ''}
        </pre>
        {wouldFail(request) ? <p>{turn.wouldFail}</p> : null}
        {request.preview === null || request.preview === '' ? null : (
          <PreviewText label={permission.preview} text={request.preview} />
        )}
        <p className="muted small">{permission.scope[request.scope](tool)}</p>
        <p className="muted small by-key">{permission.keysHint}</p>
        {error === null ? null : <ErrorNotice error={error} />}
        {isSending ? <p role="status">{permission.sending}</p> : null}
      </div>
    </Dialog>
  )
}

interface ReasonProps {
  readonly reason: string
  readonly canAnswer: boolean
  readonly onReason: (reason: string | null) => void
  readonly onRefuse: () => void
}

function Reason({ reason, canAnswer, onReason, onRefuse }: ReasonProps) {
  const { permission } = useLanguage().dialogs
  const isEmpty = reason.trim() === ''
  return (
    <Form className="permission-reason" onSubmit={() => (isEmpty ? undefined : onRefuse())}>
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
        <Button onClick={() => onReason(null)} text={permission.back} />
        <Button type="submit" look="primary" disabled={!canAnswer || isEmpty} text={permission.sendReason} />
      </div>
    </Form>
  )
}

type PermissionChoice = 'once' | 'session' | 'no' | 'words' | 'stop'

const permissionLetters: Readonly<Record<PermissionChoice, string>> = { once: 'Y', session: 'A', no: 'N', words: 'T', stop: 'S' }

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'>

/** The answer of a key, if it has one. Not if it is held down, or pressed with another. */
export function permissionKey({ key, ctrlKey, metaKey, altKey, repeat, isComposing }: PressedKey): PermissionChoice | null {
  if (ctrlKey || metaKey || altKey || repeat || isComposing) return null
  const found = Object.entries(permissionLetters).find(([, letter]) => letter === key.toUpperCase())
  return found === undefined ? null : (found[0] as PermissionChoice)
}

/** Whether no key was pressed for a moment since this was shown: a question in the middle of typing must not take the next letter. */
function useSettled(milliseconds: number): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (isSettled) return undefined
    let timer = setTimeout(() => setSettled(true), milliseconds)
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(true), milliseconds)
    }
    document.addEventListener('keydown', wait, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', wait, true)
    }
  }, [milliseconds, isSettled])
  return isSettled
}
