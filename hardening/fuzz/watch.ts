import type { FuzzInput } from './target.ts'

/** Memory shared by two threads with the current input, so that one can report an input from which the other never returned. */
export interface Watch {
  readonly memory: SharedArrayBuffer
  readonly write: (input: FuzzInput) => void
  /** A number that changes with every input. */
  readonly turn: () => number
  readonly read: () => FuzzInput
}

const maxCharacters = 1 << 18
const maxChoices = 16
const headLength = 3

/** Creates a watch on new memory, or on the memory of another thread. */
export function createWatch(
  memory = new SharedArrayBuffer((headLength + maxChoices) * Int32Array.BYTES_PER_ELEMENT + maxCharacters * 2),
): Watch {
  const head = new Int32Array(memory, 0, headLength + maxChoices)
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
