import type { Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { EmbeddedInspection, WhatIf, WrittenInspection } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { unpackInspection } from '../../../../node/src/shared/inspection/pack-inspection.ts'
import { firstPlace } from '../../parts/first-place.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import type { InspectorSource } from './inspector-source.ts'

/** A session that a page carries with it: nothing is asked of anybody, and nothing can be changed. */
export function embeddedSource(
  data: EmbeddedInspection,
  strings: Strings['page'] = stringsFor(data.locale).page,
): InspectorSource {
  const places = new Map(data.views.map(({ id }, index) => [id, index]))
  return {
    inspection: () => Promise.resolve(data.inspection),
    // A message that could not be read is not there: the numbers go on behind it.
    messages: (from, to) => Promise.resolve(data.messages.slice(firstFrom(data, from), firstFrom(data, to))),
    request(id) {
      const place = places.get(id)
      const view = place === undefined ? undefined : data.views[place]
      if (place === undefined || view === undefined) return refused(strings.requestNotHere)
      const { model, isProven } = view
      return Promise.resolve({ id, model, messages: viewAt(data, place), isProven })
    },
    edit(id) {
      const texts = Object.hasOwn(data.edits, id) ? data.edits[id] : undefined
      return texts === undefined ? refused(strings.editNotHere) : Promise.resolve(texts)
    },
    whatIf({ policies, prices }) {
      const answer = data.whatIf === null ? null : answerTo(data.whatIf, policies, prices)
      return answer === null ? refused(strings.noReplay) : Promise.resolve(answer)
    },
    whatIfChoices: () =>
      Promise.resolve({
        policies: [...new Set(data.whatIf?.rows.map((row) => row.policies) ?? [])],
        prices: data.whatIf?.prices ?? [],
      }),
    blob(sha256) {
      const address = Object.hasOwn(data.blobs, sha256) ? data.blobs[sha256] : undefined
      // Whatever else stands there is no picture.
      return address?.startsWith('data:image/') === true ? Promise.resolve(address) : refused(strings.contentNotHere)
    },
    restore: null,
    pin: null,
  }
}

/** The place of the first message whose number is not below this one. */
function firstFrom({ messages }: EmbeddedInspection, number: number): number {
  return firstPlace(messages.length, (place) => (messages[place]?.number ?? 0) < number)
}

function refused(message: string): Promise<never> {
  return Promise.reject(new Error(message))
}

/** The messages of one request: what each took over from the one before it, from the first one on. */
function viewAt({ views, messages, pool }: EmbeddedInspection, place: number): readonly Message[] {
  const numbers: number[] = []
  for (const { kept, added } of views.slice(0, place + 1)) {
    numbers.length = Math.min(numbers.length, Math.max(0, kept))
    for (const number of added) numbers.push(number)
  }
  return numbers.flatMap((number) => {
    const message = number < messages.length ? messages[number]?.message : pool[number - messages.length]
    return message === undefined ? [] : [message]
  })
}

/** The rows that were asked for, as far as they are here; the usual ones where nothing is named. Null where a name is not here. */
function answerTo(known: WhatIf, policies: readonly string[], prices: readonly string[]): WhatIf | null {
  const sets = new Set(known.rows.map((row) => row.policies))
  if (!policies.every((name) => sets.has(name)) || !prices.every((name) => known.prices.includes(name))) return null
  const isWanted = (row: WhatIf['rows'][number]) =>
    (policies.length === 0 || row.policies === 'raw' || policies.includes(row.policies)) &&
    (prices.length === 0 || prices.includes(row.price))
  return {
    ...known,
    prices: known.prices.filter((name) => prices.length === 0 || prices.includes(name)),
    rows: known.rows.filter(isWanted),
  }
}

/** The session that a page carries, or what is wrong with it. */
export type ReadEmbedded =
  | { readonly data: EmbeddedInspection; readonly trouble?: never }
  | { readonly trouble: 'missing' | 'damaged'; readonly data?: never }
  | { readonly trouble: 'version'; readonly version: string; readonly data?: never }

/** Reads what a page carries, as it stands in the page. Never throws, whatever that is. */
export function readEmbedded(text: string | null): ReadEmbedded {
  if (text === null || text.trim() === '') return { trouble: 'missing' }
  const value = parsed(text)
  if (!isRecord(value)) return { trouble: 'damaged' }
  if (value['version'] !== 1) return { trouble: 'version', version: String(value['version']).slice(0, 20) }
  const data = isWritten(value) ? unpacked(value) : null
  return data === null ? { trouble: 'damaged' } : { data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Null where something is not as it was packed. */
function unpacked(written: WrittenInspection): EmbeddedInspection | null {
  try {
    const inspection = unpackInspection(written.inspection)
    return inspection.requests.length === inspection.requestCount ? { ...written, inspection } : null
  } catch {
    return null
  }
}

/** The page was written as a whole by one program: what is checked is that nothing of it is missing. */
function isWritten(value: unknown): value is WrittenInspection {
  if (!isRecord(value)) return false
  const { locale, inspection, edits, blobs, whatIf } = value
  return (
    (locale === null || typeof locale === 'string') &&
    isInspection(inspection) &&
    ['messages', 'views', 'pool'].every((name) => Array.isArray(value[name])) &&
    isRecord(edits) &&
    isRecord(blobs) &&
    (whatIf === null || isRecord(whatIf))
  )
}

function isInspection(value: unknown): boolean {
  if (!isRecord(value)) return false
  return (
    ['session', 'fill', 'messages', 'requests'].every((name) => isRecord(value[name])) &&
    ['edits', 'troubles'].every((name) => Array.isArray(value[name]))
  )
}
