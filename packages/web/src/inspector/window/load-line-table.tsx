import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import { type ComponentProps, useMemo, useState } from 'react'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { ColumnHeads } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { CategoryIcon, CategorySwatch } from './category.tsx'
import { loadNumbers } from './load-line-layout.ts'

/** The category under the mouse, in the drawing or in the table. */
export interface Pointing {
  readonly pointed: WindowCategory | null
  readonly onPoint: (category: WindowCategory | null) => void
}

/** The actions of the table. */
export interface LoadLineActions {
  readonly onShowMessages: (wanted: { readonly category: WindowCategory; readonly tool?: string }) => void
  readonly onCompare: () => void
}

const worthAdvice = 0.02

const firstTools = 4

interface TableProps extends Pointing, LoadLineActions {
  readonly inspection: Inspection
}

/** Every number of the load: tokens, share of the window, and how to reduce it. */
export function LoadLineTable({
  inspection: { fill, messages, recorded },
  pointed,
  onPoint,
  onShowMessages,
  onCompare,
}: TableProps) {
  const { loadLine, inspector, number } = useLanguage()
  const { used, overLine, free, reserve, window } = loadNumbers(fill)
  const before = recorded?.fill
  const line = before === undefined ? null : loadNumbers(before)
  const withMessages = useMemo(() => new Set(messages.categories), [messages])
  const sum = (name: string, tokens: number, isStrong: boolean, was: number | null) => (
    <tr className={isStrong ? 'load-line-strong' : undefined}>
      <th scope="row">{name}</th>
      {before === undefined ? (
        <>
          <td className="number">{number(tokens)}</td>
          <td className="number">
            <Percent tokens={tokens} window={window} />
          </td>
        </>
      ) : (
        <Compared before={was} after={tokens} />
      )}
    </tr>
  )
  return (
    <table className="table load-line-table">
      <thead>
        <tr>
          <ColumnHeads
            heads={[
              [loadLine.category],
              ...(before === undefined
                ? ([
                    [loadLine.tokens, 'number'],
                    [loadLine.share, 'number'],
                  ] as const)
                : ([
                    [inspector.under.recordedSide, 'number'],
                    [inspector.under.simulatedSide, 'number'],
                    [inspector.under.difference, 'number'],
                  ] as const)),
            ]}
          />
        </tr>
      </thead>
      <tbody>
        {windowCategories
          .filter((category) => (fill.categories[category] ?? 0) + (before?.categories[category] ?? 0) > 0)
          .map((category) => (
            <CategoryRows
              key={category}
              category={category}
              fill={fill}
              before={before}
              window={window}
              isPointed={pointed === category}
              onPoint={onPoint}
              onShowMessages={withMessages.has(category) ? onShowMessages : null}
              onCompare={onCompare}
            />
          ))}
      </tbody>
      <tbody className="load-line-sums">
        {sum(loadLine.total, used, true, line?.used ?? null)}
        {overLine > 0 ? sum(loadLine.overRow, overLine, true, null) : sum(loadLine.freeRow, free, false, line?.free ?? null)}
        {sum(loadLine.reserveRow, reserve, false, line?.reserve ?? null)}
        <tr>
          <th scope="row">{loadLine.windowRow}</th>
          {line === null ? null : <td className="number">{number(line.window)}</td>}
          <td className="number">{number(window)}</td>
          <td />
        </tr>
      </tbody>
    </table>
  )
}

interface CategoryRowsProps {
  readonly category: WindowCategory
  readonly fill: WindowFill
  /** As recorded, if the session is simulated. */
  readonly before: WindowFill | undefined
  readonly window: number
  readonly isPointed: boolean
  readonly onPoint: Pointing['onPoint']
  /** Null if no message belongs to it. */
  readonly onShowMessages: LoadLineActions['onShowMessages'] | null
  readonly onCompare: () => void
}

