import { estimateTokens, type Message, type Part, resultText } from '@plimsoll/core'
import { inputText, parseJson } from '@plimsoll/core/text'
import { ChevronDown, ChevronRight, Equal, Minus, Pencil, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button } from '../../parts/controls.tsx'
import { type Language, useLanguage } from '../../parts/language.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { messageAbout } from '../messages/message-about.ts'
import { useInspector } from '../source/inspector-source.ts'
import { messageKey, partKey } from './align-messages.ts'
import { DiffText } from './diff-text.tsx'

interface DiffMessageProps {
  readonly kind: 'same' | 'changed' | 'removed' | 'added'
  readonly before: Message | null
  readonly after: Message | null
  /** Its places in both requests, from 0; null if it is in one only. */
  readonly places: readonly [before: number | null, after: number | null]
  /** Its number in the session, or -1. */
  readonly number: number
}

const icons = { same: Equal, changed: Pencil, removed: Minus, added: Plus }

/** One message of a comparison: a line, and its text when opened. Changed messages start open. */
export function DiffMessage({ kind, before, after, places: [from, to], number: stored }: DiffMessageProps) {
  const { onOpenMessage } = useInspector()
  const { messageList, diff, timeline, number, ordinal } = useLanguage()
  const [isOpen, setOpen] = useState(kind === 'changed')
  const message = after ?? before
  const sizes = useMemo(() => [before, after].map((one) => (one === null ? 0 : estimateTokens([one]))), [before, after])
  if (message === null) return null
  const Icon = icons[kind]
  const place =
    from === null || to === null || from === to ? diff.place(ordinal(to ?? from ?? 0)) : diff.places(ordinal(from), ordinal(to))
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
          <span className="diff-role">{messageList.roles[message.role]}</span>
          <span className="diff-about">{messageAbout(message, 120)}</span>
        </button>
        <span className="number small muted">
          {place} · {size}
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
  // An unchanged message has nothing to compare: it is shown as text.
  const isWhole = before !== null && after !== null && messageKey(before) === messageKey(after)
  const count = Math.max(before?.parts.length ?? 0, after?.parts.length ?? 0)
  return (
    <div className="diff-parts">
      {Array.from({ length: count }, (_, index) => (
        <PartDiff key={index} before={before?.parts[index]} after={after?.parts[index]} isWhole={isWhole} />
      ))}
    </div>
  )
}

interface PartDiffProps {
  readonly before: Part | undefined
  readonly after: Part | undefined
  readonly isWhole: boolean
}

function PartDiff({ before, after, isWhole }: PartDiffProps) {
  const language = useLanguage()
  const { diff } = language
  const part = after ?? before
  if (part === undefined) return null
  const one = partText(before)
  const other = partText(after)
  const isWorded = before !== undefined && after !== undefined && one === other && partKey(before) !== partKey(after)
  const compared = isWhole ? <LongText text={other} /> : <DiffText before={one} after={other} view="unified" />
  const empty = part.type === 'media' ? null : <p className="muted small">{diff.emptyText}</p>
  return (
    <div className="diff-part">
      <p className="small muted">
        {partTitle(part, language)}
        {isWorded ? ` · ${part.type === 'media' ? diff.mediaChanged : diff.optionsChanged}` : ''}
      </p>
      {one === '' && other === '' ? empty : compared}
    </div>
  )
}

function partTitle(part: Part, { diff, requests }: Language): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return diff[part.type]
    case 'media':
      return diff.media(visibleLine(part.mediaType, 60))
    case 'tool-call':
      return requests.callOf(visibleLine(part.tool, 60))
    case 'tool-result':
      return requests.resultOf(part.tool === null ? requests.unknownTool : visibleLine(part.tool, 60))
  }
}

function partText(part: Part | undefined): string {
  switch (part?.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case undefined:
    case 'media':
      return ''
    case 'tool-call': {
      // Arguments are JSON on one line; on several they can be compared.
      const text = inputText(part)
      const value = parseJson(text)
      return value === undefined ? text : JSON.stringify(value, null, 2)
    }
    case 'tool-result':
      return resultText(part)
  }
}
