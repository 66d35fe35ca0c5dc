import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { Fragment, useId } from 'react'
import type { WhatIf, WhatIfParts } from '../../../../node/src/shared/inspection/embedded-inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { ColumnHeads } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { useInspector } from '../source/inspector-source.ts'
import { chartTicks } from '../timeline/timeline-layout.ts'
import { type ComparedRow, comparedRows, highestCost, linePath, whatIfParts } from './what-if-rows.ts'

/** The result of a comparison: at each price a table, the parts of the cost and the sizes of the prompts. */
export function WhatIfResult({ answer }: { readonly answer: WhatIf }) {
  const { whatIf } = useLanguage()
  return (
    <div className="what-if-result">
      <WhatIfBasis answer={answer} />
      {answer.prices.map((price) => (
        <AtPrice key={price} answer={answer} price={price} />
      ))}
      <details className="small">
        <summary>{whatIf.whatMeans}</summary>
        <p className="muted">{whatIf.meaning}</p>
      </details>
    </div>
  )
}

/** How reliable the figures are: those at the session's own prices by its reports, those at others by how the simulated cache did. */
function WhatIfBasis({ answer }: { readonly answer: WhatIf }) {
  const { whatIf, number } = useLanguage()
  const { model } = useInspector().inspection.session
  const { prices, requests, reported = 0, isPriced = true, isCalibrated, overhead, hasTimes } = answer
  const isOwn = prices.includes('session')
  const isSimulated = prices.some((name) => name !== 'session')
  const isReliable = isOwn ? reported > 0 && isPriced : isCalibrated
  const own =
    reported > 0 ? whatIf.compared(number(requests), number(reported)) : whatIf.estimated(number(requests), number(overhead))
  return (
    <div className={isReliable ? 'notice' : 'notice notice-warn'}>
      <p>
        {isReliable ? <BadgeCheck size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}{' '}
        {isOwn ? own : isCalibrated ? whatIf.calibrated : whatIf.notCalibrated}
      </p>
      {isOwn && !isPriced ? <p>{whatIf.unknownPrice(model === null ? whatIf.unnamedModel : visibleLine(model, 60))}</p> : null}
      {isSimulated ? <p className="small">{whatIf.simulated(number(requests), number(overhead))}</p> : null}
      {hasTimes ? null : <p className="small">{whatIf.noTimes}</p>}
    </div>
  )
}

function AtPrice({ answer, price }: { readonly answer: WhatIf; readonly price: string }) {
  const { whatIf, percent, number } = useLanguage()
  const rows = comparedRows(answer, price)
  const name = whatIf.priceNames[price] ?? price
  return (
    <div className="what-if-price">
      <h3>
        {name} <span className="muted small">{whatIf.aboutPrices[price] ?? whatIf.modelPrice}</span>
      </h3>
      <ul className="what-if-verdicts">
        {rows
          .filter(({ isRaw }) => !isRaw)
          .map(({ row: { policies, lost }, change, verdict, grew }) => {
            const share = percent(Math.abs(change ?? 0))
            const part = grew === null ? null : whatIf.parts[grew]
            return <li key={policies}>{whatIf.verdicts[verdict](policies, share, number(lost), lost, part)}</li>
          })}
      </ul>
      <WhatIfTable rows={rows} name={name} />
      <WhatIfBars rows={rows} />
      <WhatIfPrompts rows={rows} requests={answer.requests} />
    </div>
  )
}

/** The line pattern of each part of a bill, in addition to its colour. */
const lines: Readonly<Record<keyof WhatIfParts, string>> = {
  read: '',
  write: 'M-1 7L7 -1',
  fresh: 'M0 3H6M3 0V6',
  output: 'M3 0V6',
  recalls: 'M-1 -1L7 7',
  keepAlive: 'M0 3H6',
}

const height = 20

