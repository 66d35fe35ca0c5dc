import { type Limit, truncate } from '../cut/truncate.ts'
import { type Facts, stringsOf } from '../facts.ts'
import { resultText, type ToolResultPart, withShownText } from '../message.ts'
import { aboutOf, type PlacedResult } from '../results/tool-results.ts'
import { countCodePoints } from '../text/code-points.ts'
import { grouped } from '../text/grouped.ts'
import { labelText } from '../text/label-text.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'

/** What a cut is made from: the result as it is shown, its original, and the original's handle. */
export interface CutSource {
  readonly result: PlacedResult
  readonly original: ToolResultPart
  readonly handle: string
}

/**
 * A result cut down to about so many tokens: head, salient lines and tail of the original, and its handle. Pictures stay. Null
 * where not even a line that names the original would be within them.
 */
export function cutResult({ result, original, handle }: CutSource, tokens: number, facts: Facts): ToolResultPart | null {
  const text = resultText(original)
  const tokenizer = facts.tokens ?? estimator
  const strings = stringsOf(facts)
  const sign = `\n[recall ${handle}]`
  // Most texts have three or four characters a token; what has fewer is tried again with less.
  let maxChars = tokens * 3
  for (let attempt = 0; attempt < 5 && maxChars >= leastCut; attempt += 1) {
    const limit: Limit = { maxChars: maxChars - sign.length, maxLines: null, by: 'cap', strategy: 'head_tail', strings }
    const cut = truncate(text, limit, (named) => named === handle).text
    const part = withShownText(result.part, cut.includes(`recall ${handle}]`) ? cut : cut + sign)
    const counted = countPart(part, tokenizer)
    if (counted <= tokens) return part
    maxChars = Math.floor((maxChars * tokens * 0.9) / counted)
  }
  const line = withShownText(result.part, resultLine(result, text, handle))
  return countPart(line, tokenizer) <= tokens ? line : null
}

/** One line that says what was here and how to get it back. */
function resultLine(result: PlacedResult, text: string, handle: string): string {
  const about = labelText(aboutOf(result).join(', '), longestName)
  return `[${labelText(result.tool ?? 'tool', longestName)}${about === '' ? '' : `: ${about}`}; ${grouped(countCodePoints(text))} characters; recall ${handle}]`
}

/** Below this, head and tail are too short to tell anything. */
const leastCut = 400

const longestName = 60
