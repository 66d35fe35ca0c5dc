import type { Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type {
  EmbeddedInspection,
  WhatIf,
  WhatIfQuestion,
  WrittenInspection,
} from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { unpackInspection } from '../../../../node/src/shared/inspection/pack-inspection.ts'
import { foundIn } from '../../../../node/src/shared/inspection/search-message.ts'
import { firstPlace } from '../../parts/first-place.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { InspectorSource } from './inspector-source.ts'

/** A session that is part of the page: nothing is asked of a server, and nothing can be changed. */
export function embeddedSource(data: EmbeddedInspection): InspectorSource {
  const strings = stringsFor(data.locale).page
  const firstFrom = (number: number) => firstPlace(data.messages.length, (place) => (data.messages[place]?.number ?? 0) < number)
  const places = new Map(data.views.map(({ id }, index) => [id, index]))
  return {
    inspection: () => Promise.resolve(data.inspection),
    // A message that could not be read is missing: the numbers continue after it.
    messages: (from, to) => Promise.resolve(data.messages.slice(firstFrom(from), firstFrom(to))),
    search: (text) =>
      Promise.resolve(data.messages.flatMap(({ number, message }) => (foundIn(message, text) === null ? [] : [number]))),
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
    whatIf(question) {
      const answer = data.whatIf === null ? null : answerTo(data.whatIf, question)
      return answer === null ? refused(strings.noReplay) : Promise.resolve(answer)
    },
    whatIfChoices: () =>
      Promise.resolve({
        policies: [...new Set(data.whatIf?.rows.map((row) => row.policies) ?? [])],
        prices: data.whatIf?.prices ?? [],
      }),
    blob(sha256) {
      const address = Object.hasOwn(data.blobs, sha256) ? data.blobs[sha256] : undefined
      return address?.startsWith('data:image/') === true ? Promise.resolve(address) : refused(strings.contentNotHere)
    },
    restore: null,
    pin: null,
    hide: null,
    hidingCost: null,
  }
}

function refused(message: string): Promise<never> {
  return Promise.reject(new Error(message))
}

/** The messages of one request, built from the first one on: each keeps some of the request before it. */
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

/** The rows that were asked for; all if nothing is named, null if a name is not here. */
function answerTo(known: WhatIf, { policies, prices }: WhatIfQuestion): WhatIf | null {
  const sets = new Set(known.rows.map((row) => row.policies))
  if (!policies.every((name) => sets.has(name)) || !prices.every((name) => known.prices.includes(name))) return null
  const isSet = (name: string) => policies.length === 0 || name === 'raw' || policies.includes(name)
  const isPrice = (name: string) => prices.length === 0 || prices.includes(name)
  const rows = known.rows.filter((row) => isSet(row.policies) && isPrice(row.price))
  return { ...known, prices: known.prices.filter(isPrice), rows }
}

/** The session that a page carries, or what is wrong with it. */
export type ReadEmbedded =
  | { readonly data: EmbeddedInspection; readonly trouble?: never }
  | { readonly trouble: 'missing' | 'damaged'; readonly data?: never }
  | { readonly trouble: 'version'; readonly version: string; readonly data?: never }

/** Reads the data of a page. Never throws. */
export function readEmbedded(text: string | null): ReadEmbedded {
  if (text === null || text.trim() === '') return { trouble: 'missing' }
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && value['version'] !== 1) return { trouble: 'version', version: String(value['version']).slice(0, 20) }
    if (!isWritten(value)) return { trouble: 'damaged' }
    const inspection = unpackInspection(value.inspection)
    return inspection.requests.length === inspection.requestCount ? { data: { ...value, inspection } } : { trouble: 'damaged' }
  } catch {
    return { trouble: 'damaged' }
  }
}

/** The page was written by one program: this checks that nothing of it is missing. */
function isWritten(value: unknown): value is WrittenInspection {
  if (!isRecord(value)) return false
  const { locale, inspection, edits, blobs, whatIf } = value
  return (
    (locale === null || typeof locale === 'string') &&
    isRecord(inspection) &&
    ['session', 'fill', 'messages', 'requests'].every((name) => isRecord(inspection[name])) &&
    ['edits', 'troubles'].every((name) => Array.isArray(inspection[name])) &&
    ['messages', 'views', 'pool'].every((name) => Array.isArray(value[name])) &&
    isRecord(edits) &&
    isRecord(blobs) &&
    (whatIf === null || isRecord(whatIf))
  )
}
