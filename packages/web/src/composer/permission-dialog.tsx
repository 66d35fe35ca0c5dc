import type { PermissionAnswer, PermissionRequest } from '@plimsoll/core'
import { ShieldQuestion } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleText } from '../parts/safe-text.ts'
import { Trouble } from '../parts/trouble.tsx'
import { PermissionActions } from './permission-actions.tsx'
import { type PermissionChoice, permissionKey } from './permission-keys.ts'
import { PreviewText } from './preview-text.tsx'
import { useSettled } from './use-settled.ts'
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
  const words = strings.chat.dialogs.permission
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
        <span>{words.waiting(tool)}</span>
        <button type="button" className="button" onClick={() => setAside(false)}>
          {words.answer}
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
  const words = strings.chat.dialogs.permission
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
      title={words.title[request.access](tool)}
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
        {request.preview === null || request.preview === '' ? null : <PreviewText label={words.preview} text={request.preview} />}
        <p className="muted small">{words.scope[request.scope](tool)}</p>
        <p className="muted small">{words.keysHint}</p>
        {error === null ? null : <Trouble error={error} />}
        {isSending ? <p role="status">{words.sending}</p> : null}
      </div>
    </Dialog>
  )
}
