import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Composer } from '../composer/composer.tsx'
import { OverflowDialog } from '../composer/overflow-dialog.tsx'
import { PermissionDialog } from '../composer/permission-dialog.tsx'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute } from '../parts/routes.ts'
import { Trouble } from '../parts/trouble.tsx'
import { BrokenParts } from './broken-parts.tsx'
import { BusyLine } from './busy-line.tsx'
import { ChatContext } from './chat-context.tsx'
import { ChatHeader } from './chat-header.tsx'
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx'
import { rowCount } from './conversation-state.ts'
import { EmptyChat } from './empty-chat.tsx'
import { saidTexts } from './said-texts.ts'
import { useChatActions } from './use-chat-actions.ts'
import { useConversation } from './use-conversation.ts'
import './chat-screen.css'

/** The chat of one session. */
export function ChatScreen({ id }: { readonly id: string }) {
  const { strings } = useLanguage()
  const { api, refreshSessions } = useApp()
  const words = strings.chat.conversation
  const [, go] = useLocation()
  const list = useRef<ConversationListHandle>(null)
  const [unfolded] = useState(() => new Map<string, boolean>())
  const { state, error, isLost, retry, want } = useConversation(api, id, (session) => {
    refreshSessions()
    go(chatRoute(session))
  })
  const actions = useChatActions(id)
  const live = state?.live ?? null
  const lastError = state?.blocks.findLast(({ kind }) => kind === 'error' || kind === 'user')
  const retryable = live?.canResume === true && lastError?.kind === 'error' ? lastError.key : null
  const context = useMemo(
    () =>
      live === null
        ? null
        : {
            session: id,
            isBusy: live.isBusy,
            retryable,
            permission: live.permission,
            rewind: actions.rewind,
            fork: actions.fork,
            resume: actions.resume,
            unfolded,
          },
    [id, live, retryable, actions, unfolded],
  )
  const stored = state?.stored
  const blocks = state?.blocks
  const said = useMemo(
    () => (stored === undefined || blocks === undefined ? [] : saidTexts({ stored, blocks })),
    [stored, blocks],
  )

  if (state === null || context === null)
    return error === null ? (
      <p className="centered muted">{words.loading}</p>
    ) : (
      <div className="centered">
        <Trouble error={error} onRetry={retry} />
      </div>
    )
  const { permission, overflow, model } = state.live
  return (
    <ChatContext value={context}>
      <div className="chat" onKeyDown={(event) => scrollByKey(event, list.current)}>
        <ChatHeader state={state} />
        {error === null ? null : <Trouble error={error} onRetry={retry} />}
        <BrokenParts troubles={state.troubles} />
        {rowCount(state) === 0 ? (
          <EmptyChat isOffline={model.isOffline} onTry={actions.fillIn} />
        ) : (
          <ConversationList ref={list} state={state} want={want} />
        )}
        <div className="chat-foot">
          {isLost ? (
            <p className="notice notice-warn chat-banner" role="status">
              {words.connectionLost}
            </p>
          ) : null}
          {actions.error === null ? null : <Trouble error={actions.error} />}
          <BusyLine state={state} />
          {permission === null ? null : <PermissionDialog key={permission.callId} session={id} request={permission} />}
          {overflow === null ? null : <OverflowDialog session={id} error={overflow} model={model} />}
          <Composer
            session={id}
            live={state.live}
            history={said}
            onSubmit={(text) => {
              list.current?.scrollToEnd()
              return actions.submit(text)
            }}
            onCancel={actions.cancel}
            fill={actions.fill}
          />
        </div>
      </div>
    </ChatContext>
  )
}

/** The conversation is read with the keys for it also while something is being typed. */
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
