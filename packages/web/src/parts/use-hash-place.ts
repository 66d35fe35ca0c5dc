import { useCallback, useSyncExternalStore } from 'react'
import { type InspectorTab, inspectorTabs } from './routes.ts'

/** What is shown of a session: a part of the inspector, and a message in it by its number. */
export interface HashPlace {
  readonly tab: InspectorTab
  readonly message: number | null
}

/** The place that the page's address names behind `#`, so that a browser goes back and forth between places, without any server. */
export function useHashPlace(): readonly [place: HashPlace, go: (place: HashPlace) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const go = useCallback(({ tab, message }: HashPlace) => {
    location.hash = message === null ? tab : `${tab}/${message}`
  }, [])
  return [placeOf(hash), go]
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** Reads `#messages/41`; what is no place is the first one. */
export function placeOf(hash: string): HashPlace {
  const [name = '', number = ''] = hash.replace(/^#/, '').split('/')
  const tab = inspectorTabs.find((known) => known === name) ?? 'overview'
  return { tab, message: /^\d{1,9}$/.test(number) ? Number(number) : null }
}
