import { createContext, useContext } from 'react'
import type { Hello } from '../../../node/src/shared/server-api.ts'
import type { Api } from '../server/api.ts'

interface AppContextValue {
  readonly api: Api
  readonly hello: Hello
  /** Tells that the list of sessions may have changed. */
  readonly refreshSessions: () => void
  /** Grows whenever it may have. */
  readonly sessionsVersion: number
}

export const AppContext = createContext<AppContextValue | null>(null)

/** What every screen works with. */
export function useApp(): AppContextValue {
  const value = useContext(AppContext)
  if (value === null) throw new Error('useApp is called outside of the app')
  return value
}
