import { type Block, blockAround } from './base64-block.ts'
import { backslashUnit, base64Unit, markUnit, skip, skipBack, spaceUnit } from './base64-units.ts'
import { looksLikeBase64 } from './looks-like-base64.ts'
import type { Span } from './span.ts'

/** Base64 up to this length is left alone. */
const sizeThreshold = 10_000

/**
 * The stretches of a text that are base64 longer than the threshold, in order: data URIs, unbroken runs, and runs wrapped into
 * lines of one width. What stands around them is not part of them; where nothing but white space does, the whole text is one.
 *
 * Told by the shape alone, so it is careful: what is not clearly base64 stays.
 */
export function findBase64(text: string): readonly Span[] {
  const spans: Span[] = []
  // Nothing before this was left unexamined, so that each character is looked at a bounded number of times.
  let examined = 0
  for (let at = 0; text.length > sizeThreshold && at < text.length; at += sampleStep) {
    if (at < examined || !isSampleOf(text, at, base64Unit | spaceUnit | markUnit)) continue
    const block = blockAround(text, at, examined)
    examined = block.end
    const span = isWhole(text, block) ? { start: 0, end: text.length } : block
    if (span.end - span.start <= sizeThreshold) continue
    if (block.isDataUri || looksLikeBase64(text, block, isAlone(text, block))) spans.push(span)
  }
  return spans
}

/** Whether a JSON text may hold such a stretch in one of its strings, told from samples without parsing it. */
export function mayHoldBase64(json: string): boolean {
  for (let at = 0; json.length > sizeThreshold && at < json.length; at += sampleStep) {
    if (isSampleOf(json, at, base64Unit | spaceUnit | markUnit | backslashUnit)) return true
  }
  return false
}

// Whatever is longer than the threshold holds at least three samples, even when the first falls on the head of a data URI.
const sampleStep = 2500
const sampleLength = 1024

function isSampleOf(text: string, at: number, kinds: number): boolean {
  return skip(text, at, kinds, at + sampleLength) === at + sampleLength
}

function isWhole(text: string, { start, end }: Block): boolean {
  return skipBack(text, start, spaceUnit, 0) === 0 && skip(text, end, spaceUnit) === text.length
}

/** Whether nothing stands around a block but white space and, below it, at most a line that might be its last. */
function isAlone(text: string, { start, end, width }: Block): boolean {
  if (skipBack(text, start, spaceUnit, 0) !== 0) return false
  const last = skip(text, end, spaceUnit)
  const rest = skip(text, last, base64Unit)
  return rest - last < width && skip(text, rest, spaceUnit) === text.length
}
