import { inputText, type Message, type Part, resultText } from '@plimsoll/core'
import { useLanguage } from '../../parts/language.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { DiffText } from './diff-text.tsx'
import { messageKey, partKey } from './message-key.ts'

/** The parts of a message before and after, each with its lines compared; of a message that is in one request only, its text. */
export function DiffParts({ before, after }: { readonly before: Message | null; readonly after: Message | null }) {
  // Of a message that is the same there is nothing to compare: it is shown as it is.
  const isWhole = before !== null && after !== null && messageKey(before) === messageKey(after)
  const count = Math.max(before?.parts.length ?? 0, after?.parts.length ?? 0)
  return (
    <div className="diff-parts">
      {Array.from({ length: count }, (_, index) => (
        <PartDiff key={index} before={before?.parts[index] ?? null} after={after?.parts[index] ?? null} isWhole={isWhole} />
      ))}
    </div>
  )
}

interface PartDiffProps {
  readonly before: Part | null
  readonly after: Part | null
  readonly isWhole: boolean
}

function PartDiff({ before, after, isWhole }: PartDiffProps) {
  const { strings } = useLanguage()
  const words = strings.diff
  const title = usePartTitle()
  const part = after ?? before
  if (part === null) return null
  const one = before === null ? '' : partText(before)
  const other = after === null ? '' : partText(after)
  const isWorded = before !== null && after !== null && one === other && partKey(before) !== partKey(after)
  return (
    <div className="diff-part">
      <p className="small muted">
        {title(part)}
        {isWorded ? ` · ${part.type === 'media' ? words.mediaChanged : words.optionsChanged}` : ''}
      </p>
      {one === '' && other === '' ? (
        part.type === 'media' ? null : (
          <p className="muted small">{words.emptyText}</p>
        )
      ) : isWhole ? (
        <LongText text={other} />
      ) : (
        <DiffText before={one} after={other} view="unified" />
      )}
    </div>
  )
}

function usePartTitle(): (part: Part) => string {
  const { strings } = useLanguage()
  const words = strings.requests
  return (part) => {
    switch (part.type) {
      case 'text':
        return strings.diff.text
      case 'reasoning':
        return strings.diff.reasoning
      case 'media':
        return strings.diff.media(visibleLine(part.mediaType, 60))
      case 'tool-call':
        return words.callOf(visibleLine(part.tool, 60))
      case 'tool-result':
        return words.resultOf(part.tool === null ? words.unknownTool : visibleLine(part.tool, 60))
    }
  }
}

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'media':
      return ''
    case 'tool-call':
      return callText(inputText(part))
    case 'tool-result':
      return resultText(part)
  }
}

/** Arguments are JSON on one line; on several they can be compared. */
function callText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
