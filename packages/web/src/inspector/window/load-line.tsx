import type { Inspection, WindowCategory, WindowFill } from '@plimsoll/core'
import { Anchor, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { type Language, useLanguage } from '../../parts/language.tsx'
import { LoadLineHull } from './load-line-hull.tsx'
import { type LoadNumbers, loadNumbers } from './load-line-layout.ts'
import { type LoadLineActions, LoadLineTable } from './load-line-table.tsx'
import './load-line.css'

/** What the load line is drawn of. */
export interface LoadLineProps extends LoadLineActions {
  readonly fill: WindowFill
  readonly messages: Inspection['messages']
  /** Whether the session is ours, so that all of its prompt is known. */
  readonly isOwn: boolean
}

/** What fills the window, as a picture, in one sentence, and in every number. */
export function LoadLine({ fill, messages, isOwn, onShowMessages, onCompare }: LoadLineProps) {
  const language = useLanguage()
  const { strings, number, percent } = language
  const words = strings.inspector.loadLine
  const [pointed, setPointed] = useState<WindowCategory | null>(null)
  const numbers = loadNumbers(fill)
  const isHidden = !isOwn && (fill.categories.system ?? 0) > 0 && !messages.categories.includes('system')
  const share = numbers.window > 0 ? numbers.used / numbers.window : 0
  return (
    <section className="card load-line" aria-label={strings.fill.title}>
      <div className="load-line-picture">
        <h2 className="load-line-headline">{words.used(number(numbers.used), number(numbers.window), percent(share))}</h2>
        <p className={numbers.overLine > 0 ? 'load-line-verdict load-line-verdict-over' : 'load-line-verdict'}>
          {numbers.overLine > 0 ? <TriangleAlert size={16} aria-hidden /> : <Anchor size={16} aria-hidden />}
          {verdict(numbers, language)}
        </p>
        <LoadLineHull fill={fill} pointed={pointed} onPoint={setPointed} />
        <p className="muted small">
          {fill.source === 'usage' ? words.counted : words.estimated}{' '}
          {words.reserve(number(numbers.reserve), number(numbers.window))}
          {isHidden ? ` ${words.hiddenPrompt}` : ''}
        </p>
      </div>
      <div className="load-line-numbers">
        {numbers.used === 0 ? <p className="muted">{words.empty}</p> : null}
        <LoadLineTable
          fill={fill}
          messages={messages}
          pointed={pointed}
          onPoint={setPointed}
          onShowMessages={onShowMessages}
          onCompare={onCompare}
        />
      </div>
    </section>
  )
}

function verdict({ free, overLine, overWindow, window }: LoadNumbers, { strings, number, percent }: Language): string {
  const words = strings.inspector.loadLine
  if (overWindow > 0) return words.overWindow(number(overWindow))
  if (overLine > 0) return words.over(number(overLine))
  return words.free(number(free), percent(window > 0 ? free / window : 0))
}
