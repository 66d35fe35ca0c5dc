import type { ReplaceEdit } from '../edit.ts'
import { configOf, type Facts } from '../facts.ts'
import { resultText, type ToolResultPart, withoutMedia, withShownText } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { labelText } from '../text/labels.ts'
import { aboutOf, type PlacedResult } from './tool-results.ts'

/**
 * The edit that shows a placeholder in place of a whole result, pictures included; none where it is shown already. The same result and placeholder give the
 * same object, so that nothing about it has to be worked out again at the next request.
 */
export function replaceResult(
  policy: string,
  result: PlacedResult,
  placeholder: string,
  why: string,
  facts: Facts,
): ReplaceEdit | null {
  const actionable = configOf(facts).placeholder_style === 'actionable'
  const known = remembered.get(result.part)
  if (
    known !== undefined &&
    known.placeholder === placeholder &&
    known.actionable === actionable &&
    known.edit.policy === policy &&
    known.edit.message === result.message.id &&
    known.edit.part === result.partIndex &&
    known.call === result.call &&
    known.edit.why === why
  ) {
    return known.edit
  }
  if (isPlaceholder(result.part, placeholder)) return null
  const edit: ReplaceEdit = {
    id: `${policy}:${result.message.id}.${result.partIndex}`,
    policy,
    kind: 'replace',
    message: result.message.id,
    part: result.partIndex,
    with: withShownText(withoutMedia(result.part), actionable ? `${placeholder} ${signpost(result)}` : placeholder),
    why,
  }
  remembered.set(result.part, { placeholder, actionable, call: result.call, edit })
  return edit
}

const remembered = new WeakMap<
  ToolResultPart,
  { readonly placeholder: string; readonly actionable: boolean; readonly call: PlacedResult['call']; readonly edit: ReplaceEdit }
>()

/** A view given back as a log holds placeholders already; to replace them again would only lose the way to the original. */
function isPlaceholder(part: ToolResultPart, placeholder: string): boolean {
  if (withoutMedia(part) !== part) return false
  const text = resultText(part)
  return text === placeholder || (text.startsWith(`${placeholder} [`) && text.length < 300)
}

/** What was here and how to get it back, in one short line. */
function signpost(result: PlacedResult): string {
  const about = labelText(aboutOf(result).slice(0, 20).join(', '), 80)
  return `[${labelText(result.tool ?? 'tool', 60)}${about === '' ? '' : `: ${about}`}; recall ${handleOf(resultText(result.part))}]`
}
