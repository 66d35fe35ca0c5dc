import { type InspectedRequest, windowCategories } from '@plimsoll/core'
import { FoldVertical, Scissors, X } from 'lucide-react'
import { useMemo } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { CategorySwatch } from '../window/category-pattern.tsx'
import { ReadsSwatch, readKinds } from './timeline-reads.tsx'

/** What the colours, lines and marks of the timeline stand for. */
export function TimelineLegend({ requests }: { readonly requests: readonly InspectedRequest[] }) {
  const { strings } = useLanguage()
  const words = strings.requests.timeline
  const names = strings.fill.categories
  const present = useMemo(
    () => windowCategories.filter((category) => requests.some(({ fill }) => (fill.categories[category] ?? 0) > 0)),
    [requests],
  )
  return (
    <ul className="timeline-legend small" aria-label={words.legend}>
      {present.map((category) => (
        <li key={category}>
          <CategorySwatch category={category} />
          {names[category]}
        </li>
      ))}
      <li>
        <LineSample className="timeline-load-line" />
        {words.loadLine}
      </li>
      <li>
        <LineSample className="timeline-window-line" />
        {words.window}
      </li>
      {readKinds.map((kind) => (
        <li key={kind}>
          <ReadsSwatch kind={kind} />
          {words[kind]}
        </li>
      ))}
      <li>
        <Scissors size={13} aria-hidden />
        {words.marks.edits}
      </li>
      <li>
        <FoldVertical size={13} aria-hidden />
        {words.marks.compactions}
      </li>
      <li>
        <X size={13} aria-hidden className="timeline-break" />
        {words.marks.breaks}
      </li>
    </ul>
  )
}

function LineSample({ className }: { readonly className: string }) {
  return (
    <svg width="20" height="12" aria-hidden="true">
      <path d="M0 6H20" className={className} />
    </svg>
  )
}
