import type { Tokenizer } from '../facts.ts'
import { countLines } from '../text/code-points.ts'

/** What an answer may take up. What is not given has no limit. */
export interface Room {
  readonly tokens?: number
  readonly characters?: number
  readonly lines?: number
}

/** Whether a text has room. Counting stops where the length alone says no. */
export function hasRoom(text: string, { tokens, characters, lines }: Room, tokenizer: Tokenizer): boolean {
  if (characters !== undefined && text.length > characters) return false
  if (lines !== undefined && countLines(text) > lines) return false
  // No text of tokens is that long, apart from white space without end.
  return tokens === undefined || (text.length <= tokens * 40 && tokenizer.count(text) <= tokens)
}

/** Whether a place stands between the halves of a character. */
export function isInside(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}
