import type { Tokenizer } from '@plimsoll/core'
import { estimateText } from '@plimsoll/core/text'

interface SamplingOptions {
  /** Texts of up to this many characters are counted in full. Default: 32,000. */
  readonly fullUpTo?: number
  /** The number of evenly spaced pieces that are counted in longer texts. Default: 16. */
  readonly pieces?: number
  /** Characters of each piece. Default: 500. */
  readonly pieceLength?: number
}

/**
 * Estimates long texts from pieces, so that its time does not grow with their length. Short texts are counted as `estimator`
 * does.
 */
export function createSampledTokenizer({ fullUpTo = 32_000, pieces = 16, pieceLength = 500 }: SamplingOptions = {}): Tokenizer {
  return {
    name: 'sampled estimate',
    count(text) {
      if (text === '') return 0
      const isShort = text.length <= Math.max(fullUpTo, pieces * pieceLength)
      return Math.max(1, Math.round(isShort ? estimateText(text) : sampledText(text, pieces, pieceLength)))
    },
  }
}

export const sampledEstimator: Tokenizer = createSampledTokenizer()

function sampledText(text: string, pieces: number, pieceLength: number): number {
  const room = text.length - pieceLength
  let characters = 0
  let tokens = 0
  for (let piece = 0; piece < pieces; piece += 1) {
    const start = wordStart(text, Math.floor((room * (piece + 0.5)) / pieces))
    const end = wordStart(text, Math.min(text.length, start + pieceLength))
    if (end <= start) continue
    characters += end - start
    tokens += estimateText(text.slice(start, end))
  }
  return characters === 0 ? text.length / 4 : (tokens / characters) * text.length
}

/** A split word would count as two, so a piece starts and ends at a word boundary, if there is one nearby. */
function wordStart(text: string, from: number): number {
  if (from === 0 || from >= text.length) return Math.min(from, text.length)
  const near = Math.min(text.length, from + 40)
  for (let index = from; index < near; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x20 || code === 0x0a) return index
  }
  return from
}
