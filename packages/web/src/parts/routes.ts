/** The tabs of the inspector, in order. */
export const inspectorTabs = ['overview', 'timeline', 'ledger', 'messages', 'diff', 'what-if'] as const

export type InspectorTab = (typeof inspectorTabs)[number]

export const homeRoute = '/'

/** All logs that were found. */
export const logsRoute = '/logs'

/** The chat of a session. */
export function chatRoute(session: string): string {
  return `/chat/${encodeURIComponent(session)}`
}

/** A session in the inspector, a tab of it, or one message or request there by its number; with `under`, as if that policy set had been active. */
export function inspectRoute(
  id: string,
  tab: InspectorTab = 'overview',
  number: number | null = null,
  under: string | null = null,
): string {
  const set = under === null ? '' : `@${encodeURIComponent(under)}`
  return `/inspect/${encodeURIComponent(id)}${set}/${tab}${number === null ? '' : `/${number}`}`
}

/**
 * Reads the part of an address that names what is inspected, and under which policy set (null: as it was recorded), such as
 * `example@economy`. No id has an `@`.
 */
export function inspectedName(part: string): { readonly id: string; readonly under: string | null } {
  const at = part.indexOf('@')
  if (at < 0) return { id: decoded(part), under: null }
  return { id: decoded(part.slice(0, at)), under: decoded(part.slice(at + 1)) || null }
}

/** The id of the session that this part of an address names, in the chat or the inspector. */
export function namedSession(part: string): string {
  return inspectedName(part).id
}

/** Users may type any address. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A tab of the inspector, and what is chosen in it by its number: a message, or in the timeline a request. */
export interface InspectorPlace {
  readonly tab: InspectorTab
  readonly number: number | null
}

/** Reads the names of a tab and a number in it, such as `messages` and `41`; an unknown tab is the first one. */
export function inspectorPlace(tab = '', number = ''): InspectorPlace {
  return {
    tab: inspectorTabs.find((known) => known === tab) ?? 'overview',
    number: /^\d{1,9}$/.test(number) ? Number(number) : null,
  }
}
