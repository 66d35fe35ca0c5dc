import { resultText } from '@plimsoll/core'
import type { ResultContent } from '@plimsoll/core/wire'

/** A result, or what a tool answered before it became one. */
interface Cuttable {
  readonly content: ResultContent
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A result whose text is too long for a page, cut to its beginning, with `metadata.cut` saying how long it is; any other comes back as it
 * is. Pictures in it are left alone.
 */
export function cutResult<Result extends Cuttable>(result: Result, mostCharacters: number): Result {
  const { content } = result
  if (hasPicture(content)) return result
  const text = resultText({ type: 'tool-result', callId: null, tool: null, content })
  if (text.length <= mostCharacters) return result
  const kept: ResultContent = { type: 'text', text: text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '') }
  const media = content.type === 'list' ? content.items.filter(({ type }) => type === 'media') : []
  return {
    ...result,
    content: media.length === 0 ? kept : { type: 'list', items: [kept, ...media] },
    metadata: { ...result.metadata, cut: { characters: text.length } },
  }
}

/** A picture that a tool made stands in its result as a data URL, until the result is kept. */
function hasPicture(content: ResultContent): boolean {
  if (content.type !== 'json') return false
  const { value } = content
  const metadata = typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null
  return typeof metadata === 'object' && metadata !== null && 'imageBase64' in metadata
}
