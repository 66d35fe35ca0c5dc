import type { WhatIf } from '@plimsoll/core'
import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'
import { WhatIfBars } from './what-if-bars.tsx'
import { WhatIfPrompts } from './what-if-prompts.tsx'
import { comparedRows } from './what-if-rows.ts'
import { WhatIfTable } from './what-if-table.tsx'

/** What came of a comparison: at each price a table, what the money goes to and how large the prompts were. */
export function WhatIfResult({ answer }: { readonly answer: WhatIf }) {
  const { strings, number } = useLanguage()
  const words = strings.whatIf
  return (
    <div className="what-if-result">
      <div className={answer.isCalibrated ? 'notice' : 'notice notice-warn'}>
        <p>
          {answer.isCalibrated ? <BadgeCheck size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}{' '}
          {answer.isCalibrated ? words.calibrated : words.notCalibrated}
        </p>
        <p className="small">{words.simulated(number(answer.requests), number(answer.overhead))}</p>
        {answer.hasTimes ? null : <p className="small">{words.noTimes}</p>}
      </div>
      {answer.prices.map((price) => (
        <AtPrice key={price} answer={answer} price={price} />
      ))}
      <details className="small">
        <summary>{words.whatMeans}</summary>
        <p className="muted">{words.meaning}</p>
      </details>
    </div>
  )
}

function AtPrice({ answer, price }: { readonly answer: WhatIf; readonly price: string }) {
  const { strings, percent, number } = useLanguage()
  const words = strings.whatIf
  const rows = comparedRows(answer, price)
  return (
    <div className="what-if-price">
      <h3>
        {words.atPrice(price)} <span className="muted small">{words.aboutPrices[price] ?? words.modelPrice}</span>
      </h3>
      <ul className="what-if-verdicts">
        {rows
          .filter(({ isRaw }) => !isRaw)
          .map(({ row, change, verdict, grew }) => (
            <li key={row.policies}>
              {words.verdicts[verdict](
                row.policies,
                percent(Math.abs(change ?? 0)),
                number(row.lost),
                row.lost,
                grew === null ? null : words.parts[grew],
              )}
            </li>
          ))}
      </ul>
      <WhatIfTable rows={rows} name={words.atPrice(price)} />
      <WhatIfBars rows={rows} />
      <WhatIfPrompts rows={rows} requests={answer.requests} />
    </div>
  )
}
