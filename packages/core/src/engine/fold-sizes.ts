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
  return {
    placeOf: (id) => (places.size === 0 ? undefined : places.get(id)),
    take(edit, from) {
      const { tokens, last } = known(edit, from) ?? add(edit, from)
      left.set(from, { id: edit.into?.id, tokens: edit.into === null ? 0 : countMessage(edit.into, tokenizer), last })
      if (edit.into !== null) places.set(edit.into.id, from)
      return tokens
    },
  }

  /** A fold of the log's own messages is the same at every request. */
  function known(edit: FoldEdit, from: number): Taken | null {
    const before = remembered.get(edit)
    if (before === undefined || before.tokenizer !== tokenizer) return null
    const isSame = before.messages.every((message, index) => messages[from + index] === message && !left.has(from + index))
    return isSame ? { tokens: before.tokens, last: from + before.messages.length - 1 } : null
  }

  function add(edit: FoldEdit, from: number): Taken {
    let tokens = 0
    let last = from
    let isPlain = true
    for (let index = from; index < messages.length; index = last + 1) {
      const message = messages[index] as Message
      const stands = left.get(index)
      if (stands !== undefined) isPlain = false
      tokens += stands === undefined ? countMessage(message, tokenizer) : stands.tokens
      last = stands?.last ?? index
      if ((stands === undefined ? message.id : stands.id) === edit.last) break
    }
    if (isPlain) remembered.set(edit, { tokenizer, messages: messages.slice(from, last + 1), tokens })
    return { tokens, last }
  }
}

/** What stands in place of folded messages, and where they end. */
interface Left {
  readonly id: string | undefined
  readonly tokens: number
  readonly last: number
}

interface Taken {
  readonly tokens: number
  readonly last: number
}

interface Remembered {
  readonly tokenizer: Tokenizer
  readonly messages: readonly Message[]
  readonly tokens: number
}

const remembered = new WeakMap<FoldEdit, Remembered>()
