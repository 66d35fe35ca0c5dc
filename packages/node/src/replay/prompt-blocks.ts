import { handleOf, type Message, type Part, type Tokenizer } from '@plimsoll/core'
import { countMessage, countPart } from '@plimsoll/core/text'

/** The blocks of a prompt, one for each part of each message. */
export interface PromptBlocks {
  /** Lists for a cache: the same content has the same key. */
  readonly of: (view: readonly Message[]) => { readonly keys: number[]; readonly tokens: number[]; readonly ends: number[] }
}

/** Makes blocks of views of one session, behind a first one of so many tokens. Each message is read once. */
export function createPromptBlocks(tokenizer: Tokenizer, overhead: number): PromptBlocks {
  const numbers = new Map<string, number>()
  const known = new WeakMap<Message, { readonly keys: readonly number[]; readonly tokens: readonly number[] }>()
  const numberOf = (content: string): number => {
    let number = numbers.get(content)
    if (number === undefined) {
      number = numbers.size + 1
      numbers.set(content, number)
    }
    return number
  }
  const read = (message: Message) => {
    const keys = message.parts.map((part) => numberOf(`${message.role}${contentOf(part)}`))
    const tokens = message.parts.map((part) => countPart(part, tokenizer))
    const frame = countMessage(message, tokenizer) - tokens.reduce((sum, count) => sum + count, 0)
    // The frame of a message goes with its first part.
    return keys.length === 0
      ? { keys: [numberOf(message.role)], tokens: [frame] }
      : { keys, tokens: tokens.map((count, index) => (index === 0 ? count + frame : count)) }
  }
  return {
    of(view) {
      const keys: number[] = [0]
      const tokens: number[] = [overhead]
      const ends: number[] = []
      for (const message of view) {
        let blocks = known.get(message)
        if (blocks === undefined) {
          blocks = read(message)
          known.set(message, blocks)
        }
        for (let index = 0; index < blocks.keys.length; index += 1) {
          keys.push(blocks.keys[index] as number)
          tokens.push(blocks.tokens[index] as number)
        }
        ends.push(keys.length - 1)
      }
      return { keys, tokens, ends }
    },
  }
}

// Parts never change.
const contents = new WeakMap<Part, string>()

function contentOf(part: Part): string {
  let content = contents.get(part)
  if (content === undefined) {
    content = handleOf(JSON.stringify(part))
    contents.set(part, content)
  }
  return content
}
