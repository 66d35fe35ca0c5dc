import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Spending, SpentPeriod } from '../../../node/src/shared/spending.ts'
import { useLanguage } from '../parts/language.tsx'
import { useApp, useLoaded } from '../parts/use-loaded.tsx'

/** What all agents on this machine spent today, this week and this month, with budgets. Nothing until something is known. */
export function SpendingCard() {
  const { api } = useApp()
  const [known, setKnown] = useState<Spending | null>(null)
  const [loaded] = useLoaded((signal) => api.spending(signal, setKnown), [api])
  const spending = loaded.state === 'there' ? loaded.value : known
  if (spending === null || [spending.today, spending.week, spending.month].every(isEmpty)) return null
  return <SpendingFigures {...spending} />
}

function isEmpty({ requests, budget }: SpentPeriod): boolean {
  return requests === 0 && budget === null
}

function SpendingFigures({ today, week, month, lastHour, block }: Spending) {
  const { spending, dollars, number, duration } = useLanguage()
  const periods = [
    [spending.today, today],
    [spending.week, week],
    [spending.month, month],
  ] as const
  const warnings = periods.flatMap(([name, { state, budget }]) =>
    budget !== null && (state === 'near' || state === 'over') ? [[state, spending[state](name, dollars(budget))] as const] : [],
  )
  return (
    <section className="card home-spending" aria-label={spending.title}>
      <h2>{spending.title}</h2>
      {warnings.map(([state, text]) => (
        <p key={text} className={state === 'over' ? 'notice notice-danger' : 'notice notice-warn'} role="status">
          <TriangleAlert size={14} aria-hidden /> {text}
        </p>
      ))}
      <dl>
        {periods.map(([name, period]) => (
          <Period key={name} name={name} {...period} />
        ))}
        <div>
          <dt className="small muted">{spending.lastHour}</dt>
          <dd>{dollars(lastHour)}</dd>
        </div>
      </dl>
      {block === null ? null : (
        <p className="small">
          {spending.block(
            `${block.unpriced > 0 ? '≥ ' : ''}${dollars(block.dollars)}`,
            number(block.tokens),
            duration(block.secondsLeft * 1000),
            dollars(block.dollarsPerHour),
          )}
        </p>
      )}
      <p className="small muted">{spending.about}</p>
    </section>
  )
}

function Period({ name, dollars: spent, unpriced, budget, share, state }: SpentPeriod & { readonly name: string }) {
  const { spending, dollars, percent } = useLanguage()
  const cost = `${unpriced > 0 ? '≥ ' : ''}${dollars(spent)}`
  return (
    <div>
      <dt className="small muted">{name}</dt>
      <dd>
        {cost}
        {budget === null || share === null ? null : (
          <>
            <span className="small muted"> {spending.ofBudget(dollars(budget), percent(Math.min(share, 99)))}</span>
            <span className={`home-spending-bar home-spending-${state}`} aria-hidden="true">
              <span style={{ width: `${Math.min(1, share) * 100}%` }} />
            </span>
          </>
        )}
      </dd>
    </div>
  )
}
