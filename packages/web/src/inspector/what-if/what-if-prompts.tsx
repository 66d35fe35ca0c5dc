import { useLanguage } from '../../parts/language.tsx'
import { useWidth } from '../../parts/use-width.ts'
import { chartTicks } from '../timeline/timeline-layout.ts'
import { type ComparedRow, linePath } from './what-if-rows.ts'

/** Lines are told apart by how they are dashed, too. */
const dashes = ['', '8 3', '2 3', '8 3 2 3', '14 4', '1 5']
const colours = 6
const height = 160
const left = 52

/** How large each prompt would have been: one line for each policy set, over the same requests. */
export function WhatIfPrompts({ rows, requests }: { readonly rows: readonly ComparedRow[]; readonly requests: number }) {
  const { strings, number, short } = useLanguage()
  const words = strings.whatIf
  const [element, outer] = useWidth<HTMLDivElement>()
  const width = Math.max(0, outer - left - 4)
  const top = rows.reduce((most, { row }) => row.prompts.reduce((larger, tokens) => Math.max(larger, tokens), most), 1)
  const ordered = rows.toSorted((one, other) => Number(other.isRaw) - Number(one.isRaw))
  return (
    <div className="what-if-prompts" ref={element}>
      <h4>{words.promptsTitle}</h4>
      <ul className="what-if-legend small">
        {ordered.map(({ row }, index) => (
          <li key={row.policies}>
            <svg width="26" height="12" aria-hidden="true">
              <path
                d="M0 6H26"
                className={`what-if-line what-if-line-${index % colours}`}
                strokeDasharray={dashes[index % dashes.length]}
              />
            </svg>
            {row.policies} <span className="muted">≤ {number(row.peak)}</span>
          </li>
        ))}
      </ul>
      {outer === 0 ? null : (
        <svg width={outer} height={height + 24} aria-hidden="true">
          <g transform={`translate(${left} 6)`}>
            {chartTicks(top, 3).map((tick) => {
              const y = height - (tick / top) * height
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
              <path
                key={row.policies}
                d={linePath(row.prompts, top, width, height)}
                className={`what-if-line what-if-line-${index % colours}`}
                strokeDasharray={dashes[index % dashes.length]}
              />
            ))}
            <text x={0} y={height + 15} className="what-if-text">
              {words.promptsAxis(number(requests))}
            </text>
          </g>
        </svg>
      )}
    </div>
  )
}
