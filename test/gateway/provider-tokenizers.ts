import { estimateTokens } from '@plimsoll/core'
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countP50k } from 'gpt-tokenizer/encoding/p50k_base'

/** A way to count tokens that differs from Plimsoll's estimate, and by how much depends on the content. */
export interface ProviderTokenizer {
  readonly name: string
  readonly count: (text: string) => number
}

/** Counts by kind of content, as multiples of the estimate. Judges each line by its characters. */
function byKind(
  name: string,
  ratios: { readonly prose: number; readonly code: number; readonly base64: number },
): ProviderTokenizer {
  return {
    name,
    count: remembered((text) => {
      let tokens = 0
      for (const piece of text.match(/[^\n]*\n?/g) ?? []) {
        let start = 0
        for (const { 0: run, index } of piece.matchAll(/[A-Za-z0-9+/]{200,}={0,2}/g)) {
          tokens += plain(piece.slice(start, index)) + ratios.base64 * estimateTokens(run)
          start = index + run.length
        }
        tokens += plain(piece.slice(start))
      }
      return tokens
      function plain(piece: string): number {
        const marks = piece.match(/[{}()[\];=<>_/:"\\|]/g)?.length ?? 0
        // From a sentence to a line of symbols there is no sharp border.
        const code = Math.min(Math.max((marks / Math.max(piece.length, 1) - 0.02) / 0.08, 0), 1)
        return estimateTokens(piece) * (ratios.prose + (ratios.code - ratios.prose) * code)
      }
    }),
  }
}

/** Counts characters of each class, with no regard to the estimate: a vocabulary with short words and costly digits. */
function byCharacters(
  name: string,
  per: { readonly letters: number; readonly digits: number; readonly marks: number; readonly blanks: number },
): ProviderTokenizer {
  return {
    name,
    count: remembered((text) => {
      let [letters, digits, marks, blanks] = [0, 0, 0, 0]
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index)
        if (code === 32 || code === 10 || code === 9) blanks += 1
        else if (code >= 48 && code <= 57) digits += 1
        else if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) letters += 1
        else marks += 1
      }
      return letters / per.letters + digits / per.digits + marks / per.marks + blanks / per.blanks
    }),
  }
}

function remembered(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    let tokens = known.get(text)
    if (tokens === undefined) {
      tokens = count(text)
      known.set(text, tokens)
    }
    return tokens
  }
}

/** Tokenizers that count fewer tokens, as many, and more. */
export const providerTokenizers: readonly ProviderTokenizer[] = [
  byKind('0.7 times', { prose: 0.7, code: 0.7, base64: 0.7 }),
  byKind('1.0 times', { prose: 1, code: 1, base64: 1 }),
  byKind('1.35 times', { prose: 1.35, code: 1.35, base64: 1.35 }),
  byKind('prose 1.0, code 0.7, base64 1.35', { prose: 1, code: 0.7, base64: 1.35 }),
  byKind('prose 0.7, code 1.35, base64 1.0', { prose: 0.7, code: 1.35, base64: 1 }),
  byKind('prose 1.35, code 1.0, base64 0.7', { prose: 1.35, code: 1, base64: 0.7 }),
  byCharacters('by characters', { letters: 4, digits: 1.5, marks: 1.2, blanks: 9 }),
]

/** Tokenizers of real models, other than the one that the estimate is made for. */
export const realTokenizers: readonly ProviderTokenizer[] = [
  { name: 'cl100k', count: remembered((text) => countCl100k(text)) },
  { name: 'p50k', count: remembered((text) => countP50k(text)) },
]
