import { Play } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Composer } from '../composer/composer.tsx'
import { OverflowDialog } from '../composer/overflow-dialog.tsx'
import { PermissionDialog } from '../composer/permission-dialog.tsx'
import { UndoFilesDialog } from '../composer/undo-files-dialog.tsx'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp, useOpenChat } from '../parts/use-loaded.tsx'
import { ChatContext } from './chat-context.tsx'
import { BusyLine, ChatHeader } from './chat-header.tsx'
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx'
import { lastBlock, rowCount, saidTexts } from './conversation-state.ts'
import { useConversation } from './use-conversation.ts'
import './chat.css'

/** The chat of one session. */
export function ChatScreen({ id }: { readonly id: string }) {
  const { api } = useApp()
  const { conversation } = useLanguage()
  const list = useRef<ConversationListHandle>(null)
  const [unfolded] = useState(() => new Map<string, boolean>())
  const { state, error, retry, want } = useConversation(api, id, useOpenChat())
  const actions = useChatActions(id)
  const [undoing, undoFiles] = useState<string | null>(null)
  const live = state?.live ?? null
  const last = state === null ? null : lastBlock(state)
  const canResume = live?.canResume === true && !live.isBusy
  const retryable = canResume && last?.kind === 'error' ? last.key : null
  // A turn that was stopped or that failed says so itself.
  const isInterrupted = canResume && live.queue.length === 0 && last !== null && last.kind !== 'error' && last.kind !== 'turn'
  // The same object as long as it can be: all messages in sight read it.
  const context = useMemo(() => {
    if (live === null) return null
    const { rewind, fork, resume } = actions
    return { session: id, isBusy: live.isBusy, retryable, permission: live.permission, rewind, undoFiles, fork, resume, unfolded }
  }, [id, live, retryable, actions, unfolded])
  const said = useMemo(() => (state === null ? [] : saidTexts(state)), [state?.stored, state?.blocks])

  if (state === null || context === null)
    return error === null ? (
      <p className="centered muted">{conversation.loading}</p>
    ) : (
      <div className="centered">
        <ErrorNotice error={error} onRetry={retry} />
      </div>
    )
  const { permission, overflow, model } = state.live
  return (
    <ChatContext value={context}>
      <div className="chat" onKeyDown={(event) => scrollByKey(event, list.current)}>
        <ChatHeader state={state} />
        {error === null ? null : <ErrorNotice error={error} onRetry={retry} />}
        <BrokenParts troubles={state.troubles} />
        {rowCount(state) === 0 ? (
          <EmptyChat isOffline={model.isOffline} onTry={actions.fillIn} />
        ) : (
          <ConversationList ref={list} state={state} want={want} />
        )}
        <div className="chat-foot">
          {actions.error === null ? null : <ErrorNotice error={actions.error} />}
          <BusyLine state={state} />
          {isInterrupted ? (
            <div className="notice notice-warn chat-banner chat-interrupted" role="status">
              <span>{conversation.interrupted}</span>
              <Button icon={Play} iconSize={14} onClick={actions.resume} text={conversation.goOn} />
            </div>
          ) : null}
          {permission === null ? null : <PermissionDialog key={permission.callId} session={id} request={permission} />}
          {undoing === null ? null : <UndoFilesDialog session={id} turn={undoing} onClose={() => undoFiles(null)} />}
          {overflow === null ? null : <OverflowDialog session={id} error={overflow} model={model} />}
          <Composer
            session={id}
            live={state.live}
            history={said}
            onSubmit={(text, steer) => {
              list.current?.scrollToEnd()
              return actions.submit(text, steer)
            }}
            onCancel={actions.cancel}
            fill={actions.fill}
          />
        </div>
      </div>
    </ChatContext>
  )
}

function scrollByKey(event: KeyboardEvent, list: ConversationListHandle | null): void {
  const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event
  if (list === null || !(target instanceof HTMLTextAreaElement) || altKey || shiftKey || metaKey) return
  const isEmpty = target.value === ''
  if (key === 'PageUp' && !ctrlKey) list.scrollPages(-1)
  else if (key === 'PageDown' && !ctrlKey) list.scrollPages(1)
  else if (key === 'Home' && (ctrlKey || isEmpty)) list.scrollToStart()
  else if (key === 'End' && (ctrlKey || isEmpty)) list.scrollToEnd()
  else return
  event.preventDefault()
}

const firstProblems = 2
const maxProblems = 200

function BrokenParts({ troubles }: { readonly troubles: readonly string[] }) {
  const { inspector, number } = useLanguage()
  if (troubles.length === 0) return null
  const sentences = troubles
    .slice(0, firstProblems + maxProblems)
    .map((trouble, index) => <p key={index}>{visibleLine(trouble, 500)}</p>)
  const more = troubles.length - firstProblems
  return (
    <div className="notice notice-warn chat-banner broken-parts">
      {sentences.slice(0, firstProblems)}
      {more <= 0 ? null : (
        <details>
          <summary>{inspector.header.moreProblems(number(more))}</summary>
          {sentences.slice(firstProblems)}
        </details>
      )}
    </div>
  )
}

function EmptyChat({ isOffline, onTry }: { readonly isOffline: boolean; readonly onTry: (text: string) => void }) {
  const { conversation } = useLanguage()
  return (
    <div className="empty-chat">
      <p className="muted">{conversation.empty}</p>
      {isOffline ? (
        <>
          <p className="muted">{conversation.emptyOffline}</p>
          <div className="empty-chat-examples">
            {conversation.offlineExamples.map((example) => (
              <Button key={example} className="mono" onClick={() => onTry(example)} text={example} />
            ))}
          </div>
        </>
      ) : null}
    </div>
  )
}

function useChatActions(session: string) {
  const { api, refreshSessions } = useApp()
  const [, go] = useLocation()
  const [fill, setFill] = useState<{ readonly text: string } | null>(null)
  const [error, setError] = useState<unknown>(null)
  return useMemo(() => {
    const attempt = (work: () => Promise<unknown>) => {
      setError(null)
      work().catch(setError)
    }
    return {
      fill,
      error,
      fillIn: (text: string) => setFill({ text }),
      async submit(text: string, steer: boolean) {
        setError(null)
        const answer = await api.command(session, 'turn', steer ? { text, steer } : { text })
        refreshSessions()
        return answer
      },
      cancel: async () => (await api.command(session, 'cancel', {})).queue,
      rewind: (message: string) =>
        attempt(async () => {
          const { text } = await api.command(session, 'rewind', { before: message })
          setFill({ text })
        }),
      fork: (message: string) =>
        attempt(async () => {
          const { session: next } = await api.command(session, 'fork', { before: message })
          refreshSessions()
          go(chatRoute(next))
        }),
      resume: () => attempt(() => api.command(session, 'resume', {})),
    }
  }, [api, session, refreshSessions, go, fill, error])
}
