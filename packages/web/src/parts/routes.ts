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

/**
 * A session in the inspector, or one part of it, or one message there by its number; with `under`, as if that policy set had been in
 * force.
 */
export function inspectRoute(
  id: string,
  tab: InspectorTab = 'overview',
  message: number | null = null,
  under: string | null = null,
): string {
  const set = under === null ? '' : `@${encodeURIComponent(under)}`
  return `/inspect/${encodeURIComponent(id)}${set}/${tab}${message === null ? '' : `/${message}`}`
}

/** What is inspected, and under which policy set: `example@economy`. No id has an `@`. */
interface InspectedName {
  readonly id: string
  /** Null for a session as it was recorded. */
  readonly under: string | null
}

/** Reads the part of an address that names what is inspected. */
export function inspectedName(part: string): InspectedName {
  const at = part.indexOf('@')
  return at < 0
    ? { id: decoded(part), under: null }
    : { id: decoded(part.slice(0, at)), under: decoded(part.slice(at + 1)) || null }
}

/** The id of the session that this part of an address names, in the chat or the inspector. */
export function namedSession(part: string): string {
  return inspectedName(part).id
}

/** An address may be anything that somebody typed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What is shown of a session: a part of the inspector, and a message in it by its number. */
export interface HashPlace {
  readonly tab: InspectorTab
  readonly message: number | null
}

/** Reads `#messages/41`; what is no place is the first one. */
export function placeOf(hash: string): HashPlace {
  const [name = '', number = ''] = hash.replace(/^#/, '').split('/')
  const tab = inspectorTabs.find((known) => known === name) ?? 'overview'
  return { tab, message: /^\d{1,9}$/.test(number) ? Number(number) : null }
}
