import { Archive, Expand, MessageSquarePlus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { AgentError } from '../../../node/src/shared/event.ts'
import type { ModelInfo } from '../../../node/src/shared/server-api.ts'
import { Button, Select } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { ErrorNotice, useApp, useOpenChat, useWork } from '../parts/use-loaded.tsx'
import { OverflowAccount, overflowKey } from './overflow-account.tsx'

type OverflowDialogProps = { readonly session: string; readonly error: AgentError; readonly model: ModelInfo }

/** Explains why a conversation is too long and offers remedies. Once closed, one line stays that reopens it. */
export function OverflowDialog({ session, error, model }: OverflowDialogProps) {
  const { api, hello } = useApp()
  const openChat = useOpenChat()
  const { dialogs } = useLanguage()
  const [aside, setAside] = useState<string | null>(null)
  // An overflow that is reported after something was done about one is another one.
  const [done, setDone] = useState<AgentError | null>(null)
  const { isWorking, error: trouble, run } = useWork()
  const key = overflowKey(error)
  const close = () => setAside(key)
  const attempt = (work: () => Promise<unknown>) =>
    void run(async () => {
      await work()
      setDone(error)
    })

  if (error === done) return null
  if (aside === key)
    return (
      <div className="chat-aside notice notice-warn" role="status">
        <TriangleAlert size={16} aria-hidden />
        <span>{dialogs.overflow.setAside}</span>
        <Button onClick={() => setAside(null)} text={dialogs.overflow.choose} />
      </div>
    )
  return (
    <Dialog title={dialogs.overflow.title} isAlert onClose={close} close={dialogs.close}>
      <div className="chat-dialog">
        <OverflowAccount error={error} />
        <OverflowChoices
          isWorking={isWorking}
          models={largerModels(hello.models, hello.windows ?? {}, model)}
          onNewSession={() => attempt(async () => openChat((await api.command(session, 'hand-over', {})).session))}
          onCompress={() => attempt(() => api.command(session, 'compact', { thenResume: true }))}
          onModel={(name) => attempt(() => api.command(session, 'model', { name, thenResume: true }))}
        />
        {trouble === null ? null : <ErrorNotice error={trouble} />}
        {isWorking ? <p role="status">{dialogs.overflow.inHand}</p> : null}
      </div>
    </Dialog>
  )
}

interface OverflowChoicesProps {
  readonly isWorking: boolean
  readonly models: readonly ModelChoice[]
  readonly onNewSession: () => void
  readonly onCompress: () => void
  readonly onModel: (name: string) => void
}

function OverflowChoices({ isWorking, models, onNewSession, onCompress, onModel }: OverflowChoicesProps) {
  const { dialogs, short } = useLanguage()
  const { overflow } = dialogs
  const [model, setModel] = useState(models[0]?.name ?? '')
  const options = models.map(({ name, window }) => {
    const text = window === null ? overflow.windowUnknown(name) : overflow.windowOf(name, short(window))
    return [name, text] as const
  })
  const common = { iconSize: 15, disabled: isWorking }
  return (
    <div className="overflow-choices">
      <Choice about={overflow.newSessionAbout}>
        <Button {...common} look="primary" icon={MessageSquarePlus} onClick={onNewSession} text={overflow.newSession} />
      </Choice>
      <Choice about={overflow.compressAbout}>
        <Button {...common} icon={Archive} onClick={onCompress} text={overflow.compress} />
      </Choice>
      {models.length === 0 ? (
        <p className="muted small">{overflow.noLargerModel}</p>
      ) : (
        <Choice
          about={
            <>
              {overflow.largerModelAbout}
              <Select
                className="button small overflow-models"
                aria-label={overflow.largerModel}
                value={model}
                disabled={isWorking}
                options={options}
                onChoose={setModel}
              />
            </>
          }
        >
          <Button {...common} icon={Expand} onClick={() => onModel(model)} text={overflow.largerModel} />
        </Choice>
      )}
    </div>
  )
}

function Choice({ about, children }: { readonly about: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="overflow-choice">
      {children}
      <div className="muted small">{about}</div>
    </div>
  )
}

type ModelChoice = { readonly name: string; readonly window: number | null }

/**
 * The models with a larger window, the largest first, then those with an unknown one. Without the offline model, which could not
 * continue the work of another.
 */
export function largerModels(
  models: readonly string[],
  windows: Readonly<Record<string, number>>,
  current: { readonly name: string; readonly window: number },
): readonly ModelChoice[] {
  const others = [...new Set(models)].filter((name) => name !== current.name && name !== 'offline')
  return others
    .map((name): ModelChoice => ({ name, window: Object.hasOwn(windows, name) ? (windows[name] ?? null) : null }))
    .filter(({ window }) => window === null || window > current.window)
    .toSorted((one, other) => (other.window ?? 0) - (one.window ?? 0))
}
