import type { AgentError, ModelInfo } from '@plimsoll/core'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute } from '../parts/routes.ts'
import { Trouble } from '../parts/trouble.tsx'
import { largerModels } from './larger-models.ts'
import { OverflowAccount } from './overflow-account.tsx'
import { OverflowChoices } from './overflow-choices.tsx'
import { overflowFacts, overflowKey } from './overflow-facts.ts'
import './chat-dialogs.css'

/** An overflow that waits for the user, in which session, and with which model; does what is chosen by itself. */
export interface OverflowDialogProps {
  readonly session: string
  readonly error: AgentError
  readonly model: ModelInfo
}

/** Says why a conversation is too long and what can be done about it. Once closed, one line stays that opens it again. */
export function OverflowDialog({ session, error, model }: OverflowDialogProps) {
  const { strings } = useLanguage()
  const { api, hello, refreshSessions } = useApp()
  const [, go] = useLocation()
  const words = strings.chat.dialogs
  const [aside, setAside] = useState<string | null>(null)
  // What is told after something was done about an overflow is another one, however much it looks like it.
  const [done, setDone] = useState<AgentError | null>(null)
  const [isWorking, setWorking] = useState(false)
  const [trouble, setTrouble] = useState<unknown>(null)
  const key = overflowKey(error)
  const close = () => setAside(key)

  const run = async (work: () => Promise<unknown>) => {
    setWorking(true)
    setTrouble(null)
    try {
      await work()
      setDone(error)
    } catch (refused) {
      setTrouble(refused)
    } finally {
      setWorking(false)
    }
  }

  if (error === done) return null
  if (aside === key)
    return (
      <div className="chat-aside notice notice-warn" role="status">
        <TriangleAlert size={16} aria-hidden />
        <span>{words.overflow.setAside}</span>
        <button type="button" className="button" onClick={() => setAside(null)}>
          {words.overflow.choose}
        </button>
      </div>
    )
  return (
    <Dialog
      title={words.overflow.title}
      isAlert
      onClose={close}
      actions={
        <button type="button" className="button" onClick={close}>
          {words.close}
        </button>
      }
    >
      <div className="chat-dialog">
        <OverflowAccount error={error} facts={overflowFacts(error)} />
        <OverflowChoices
          isWorking={isWorking}
          models={largerModels(hello.models, hello.windows ?? {}, model)}
          onNewSession={() =>
            void run(async () => {
              const { session: next } = await api.command(session, 'hand-over', {})
              refreshSessions()
              go(chatRoute(next))
            })
          }
          onCompress={() => void run(() => api.command(session, 'compact', { thenResume: true }))}
          onModel={(name) => void run(() => api.command(session, 'model', { name, thenResume: true }))}
        />
        {trouble === null ? null : <Trouble error={trouble} />}
        {isWorking ? <p role="status">{words.overflow.inHand}</p> : null}
      </div>
    </Dialog>
  )
}
