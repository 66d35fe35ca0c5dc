import type { FoldEdit } from '../edit.ts'
import type { Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { countMessage } from '../tokens/count-tokens.ts'

/** Tells what folds take away, asked in the order in which they are applied: a later one may fold what an earlier one left. */
export interface FoldSizes {
  /** Where a message stands that an earlier fold left; undefined for any other. */
  readonly placeOf: (id: string) => number | undefined
  /** The tokens of what a fold takes away, whose first message stands there. */
  readonly take: (edit: FoldEdit, from: number) => number
}

/** Fold sizes in one list of messages. */
export function createFoldSizes(messages: readonly Message[], tokenizer: Tokenizer): FoldSizes {
  const places = new Map<string, number>()
  const left = new Map<number, Left>()
  const countOf = (message: Message) => countMessage(message, tokenizer)
  return {
    placeOf: (id) => (places.size === 0 ? undefined : places.get(id)),
    take(edit, from) {
      let tokens = 0
      let last = from
      for (let index = from; index < messages.length; index = last + 1) {
        const message = messages[index] as Message
        const stands = left.get(index)
        tokens += stands === undefined ? countOf(message) : stands.tokens
        last = stands?.last ?? index
        if ((stands === undefined ? message.id : stands.id) === edit.last) break
      }
      left.set(from, { id: edit.into?.id, tokens: edit.into === null ? 0 : countOf(edit.into), last })
      if (edit.into !== null) places.set(edit.into.id, from)
      return tokens
    },
  }
}

/** What stands in place of folded messages, and where they end. */
interface Left {
  readonly id: string | undefined
  readonly tokens: number
  readonly last: number
}