function CategoryRows({ category, fill, before, window, isPointed, onPoint, onShowMessages, onCompare }: CategoryRowsProps) {
  const { loadLine, fill: names } = useLanguage()
  const tokens = fill.categories[category] ?? 0
  const remedy = window > 0 && tokens / window >= worthAdvice ? loadLine.remedies[category] : undefined
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
              <OpenButton title={loadLine.showMessages(name)} onClick={() => onShowMessages({ category })} text={name} />
            )}
          </span>
          {remedy === undefined ? null : (
            <span className="load-line-remedy">
              {remedy} {category === 'results' ? <OpenButton onClick={onCompare} text={loadLine.compare} /> : null}
            </span>
          )}
        </th>
        <Amount tokens={tokens} window={window} category={category} before={before?.categories[category] ?? (before && 0)} />
      </tr>
      {category === 'results' && fill.results.length > 1 ? (
        <ToolRows results={fill.results} before={before} window={window} onShowMessages={onShowMessages} />
      ) : null}
    </>
  )
}

function OpenButton({ text, ...rest }: ComponentProps<'button'> & { readonly text: string }) {
  return (
    <button type="button" className="load-line-open" {...rest}>
      {text}
    </button>
  )
}

type ToolRowsProps = Pick<CategoryRowsProps, 'window' | 'before' | 'onShowMessages'> & { readonly results: WindowFill['results'] }

function ToolRows({ results, before, window, onShowMessages }: ToolRowsProps) {
  const { loadLine, number } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const hidden = results.length - firstTools
  const shown = isOpen || hidden <= 1 ? results : results.slice(0, firstTools)
  return (
    <>
      {shown.slice(0, 200).map(({ tool, tokens }) => {
        const name = tool === '' ? loadLine.unknownTool : visibleLine(tool, 60)
        const show = () => onShowMessages?.({ category: 'results', tool })
        return (
          <tr key={tool} className="load-line-tool">
            <th scope="row">
              {onShowMessages === null || tool === '' ? (
                name
              ) : (
                <OpenButton title={loadLine.showMessages(name)} onClick={show} text={name} />
              )}
            </th>
            <Amount
              tokens={tokens}
              window={window}
              category="results"
              before={before && (before.results.find((one) => one.tool === tool)?.tokens ?? 0)}
            />
          </tr>
        )
      })}
      {hidden <= 1 ? null : (
        <tr className="load-line-tool">
          <th scope="row" colSpan={before === undefined ? 3 : 4}>
            <OpenButton
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              text={isOpen ? loadLine.fewerTools : loadLine.otherTools(number(hidden))}
            />
          </th>
        </tr>
      )}
    </>
  )
}

type PercentProps = { readonly tokens: number; readonly window: number }

interface AmountProps extends PercentProps {
  readonly category: WindowCategory
  /** As recorded, if the session is simulated. */
  readonly before: number | undefined
}

function Amount({ tokens, window, category, before }: AmountProps) {
  const { number } = useLanguage()
  if (before !== undefined) return <Compared before={before} after={tokens} />
  return (
    <>
      <td className="number">{number(tokens)}</td>
      <td className="number load-line-share">
        <span className={`load-line-bar category-${category}`} aria-hidden="true">
          <span style={{ width: `${window > 0 ? Math.min(100, (tokens / window) * 100) : 0}%` }} />
        </span>
        <Percent tokens={tokens} window={window} />
      </td>
    </>
  )
}

/** The tokens as recorded and as simulated, and the difference; only the latter's if they cannot be compared. */
function Compared({ before, after }: { readonly before: number | null; readonly after: number }) {
  const { number } = useLanguage()
  const difference = before === null ? 0 : after - before
  return (
    <>
      <td className="number">{before === null ? '' : number(before)}</td>
      <td className="number">{number(after)}</td>
      <td className="number">
        {before === null ? '' : `${difference < 0 ? '−' : difference > 0 ? '+' : ''}${number(Math.abs(difference))}`}
      </td>
    </>
  )
}

function Percent({ tokens, window }: PercentProps) {
  const { percent } = useLanguage()
  return <span className="load-line-percent">{window === 0 ? '' : percent(tokens / window)}</span>
}
