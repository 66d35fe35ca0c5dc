import type { Tokenizer } from '../facts.ts'

/** A tokenizer that takes each letter for a token, so that a test can say exact numbers. */
export const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
