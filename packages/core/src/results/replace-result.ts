import { perPair } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import { configOf, type Facts, stringsOf } from '../facts.ts'
import { resultText, type ToolResultPart, withoutMedia, withShownText } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { labelText } from '../text/labels.ts'
import { aboutOf, type PlacedResult } from './tool-results.ts'

/** Replaces an entire result, images included, with a placeholder; none if it is already shown. */
export const replaceResult = perPair(
  (result: PlacedResult, policy: string, placeholder: string, why: string, isNamed: boolean): ReplaceEdit | null => {
    if (isPlaceholder(result.part, placeholder)) return null
    const text = isNamed ? `${placeholder} ${signpost(result)}` : placeholder
    return replaceEdit(policy, result.message.id, result.partIndex, withShownText(withoutMedia(result.part), text), why)
  },
)

/** Whether a placeholder names the handle of the result it replaces. */
export function namesOriginal(facts: Facts): boolean {
  return configOf(facts).placeholder_style === 'actionable' || stringsOf(facts).namesOriginals === true
}

/** A view passed back as a log already holds placeholders; replacing them again would lose the way to the original. */
function isPlaceholder(part: ToolResultPart, placeholder: string): boolean {
  if (withoutMedia(part) !== part) return false
  const text = resultText(part)
  return text === placeholder || (text.startsWith(`${placeholder} [`) && text.length < 300)
}

function signpost(result: PlacedResult): string {
  const about = labelText(aboutOf(result).slice(0, 20).join(', '), 80)
  return `[${labelText(result.tool ?? 'tool', 60)}${about === '' ? '' : `: ${about}`}; recall ${handleOf(resultText(result.whole))}]`
}
