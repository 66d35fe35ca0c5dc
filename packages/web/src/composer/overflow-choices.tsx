import { Archive, Expand, MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLanguage } from '../parts/language.tsx'
import type { ModelChoice } from './larger-models.ts'

/** What can be chosen, and who is told. */
export interface OverflowChoicesProps {
  readonly isWorking: boolean
  /** Those with more room, the best first. */
  readonly models: readonly ModelChoice[]
  readonly onNewSession: () => void
  readonly onCompress: () => void
  readonly onModel: (name: string) => void
}

/** What can be done about a conversation that is too long, each with what comes of it. */
export function OverflowChoices({ isWorking, models, onNewSession, onCompress, onModel }: OverflowChoicesProps) {
  const { strings } = useLanguage()
  const words = strings.chat.dialogs.overflow
  return (
    <div className="overflow-choices">
      <Choice about={words.newSessionAbout}>
        <button type="button" className="button button-primary" disabled={isWorking} onClick={onNewSession}>
          <MessageSquarePlus size={15} aria-hidden />
          {words.newSession}
        </button>
      </Choice>
      <Choice about={words.compressAbout}>
        <button type="button" className="button" disabled={isWorking} onClick={onCompress}>
          <Archive size={15} aria-hidden />
          {words.compress}
        </button>
      </Choice>
      {models.length === 0 ? (
        <p className="muted small">{words.noLargerModel}</p>
      ) : (
        <LargerModel isWorking={isWorking} models={models} onModel={onModel} />
      )}
    </div>
  )
}

function LargerModel({ isWorking, models, onModel }: Pick<OverflowChoicesProps, 'isWorking' | 'models' | 'onModel'>) {
  const { strings, short } = useLanguage()
  const words = strings.chat.dialogs.overflow
  const [chosen, choose] = useState(models[0]?.name ?? '')
  return (
    <Choice
      about={
        <>
          {words.largerModelAbout}
          <select
            className="button small overflow-models"
            aria-label={words.largerModel}
            value={chosen}
            disabled={isWorking}
            onChange={(event) => choose(event.target.value)}
          >
            {models.map(({ name, window }) => (
              <option key={name} value={name}>
                {window === null ? words.windowUnknown(name) : words.windowOf(name, short(window))}
              </option>
            ))}
          </select>
        </>
      }
    >
      <button type="button" className="button" disabled={isWorking} onClick={() => onModel(chosen)}>
        <Expand size={15} aria-hidden />
        {words.largerModel}
      </button>
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
