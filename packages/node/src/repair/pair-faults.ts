import type { Message, ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { hasCalls, isPaired, pairUp } from '@plimsoll/core/policies'

/** What is wrong with the calls of one message: those that need a result behind it. */
export interface OpenCalls {
  /** The places of the message that asks, of the last result right behind it, and of what follows that; -1 where nothing does. */
  readonly asked: number
  readonly end: number
  readonly next: number
  readonly calls: readonly { readonly call: ToolCallPart; readonly strayed: number | null }[]
}

/** A result that nobody asked for, or a second one. */
export interface ExtraResult {
  readonly index: number
  readonly part: ToolResultPart
  readonly kind: 'doubled-result' | 'dropped-result'
}

/** What is wrong with the calls and results of a conversation. */
export interface PairFaults {
  readonly open: readonly OpenCalls[]
  readonly extra: readonly ExtraResult[]
}

/** Finds what a provider would refuse about calls and results. A log that has no calls at all says nothing about pairs. */
export function findPairFaults(messages: readonly Message[]): PairFaults {
  if (isPaired(messages) || !messages.some(hasCalls)) return { open: [], extra: [] }
  const pairs = pairUp(messages)
  const byAsked = Map.groupBy(pairs.open, ({ asked }) => asked)
  return {
    open: [...byAsked].map(([asked, open]) => {
      const end = open[0]?.end ?? asked
      const calls = open.map(({ call, strayed }) => ({ call, strayed: strayed?.index ?? null }))
      return { asked, end, next: end + 1 < messages.length ? end + 1 : -1, calls }
    }),
    extra: messages.flatMap((message, index) =>
      message.parts.flatMap((part, partIndex): readonly ExtraResult[] => {
        if (message.role !== 'tool' || part.type !== 'tool-result') return []
        const standing = pairs.standing(index, partIndex, part)
        if (standing === 'doubled') return [{ index, part, kind: 'doubled-result' }]
        return standing === 'orphan' ? [{ index, part, kind: 'dropped-result' }] : []
      }),
    ),
  }
}
