import type { PermissionMode } from '@plimsoll/core/policies'
import { useState } from 'react'
import type { LiveState } from '../../../node/src/shared/server-api.ts'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'

const modes: readonly PermissionMode[] = ['read-only', 'ask', 'accept-edits', 'auto']

interface ComposerSettingsProps {
  readonly session: string
  readonly live: LiveState
  readonly onError: (error: unknown) => void
}

/** Which model answers and what it may do without asking, to be changed. */
export function ComposerSettings({ session, live, onError }: ComposerSettingsProps) {
  const { composer, turn } = useLanguage()
  const { api, hello } = useApp()
  // Shown until the server tells the new state, or refuses.
  const [asked, setAsked] = useState<{ readonly model?: string; readonly mode?: PermissionMode }>({})
  const change = async (wish: typeof asked, ask: () => Promise<unknown>) => {
    setAsked(wish)
    try {
      await ask()
      onError(null)
    } catch (error) {
      onError(error)
    } finally {
      setAsked({})
    }
  }
  const { name } = live.model
  const models = hello.models.includes(name) ? hello.models : [name, ...hello.models]
  return (
    <>
      <select
        className="button composer-select small"
        aria-label={composer.model}
        title={composer.model}
        value={asked.model ?? name}
        disabled={live.isBusy || asked.model !== undefined}
        onChange={({ target }) =>
          void change({ model: target.value }, () => api.command(session, 'model', { name: target.value }))
        }
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
      <select
        className="button composer-select small"
        aria-label={composer.mode}
        title={turn.modes[live.mode]}
        value={asked.mode ?? live.mode}
        disabled={asked.mode !== undefined}
        onChange={({ target }) => {
          const mode = target.value as PermissionMode
          void change({ mode }, () => api.command(session, 'mode', { mode }))
        }}
      >
        {modes.map((mode) => (
          <option key={mode} value={mode}>
            {composer.modes[mode]}
          </option>
        ))}
      </select>
    </>
  )
}
