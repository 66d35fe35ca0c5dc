/** The tabs of the inspector, in order. */
export const inspectorTabs = ['overview', 'timeline', 'ledger', 'messages', 'diff', 'what-if'] as const

/** One of them. */
export type InspectorTab = (typeof inspectorTabs)[number]

/** The first screen. */
export const homeRoute = '/'

/** All logs that were found. */
export const logsRoute = '/logs'

/** The chat of a session. */
export function chatRoute(session: string): string {
  return `/chat/${encodeURIComponent(session)}`
}

/** A session in the inspector, or one part of it, or one message there by its number. */
export function inspectRoute(id: string, tab: InspectorTab = 'overview', message: number | null = null): string {
  return `/inspect/${encodeURIComponent(id)}/${tab}${message === null ? '' : `/${message}`}`
}