function WhatIfBars({ rows }: { readonly rows: readonly ComparedRow[] }) {
  const { whatIf, dollars } = useLanguage()
  const [element, width] = useWidth()
  const id = useId()
  const max = highestCost(rows)
  const partsText = (parts: WhatIfParts) => {
    const paid = whatIfParts.filter((part) => parts[part] > 0)
    return paid.map((part) => `${whatIf.parts[part]} ${dollars(parts[part])}`).join(', ')
  }
  const present = whatIfParts.filter((part) => rows.some(({ row }) => row.parts[part] > 0))
  return (
    <div className="what-if-bars" ref={element}>
      <h4>{whatIf.partsTitle}</h4>
      <svg className="visually-hidden" aria-hidden="true">
        <defs>
          {whatIfParts.map((part) => (
            <pattern key={part} id={`${id}-${part}`} width="6" height="6" patternUnits="userSpaceOnUse">
              <rect width="6" height="6" className={`what-if-part-${part}`} />
              <path d={lines[part]} className="what-if-part-lines" />
            </pattern>
          ))}
        </defs>
      </svg>
      <ul className="what-if-legend small">
        {present.map((part) => (
          <li key={part}>
            <svg width="14" height="14" aria-hidden="true">
              <rect width="14" height="14" rx="3" fill={`url(#${id}-${part})`} />
            </svg>
            {whatIf.parts[part]}
          </li>
        ))}
      </ul>
      <dl>
        {rows.map(({ row }) => {
          let x = 0
          return (
            <div key={row.policies}>
              <dt className="small">{row.policies}</dt>
              <dd>
                <svg width={width} height={height} role="img" aria-label={partsText(row.parts)}>
                  {present.map((part) => {
                    const size = max > 0 ? (row.parts[part] / max) * width : 0
                    const start = x
                    x += size
                    return size > 0 ? (
                      <rect key={part} x={start} y={0} width={size} height={height} fill={`url(#${id}-${part})`} />
                    ) : null
                  })}
                </svg>
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}

/** Dash patterns distinguish the lines in addition to their colours. */
const dashes = ['', '8 3', '2 3', '8 3 2 3', '14 4', '1 5']
const colours = 6
const chartHeight = 160
const left = 52

function WhatIfPrompts({ rows, requests }: { readonly rows: readonly ComparedRow[]; readonly requests: number }) {
  const { whatIf, number, short } = useLanguage()
  const [element, outer] = useWidth()
  const width = Math.max(0, outer - left - 4)
  const top = rows.reduce((max, { row }) => row.prompts.reduce((larger, tokens) => Math.max(larger, tokens), max), 1)
  const ordered = rows.toSorted((one, other) => Number(other.isRaw) - Number(one.isRaw))
  const line = (index: number, path: string) => (
    <path d={path} className={`what-if-line what-if-line-${index % colours}`} strokeDasharray={dashes[index % dashes.length]} />
  )
  return (
    <div className="what-if-prompts" ref={element}>
      <h4>{whatIf.promptsTitle}</h4>
      <ul className="what-if-legend small">
        {ordered.map(({ row }, index) => (
          <li key={row.policies}>
            <svg width="26" height="12" aria-hidden="true">
              {line(index, 'M0 6H26')}
            </svg>
            {row.policies} <span className="muted">{`${whatIf.peak} ${number(row.peak)}`}</span>
          </li>
        ))}
      </ul>
      {outer === 0 ? null : (
        <svg width={outer} height={chartHeight + 24} aria-hidden="true">
          <g transform={`translate(${left} 6)`}>
            {chartTicks(top, 3).map((tick) => {
              const y = chartHeight - (tick / top) * chartHeight
              return (
                <g key={tick}>
                  <path d={`M0 ${y}H${width}`} className="what-if-grid" />
                  <text x={-6} y={y + 4} textAnchor="end" className="what-if-text">
                    {short(tick)}
                  </text>
                </g>
              )
            })}
            {ordered.map(({ row }, index) => (
              <Fragment key={row.policies}>{line(index, linePath(row.prompts, top, width, chartHeight))}</Fragment>
            ))}
            <text x={0} y={chartHeight + 15} className="what-if-text">
              {whatIf.promptsAxis(number(requests))}
            </text>
          </g>
        </svg>
      )}
    </div>
  )
}

function WhatIfTable({ rows, name }: { readonly rows: readonly ComparedRow[]; readonly name: string }) {
  const { whatIf, number, percent, dollars } = useLanguage()
  const share = (value: number | null) => (value === null ? whatIf.notNeeded : percent(value))
  const heads = (['bill', 'effective', 'change', 'peak', 'inView', 'reachable', 'lost', 'recalls'] as const).map(
    (column) => [whatIf[column], 'number'] as const,
  )
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={name}>
      <table className="table what-if-table">
        <thead>
          <tr>
            <ColumnHeads heads={[[whatIf.set], ...heads]} />
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, change, isRaw }) => (
            <tr key={row.policies} className={isRaw ? 'what-if-raw' : undefined}>
              <th scope="row">{row.policies}</th>
              <td className="number">{dollars(row.bill)}</td>
              <td className="number">{dollars(row.effective)}</td>
              <td className="number">
                {isRaw || change === null ? '–' : `${change > 0 ? '+' : '−'}${percent(Math.abs(change))}`}
              </td>
              <td className="number">{number(row.peak)}</td>
              <td className="number">{share(row.inView)}</td>
              <td className="number">{share(row.reachable)}</td>
              <td className="number">{number(row.lost)}</td>
              <td className="number">{number(row.recalls)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
