import type { FuzzInput } from './target.ts'

/** Memory that two threads share: what is being tried, so that the one can tell of an input from which the other never came back. */
export interface Watch {
  readonly memory: SharedArrayBuffer
  readonly write: (input: FuzzInput) => void
  /** A number that changes with every input. */
  readonly turn: () => number
  readonly read: () => FuzzInput
}

const mostCharacters = 1 << 18
const mostChoices = 16
const headLength = 3

/** A watch over new memory, or over memory that another thread made. */
export function createWatch(
  memory = new SharedArrayBuffer((headLength + mostChoices) * Int32Array.BYTES_PER_ELEMENT + mostCharacters * 2),
): Watch {
  const head = new Int32Array(memory, 0, headLength + mostChoices)
  const units = new Uint16Array(memory, head.byteLength)
  return {
    memory,
    write({ text, choices }) {
      head[1] = Math.min(text.length, units.length)
      head[2] = choices.length
      for (let index = 0; index < choices.length; index += 1) head[headLength + index] = choices[index] as number
      for (let index = 0; index < (head[1] as number); index += 1) units[index] = text.charCodeAt(index)
      Atomics.add(head, 0, 1)
    },
    turn: () => Atomics.load(head, 0),
    read() {
      let text = ''
      for (let index = 0; index < (head[1] as number); index += 1) text += String.fromCharCode(units[index] as number)
      return { text, choices: [...head.subarray(headLength, headLength + (head[2] as number))] }
    },
  }
}
