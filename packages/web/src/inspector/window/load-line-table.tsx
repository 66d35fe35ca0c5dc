import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import { useMemo, useState } from 'react'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { ColumnHeads } from '../../parts/column-heads.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { CategoryIcon, CategorySwatch } from './category.tsx'
import { loadNumbers } from './load-line-layout.ts'

/** What is pointed at, in the picture or in the table. */
export interface Pointing {
  readonly pointed: WindowCategory | null
  readonly onPoint: (category: WindowCategory | null) => void
}

/** What the table leads to. */
export interface LoadLineActions {
  readonly onShowMessages: (wanted: { readonly category: WindowCategory; readonly tool?: string }) => void
  readonly onCompare: () => void
}

/** Categories below this share of the window are not worth advice. */
const worthAdvice = 0.02

/** So many tools are listed before the others are asked for. */
const firstTools = 4

interface TableProps extends Pointing, LoadLineActions {
  readonly fill: WindowFill
  readonly messages: Inspection['messages']
}

/** Every number of the load: tokens, share of the window, and what would make it less. */
export function LoadLineTable({ fill, messages, pointed, onPoint, onShowMessages, onCompare }: TableProps) {
  const { inspector, number } = useLanguage()
  const numbers = loadNumbers(fill)
  const withMessages = useMemo(() => new Set(messages.categories), [messages])
  const there = windowCategories.filter((category) => (fill.categories[category] ?? 0) > 0)
  return (
    <table className="table load-line-table">
      <thead>
        <tr>
          <ColumnHeads
            heads={[[inspector.loadLine.category], [inspector.loadLine.tokens, 'number'], [inspector.loadLine.share, 'number']]}
          />
        </tr>
      </thead>
      <tbody>
        {there.map((category) => (
          <CategoryRows
            key={category}
            category={category}
            fill={fill}
            window={numbers.window}
            isPointed={pointed === category}
            onPoint={onPoint}
            onShowMessages={withMessages.has(category) ? onShowMessages : null}
            onCompare={onCompare}
          />
        ))}
      </tbody>
      <tbody className="load-line-sums">
        <SumRow name={inspector.loadLine.total} tokens={numbers.used} window={numbers.window} isStrong />
        {numbers.overLine > 0 ? (
          <SumRow name={inspector.loadLine.overRow} tokens={numbers.overLine} window={numbers.window} isStrong />
        ) : (
          <SumRow name={inspector.loadLine.freeRow} tokens={numbers.free} window={numbers.window} />
        )}
        <SumRow name={inspector.loadLine.reserveRow} tokens={numbers.reserve} window={numbers.window} />
        <tr>
          <th scope="row">{inspector.loadLine.windowRow}</th>
          <td className="number">{number(numbers.window)}</td>
          <td />
        </tr>
      </tbody>
    </table>
  )
}

interface CategoryRowsProps {
  readonly category: WindowCategory
  readonly fill: WindowFill
  readonly window: number
  readonly isPointed: boolean
  readonly onPoint: Pointing['onPoint']
  /** Null where no message belongs to it. */
  readonly onShowMessages: LoadLineActions['onShowMessages'] | null
  readonly onCompare: () => void
}

function CategoryRows({ category, fill, window, isPointed, onPoint, onShowMessages, onCompare }: CategoryRowsProps) {
  const { inspector, fill: names } = useLanguage()
  const tokens = fill.categories[category] ?? 0
  const remedy = window > 0 && tokens / window >= worthAdvice ? inspector.loadLine.remedies[category] : undefined
  const name = names.categories[category]
  return (
    <>
      <tr
        className={isPointed ? 'load-line-row load-line-row-pointed' : 'load-line-row'}
        onPointerEnter={() => onPoint(category)}
        onPointerLeave={() => onPoint(null)}
      >
        <th scope="row">
          <span className="load-line-name">
            <CategorySwatch category={category} />
            <CategoryIcon category={category} />
            {onShowMessages === null ? (
              name
            ) : (
              <button
                type="button"
                className="load-line-open"
                title={inspector.loadLine.showMessages(name)}
                onClick={() => onShowMessages({ category })}
              >
                {name}
              </button>
            )}
          </span>
          {remedy === undefined ? null : (
            <span className="load-line-remedy">
              {remedy}
              {category === 'results' ? (
                <button type="button" className="load-line-open" onClick={onCompare}>
                  {inspector.loadLine.compare}
                </button>
              ) : null}
            </span>
          )}
        </th>
        <Amount tokens={tokens} window={window} category={category} />
      </tr>
      {category === 'results' && fill.results.length > 1 ? (
        <ToolRows results={fill.results} window={window} onShowMessages={onShowMessages} />
      ) : null}
    </>
  )
}

interface ToolRowsProps {
  readonly results: WindowFill['results']
  readonly window: number
  readonly onShowMessages: LoadLineActions['onShowMessages'] | null
}

function ToolRows({ results, window, onShowMessages }: ToolRowsProps) {
  const { inspector, number } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const hidden = results.length - firstTools
  const shown = isOpen || hidden <= 1 ? results : results.slice(0, firstTools)
  return (
    <>
      {shown.slice(0, 200).map(({ tool, tokens }) => (
        <tr key={tool} className="load-line-tool">
          <th scope="row">
            {onShowMessages === null || tool === '' ? (
              tool === '' ? (
                inspector.loadLine.unknownTool
              ) : (
                visibleLine(tool, 60)
              )
            ) : (
              <button
                type="button"
                className="load-line-open"
                title={inspector.loadLine.showMessages(visibleLine(tool, 60))}
                onClick={() => onShowMessages({ category: 'results', tool })}
              >
                {visibleLine(tool, 60)}
              </button>
            )}
          </th>
          <Amount tokens={tokens} window={window} category="results" />
        </tr>
      ))}
      {hidden <= 1 ? null : (
        <tr className="load-line-tool">
          <th scope="row" colSpan={3}>
            <button type="button" className="load-line-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? inspector.loadLine.fewerTools : inspector.loadLine.otherTools(number(hidden))}
            </button>
          </th>
        </tr>
      )}
    </>
  )
}

type AmountProps = { readonly tokens: number; readonly window: number; readonly category: WindowCategory }

function Amount({ tokens, window, category }: AmountProps) {
  const { number, percent } = useLanguage()
  return (
    <>
      <td className="number">{number(tokens)}</td>
      <td className="number load-line-share">
        <span className={`load-line-bar category-${category}`} aria-hidden="true">
          <span style={{ width: `${window > 0 ? Math.min(100, (tokens / window) * 100) : 0}%` }} />
        </span>
        <span className="load-line-percent">{shareText(tokens, window, percent)}</span>
      </td>
    </>
  )
}

/** What is there is never said to be nothing. */
function shareText(tokens: number, window: number, percent: (share: number) => string): string {
  if (window === 0) return ''
  return tokens > 0 && tokens / window < 0.0005 ? `< ${percent(0.001)}` : percent(tokens / window)
}

interface SumRowProps {
  readonly name: string
  readonly tokens: number
  readonly window: number
  readonly isStrong?: boolean
}

function SumRow({ name, tokens, window, isStrong = false }: SumRowProps) {
  const { number, percent } = useLanguage()
  return (
    <tr className={isStrong ? 'load-line-strong' : undefined}>
      <th scope="row">{name}</th>
      <td className="number">{number(tokens)}</td>
      <td className="number">
        <span className="load-line-percent">{shareText(tokens, window, percent)}</span>
      </td>
    </tr>
  )
}
