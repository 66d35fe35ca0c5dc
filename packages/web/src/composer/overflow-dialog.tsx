import { Archive, Expand, MessageSquarePlus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { AgentError } from '../../../node/src/shared/event.ts'
import type { ModelInfo } from '../../../node/src/shared/server-api.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute } from '../parts/routes.ts'
import { Trouble, useApp, useWork } from '../parts/use-loaded.tsx'
import { OverflowAccount, overflowKey } from './overflow-account.tsx'

type OverflowDialogProps = { readonly session: string; readonly error: AgentError; readonly model: ModelInfo }

/** Says why a conversation is too long and what can be done about it. Once closed, one line stays that opens it again. */
export function OverflowDialog({ session, error, model }: OverflowDialogProps) {
  const { api, hello, refreshSessions } = useApp()
  const [, go] = useLocation()
  const { dialogs } = useLanguage()
  const [aside, setAside] = useState<string | null>(null)
  // What is told after something was done about an overflow is another one, however much it looks like it.
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
          onNewSession={() =>
            attempt(async () => {
              const { session: next } = await api.command(session, 'hand-over', {})
              refreshSessions()
              go(chatRoute(next))
            })
          }
          onCompress={() => attempt(() => api.command(session, 'compact', { thenResume: true }))}
          onModel={(name) => attempt(() => api.command(session, 'model', { name, thenResume: true }))}
        />
        {trouble === null ? null : <Trouble error={trouble} />}
        {isWorking ? <p role="status">{dialogs.overflow.inHand}</p> : null}
      </div>
    </Dialog>
  )
}

interface OverflowChoicesProps {
  readonly isWorking: boolean
  /** Those with more room, the best first. */
  readonly models: readonly ModelChoice[]
  readonly onNewSession: () => void
  readonly onCompress: () => void
  readonly onModel: (name: string) => void
}

function OverflowChoices({ isWorking, models, onNewSession, onCompress, onModel }: OverflowChoicesProps) {
  const { dialogs } = useLanguage()
  return (
    <div className="overflow-choices">
      <Choice about={dialogs.overflow.newSessionAbout}>
        <Button
          look="primary"
          icon={MessageSquarePlus}
          iconSize={15}
          disabled={isWorking}
          onClick={onNewSession}
          text={dialogs.overflow.newSession}
        />
      </Choice>
      <Choice about={dialogs.overflow.compressAbout}>
        <Button icon={Archive} iconSize={15} disabled={isWorking} onClick={onCompress} text={dialogs.overflow.compress} />
      </Choice>
      {models.length === 0 ? (
        <p className="muted small">{dialogs.overflow.noLargerModel}</p>
      ) : (
        <LargerModel isWorking={isWorking} models={models} onModel={onModel} />
      )}
    </div>
  )
}

function LargerModel({ isWorking, models, onModel }: Pick<OverflowChoicesProps, 'isWorking' | 'models' | 'onModel'>) {
  const { dialogs, short } = useLanguage()
  const [chosen, choose] = useState(models[0]?.name ?? '')
  return (
    <Choice
      about={
        <>
          {dialogs.overflow.largerModelAbout}
          <select
            className="button small overflow-models"
            aria-label={dialogs.overflow.largerModel}
            value={chosen}
            disabled={isWorking}
            onChange={(event) => choose(event.target.value)}
          >
            {models.map(({ name, window }) => (
              <option key={name} value={name}>
                {window === null ? dialogs.overflow.windowUnknown(name) : dialogs.overflow.windowOf(name, short(window))}
              </option>
            ))}
          </select>
        </>
      }
    >
      <Button
        icon={Expand}
        iconSize={15}
        disabled={isWorking}
        onClick={() => onModel(chosen)}
        text={dialogs.overflow.largerModel}
      />
    </Choice>
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

interface ModelChoice {
  readonly name: string
  /** Null where nobody knows it. */
  readonly window: number | null
}

/** The name of the model that is built in. */
const offline = 'offline'

/**
 * The models with more room than a window, the largest first, then those of which nobody knows how much they have. One whose window is
 * known to be no larger is left out: it would fail in the same way. So is the offline one, which could not go on with the work of another.
 */
export function largerModels(
  models: readonly string[],
  windows: Readonly<Record<string, number>>,
  current: { readonly name: string; readonly window: number },
): readonly ModelChoice[] {
  const others = models.filter((name, index) => name !== current.name && name !== offline && models.indexOf(name) === index)
  const choices = others.map(
    (name): ModelChoice => ({ name, window: Object.hasOwn(windows, name) ? (windows[name] ?? null) : null }),
  )
  return choices
    .filter(({ window }) => window === null || window > current.window)
    .toSorted((one, other) => (other.window ?? 0) - (one.window ?? 0))
}
