import type { Message, Part } from './message.ts'

/** Counts the tokens of a text. An exact one lives in `plimsoll`; `estimator` needs nothing. */
export interface Tokenizer {
  readonly name: string
  readonly count: (text: string) => number
}
