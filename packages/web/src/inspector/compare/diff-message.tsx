import { estimateTokens, type Message, type Part, resultText } from '@plimsoll/core'
import { inputText } from '@plimsoll/core/text'
import { ChevronDown, ChevronRight, Equal, Minus, Pencil, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { messageAbout } from '../messages/message-about.ts'
import { messageKey, partKey } from './align-messages.ts'
import { DiffText } from './diff-text.tsx'

interface DiffMessageProps {
  readonly kind: 'same' | 'changed' | 'removed' | 'added'
  readonly before: Message | null
  readonly after: Message | null
  /** Its places in both requests, from 0; null where it is in one only. */
  readonly places: readonly [before: number | null, after: number | null]
  /** Its number in the session; -1 where it is none of its messages. */
  readonly number: number
  readonly onOpenMessage: (message: number) => void
}

const icons = { same: Equal, changed: Pencil, removed: Minus, added: Plus }

/** One message of a comparison: a line, and what it says when opened. What changed is open from the start. */
export function DiffMessage({ kind, before, after, places, number: stored, onOpenMessage }: DiffMessageProps) {
  const { diff, inspector, timeline, number, ordinal } = useLanguage()
  const [isOpen, setOpen] = useState(kind === 'changed')
  const message = after ?? before
  const sizes = useMemo(() => [before, after].map((one) => (one === null ? 0 : estimateTokens([one]))), [before, after])
  if (message === null) return null
  const Icon = icons[kind]
  const placeWords = ([from, to]: DiffMessageProps['places']) =>
    from === to && from !== null
      ? diff.place(ordinal(from))
      : diff.places(from === null ? '–' : ordinal(from), to === null ? '–' : ordinal(to))
  const Arrow = isOpen ? ChevronDown : ChevronRight
  const [one, other] = sizes.map((size) => number(size)) as [string, string]
  const size = kind === 'changed' ? diff.tokensChange(one, other) : diff.tokens(kind === 'removed' ? one : other)
  return (
    <li className={`diff-step diff-${kind}`}>
      <div className="diff-step-head">
        <button type="button" className="diff-step-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Arrow size={14} aria-hidden />
          <Icon size={14} aria-hidden />
          <span className="diff-kind">{diff.steps[kind]}</span>
          <span className="diff-role">{inspector.messages.roles[message.role]}</span>
          <span className="diff-about">{messageAbout(message, 120)}</span>
        </button>
        <span className="number small muted">
          {placeWords(places)} · {size}
        </span>
        {stored < 0 ? null : (
          <Button
            look="quiet"
            isSmall
            onClick={() => onOpenMessage(stored)}
            text={timeline.detail.openMessage(ordinal(stored))}
          />
        )}
      </div>
      {isOpen ? <DiffParts before={before} after={after} /> : null}
    </li>
  )
}

/** The parts of a message before and after, each with its lines compared; of a message that is in one request only, its text. */
function DiffParts({ before, after }: { readonly before: Message | null; readonly after: Message | null }) {
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
  const { diff } = useLanguage()
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
        {isWorded ? ` · ${part.type === 'media' ? diff.mediaChanged : diff.optionsChanged}` : ''}
      </p>
      {one === '' && other === '' ? (
        part.type === 'media' ? null : (
          <p className="muted small">{diff.emptyText}</p>
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
  const { requests, diff } = useLanguage()
  return (part) => {
    switch (part.type) {
      case 'text':
        return diff.text
      case 'reasoning':
        return diff.reasoning
      case 'media':
        return diff.media(visibleLine(part.mediaType, 60))
      case 'tool-call':
        return requests.callOf(visibleLine(part.tool, 60))
      case 'tool-result':
        return requests.resultOf(part.tool === null ? requests.unknownTool : visibleLine(part.tool, 60))
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
