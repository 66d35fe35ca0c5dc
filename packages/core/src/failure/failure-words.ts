import { readFailureBody } from './failure-body.ts'

/** The server's own words in an error of any shape, without what it quotes; empty where it says nothing. Never throws. */
export function failureWords(body: unknown): string {
  return readFailureBody(body).texts[0] ?? ''
}
