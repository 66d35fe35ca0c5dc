import type { Tokenizer } from '../facts.ts'

/** Counts each letter as a token, so that tests can state exact numbers. */
export const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
