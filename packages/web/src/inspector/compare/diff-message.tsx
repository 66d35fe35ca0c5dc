import { estimateTokens, type Message } from '@plimsoll/core'
import { ChevronDown, ChevronRight, Equal, Minus, Pencil, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { messageAbout } from '../messages/message-about.ts'
import { DiffParts } from './diff-parts.tsx'

/** What a compared message is told. */
export interface DiffMessageProps {
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
  const { strings, number, ordinal } = useLanguage()
  const words = strings.diff
  const [isOpen, setOpen] = useState(kind === 'changed')
  const message = after ?? before
  const sizes = useMemo(() => [before, after].map((one) => (one === null ? 0 : estimateTokens([one]))), [before, after])
  if (message === null) return null
  const Icon = icons[kind]
  const placeWords = ([from, to]: DiffMessageProps['places']) =>
    from === to && from !== null
      ? words.place(ordinal(from))
      : words.places(from === null ? '–' : ordinal(from), to === null ? '–' : ordinal(to))
  const Arrow = isOpen ? ChevronDown : ChevronRight
  const [one, other] = sizes.map((size) => number(size)) as [string, string]
  const size = kind === 'changed' ? words.tokensChange(one, other) : words.tokens(kind === 'removed' ? one : other)
  return (
    <li className={`diff-step diff-${kind}`}>
      <div className="diff-step-head">
        <button type="button" className="diff-step-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Arrow size={14} aria-hidden />
          <Icon size={14} aria-hidden />
          <span className="diff-kind">{words.steps[kind]}</span>
          <span className="diff-role">{strings.inspector.messages.roles[message.role]}</span>
          <span className="diff-about">{messageAbout(message, 120)}</span>
        </button>
        <span className="number small muted">
          {placeWords(places)} · {size}
        </span>
        {stored < 0 ? null : (
          <button type="button" className="button button-quiet small" onClick={() => onOpenMessage(stored)}>
            {strings.requests.timeline.detail.openMessage(ordinal(stored))}
          </button>
        )}
      </div>
      {isOpen ? <DiffParts before={before} after={after} /> : null}
    </li>
  )
}
