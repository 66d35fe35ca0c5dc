import { type WindowCategory, windowCategories } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import { packColumn, unpackColumn } from './column.ts'
import type { Inspection, MessageTable, RecordedSide } from './inspection.ts'
import { type PackedRequests, type PackedSide, packRequests, packSide, unpackRequests, unpackSide } from './pack-requests.ts'

/** An inspection to be sent or stored: messages and requests, of which there may be a hundred thousand, are columns. */
export interface PackedInspection extends Omit<Inspection, 'messages' | 'requests' | 'recorded'> {
  readonly messages: PackedMessages
  readonly requests: PackedRequests
  readonly recorded?: Omit<RecordedSide, 'usages' | 'costs'> & { readonly side: PackedSide }
}

/** Roles and categories are places in the lists of all, and `hidden` are the tokens of each message that are not shown. */
type PackedMessages = Readonly<ReturnType<typeof packMessages>>

/** Packs an inspection to be sent or stored. */
export function packInspection({ messages, requests, recorded, ...rest }: Inspection): PackedInspection {
  const packed = { ...rest, messages: packMessages(messages), requests: packRequests(requests) }
  if (recorded === undefined) return packed
  const { usages, costs, ...sums } = recorded
  const side = packSide(usages.map((usage, index) => ({ usage, cost: costs[index] ?? null })))
  return { ...packed, recorded: { ...sums, side } }
}

/** Unpacks an inspection. Its requests are made when they are first looked at, because there may be many. */
export function unpackInspection({ messages, requests, recorded, ...rest }: PackedInspection): Inspection {
  let made: Inspection['requests'] | null = null
  return {
    ...rest,
    messages: unpackMessages(messages),
    get requests() {
      made ??= unpackRequests(requests)
      return made
    },
    requestCount: requests.count,
    ...(recorded === undefined ? {} : { recorded: unpackRecorded(recorded) }),
  }
}

function unpackRecorded({ side, ...sums }: NonNullable<PackedInspection['recorded']>): RecordedSide {
  const { usages, costs } = unpackSide(side)
  return { ...sums, usages: usages.filter((usage) => usage !== null), costs }
}

function packMessages({ ids, roles, tokens, shown, categories, tools, toolNames, times }: MessageTable) {
  return {
    ids: packColumn(ids),
    roles: packColumn(placesIn(everyRole, roles)),
    categories: packColumn(placesIn(windowCategories, categories)),
    tokens: packColumn(tokens),
    hidden: packColumn(tokens.map((amount, number) => amount - (shown[number] ?? 0))),
    tools: packColumn(tools),
    toolNames,
    times: packColumn(times),
  }
}

function unpackMessages({ ids, roles, tokens, hidden, categories, tools, toolNames, times }: PackedMessages): MessageTable {
  const amounts = unpackColumn(tokens)
  const less = unpackColumn(hidden)
  return {
    ids: unpackColumn(ids),
    roles: unpackColumn(roles).map((place) => everyRole[place] as Role),
    tokens: amounts,
    shown: amounts.map((amount, number) => amount - (less[number] ?? 0)),
    categories: unpackColumn(categories).map((place) => windowCategories[place] as WindowCategory),
    tools: unpackColumn(tools),
    toolNames,
    times: unpackColumn(times),
  }
}

const everyRole: readonly Role[] = ['system', 'user', 'assistant', 'tool']

function placesIn<Name>(names: readonly Name[], given: readonly Name[]): readonly number[] {
  const places = new Map(names.map((name, place) => [name, place]))
  return given.map((name) => places.get(name) ?? -1)
}
