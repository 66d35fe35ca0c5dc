import type { SessionListRow } from '@plimsoll/core'
import { useEffect, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { type Loaded, useLoaded } from '../parts/use-loaded.ts'

/** How often a list with work going on in it is asked for again, in milliseconds. */
const freshFor = 5000

/** The sessions that have what is searched for, all where nothing is. Asked for again when they may have changed. */
export function useSessionList(typed: string): readonly [list: Loaded<SessionsFound>, again: () => void] {
  const { api, sessionsVersion } = useApp()
  const search = useSteady(typed.trim(), 200)
  const [list, again] = useLoaded(
    async (signal): Promise<SessionsFound> => ({ search, rows: await api.sessions(search, signal) }),
    [api, search, sessionsVersion],
  )
  const isBusy = list.state === 'there' && list.value.rows.some((row) => row.isBusy)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') again()
    }
    document.addEventListener('visibilitychange', look)
    const timer = isBusy ? setInterval(look, freshFor) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [isBusy, again])
  return [list, again]
}

/** What was found, and by what. */
export interface SessionsFound {
  readonly search: string
  readonly rows: readonly SessionListRow[]
}

/** A value that is taken over once it has stayed the same for a moment; an empty one at once. */
function useSteady(value: string, milliseconds: number): string {
  const [steady, setSteady] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), value === '' ? 0 : milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return steady
}
