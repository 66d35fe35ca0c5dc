import { isLayer, type Message } from '@plimsoll/core'

/**
 * The messages of a view up to which a provider should keep the prompt, oldest first, at most three. One is the last message that
 * this view has in common with the one sent before it: what was kept then ends there, and is found again only if this request says
 * so. One is the last message that the next view will begin with as well: the recap and the announcement behind it are written anew
 * each time. One stands right before the first message that waits to be shown differently: once it is, everything before it should be
 * found. The system prompt is marked by itself and is never among them. `previous` is null for a first request; `waiting` names the
 * messages that wait.
 */
export function stableBreakpoints(
  view: readonly Message[],
  previous: readonly Message[] | null,
  waiting: readonly string[] = [],
): readonly string[] {
  let end = view.length
  while (end > 0 && isLayer(view[end - 1] as Message)) end -= 1
  const common = previous === null ? 0 : Math.min(end, commonStart(view, previous))
  // What is said before anybody spoke becomes the system prompt.
  const start = view.findIndex((message) => message.role !== 'system' || message.summary === true)
  if (start < 0) return []
  const waits = new Set(waiting)
  const boundary = waits.size === 0 ? -1 : view.findIndex(({ id }) => waits.has(id))
  const places = [boundary - 1, common - 1, end - 1].filter((place) => place >= start && place < end)
  return [...new Set(places)].sort((one, other) => one - other).map((place) => (view[place] as Message).id)
}

/** Milliseconds that providers keep a prompt which nobody asks for again; the shortest of the usual times. */
export const cacheLifetime = 5 * 60_000

/** How many messages two views begin with in common. */
export function commonStart(view: readonly Message[], previous: readonly Message[]): number {
  let common = 0
  while (common < view.length && isSame(view[common] as Message, previous[common])) common += 1
  return common
}

/** A message that is shown differently is made anew for each view, of the same parts as long as nothing changes. */
function isSame(message: Message, other: Message | undefined): boolean {
  if (message === other) return true
  if (other === undefined || message.id !== other.id || message.role !== other.role) return false
  const { parts } = message
  return parts.length === other.parts.length && parts.every((part, index) => part === other.parts[index])
}
