import type { Message } from '@plimsoll/core'
import type { ShownRequest } from './request.ts'
import { commonStart, originsOf } from './request.ts'

/** A change of sent content that the report does not announce. */
export interface PrefixChange {
  readonly reason: 'not announced' | 'no reason for the rewrite'
  /** The index of the changed original. */
  readonly at: number
  /** The first bytes that differ: in the last accepted view, and in this one. */
  readonly was: string
  readonly is: string
}

/**
 * Compares two accepted requests of one conversation, one after the other. The second view begins with the bytes of the first, up to
 * the first message that the client itself changed or that the report of the second announces as rewritten.
 */
export function prefixChanges(before: ShownRequest, after: ShownRequest, by: 'id' | 'content'): readonly PrefixChange[] {
  const same = commonStart(before.view, after.view)
  const announced = announcedPlaces(after)
  const { rewrite } = after.report
  const changes: PrefixChange[] =
    announced.length > 0 && rewrite === null
      ? [{ reason: 'no reason for the rewrite', at: Math.min(...announced), was: '', is: '' }]
      : []
  if (same >= before.view.length) return changes
  const at = changedPlace(before, after, same, by)
  const clientChange = firstChange(before.originals, after.originals, by)
  if (at >= clientChange || announced.some((place) => place <= at)) return changes
  const excerpt = (message: unknown) => JSON.stringify(message ?? null).slice(0, 300)
  return [...changes, { reason: 'not announced', at, was: excerpt(before.view[same]), is: excerpt(after.view[same]) }]
}

/** The first message that the client itself changed. Without a codec an id names a message, so another id is another message. */
function firstChange(before: readonly Message[], after: readonly Message[], by: 'id' | 'content'): number {
  const same = commonStart(before, after)
  if (by === 'content') return same
  const renamed = before.slice(0, same).findIndex(({ id }, index) => id !== after[index]?.id)
  return renamed < 0 ? same : renamed
}

/** The places of the originals whose shown bytes the report says have changed. */
function announcedPlaces({ originals, report, place }: ShownRequest): readonly number[] {
  const rows = [...report.edits, ...(report.withdrawn ?? [])].filter(({ cache }) => cache === 'rewrite')
  if (rows.length === 0) return []
  const places = new Map<string, number>()
  for (const [index, message] of originals.entries()) {
    for (const part of message.parts.length === 0 ? [0] : message.parts.keys()) {
      const { message: name } = place(index, part)
      if (!places.has(name)) places.set(name, index)
    }
  }
  // The row of a message that the engine inserted before all others names that message.
  return rows.map(({ message }) => places.get(message) ?? 0)
}

/** Where in the originals the first difference of two views is. */
function changedPlace(before: ShownRequest, after: ShownRequest, same: number, by: 'id' | 'content'): number {
  const was = placeOf(before, same, by)
  const is = placeOf(after, same, by)
  if (is === null) return was?.place ?? before.originals.length
  if (was === null) return is.place
  // An inserted message is only known to come before the next original.
  return was.isOriginal && is.isOriginal ? Math.min(was.place, is.place) : Math.max(was.place, is.place)
}

function placeOf(
  { originals, view }: ShownRequest,
  index: number,
  by: 'id' | 'content',
): { readonly place: number; readonly isOriginal: boolean } | null {
  if (index >= view.length) return null
  const origins = originsOf(originals, view, by)
  const own = origins[index] ?? null
  if (own !== null) return { place: own, isOriginal: true }
  // Originals omitted from the view may be between it and the next one.
  const next = origins.slice(index).find((origin) => origin !== null) ?? originals.length
  return { place: next - 1, isOriginal: false }
}
