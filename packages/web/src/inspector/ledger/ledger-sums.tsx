import type { InspectedEdit } from '@plimsoll/core'
import { useMemo } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { ruleSums } from './ledger-rows.ts'

/** What the sums are told. */
export interface LedgerSumsProps {
  readonly edits: readonly InspectedEdit[]
  readonly policy: string | null
  readonly onPolicy: (policy: string | null) => void
}

/** What each rule did. Choosing one lists only its edits. */
export function LedgerSums({ edits, policy, onPolicy }: LedgerSumsProps) {
  const { strings, number } = useLanguage()
  const words = strings.requests.ledger
  const sums = useMemo(() => ruleSums(edits), [edits])
  const most = sums.reduce((top, { saved }) => Math.max(top, saved), 1)
  const total = sums.reduce((sum, { saved }) => sum + saved, 0)
  const inForce = sums.reduce((sum, rule) => sum + rule.inForce, 0)
  return (
    <table className="table ledger-sums">
      <caption className="visually-hidden">{words.sums}</caption>
      <thead>
        <tr>
          <th scope="col">{words.rule}</th>
          <th scope="col" className="number">
            {words.edits}
          </th>
          <th scope="col" className="number">
            {words.inForce}
          </th>
          <th scope="col" className="number">
            {words.saved}
          </th>
          <td className="ledger-bar-cell" />
        </tr>
      </thead>
      <tbody>
        {sums.map((sum) => (
          <tr key={sum.policy}>
            <th scope="row">
              <button
                type="button"
                className="ledger-rule"
                aria-pressed={sum.policy === policy}
                onClick={() => onPolicy(sum.policy === policy ? null : sum.policy)}
              >
                {sum.policy}
              </button>
            </th>
            <td className="number">{number(sum.edits)}</td>
            <td className="number">{number(sum.inForce)}</td>
            <td className="number">{number(sum.saved)}</td>
            <td className="ledger-bar-cell">
              <div className="ledger-bar" style={{ width: `${Math.max(0, (sum.saved / most) * 100)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td className="number">{number(edits.length)}</td>
          <td className="number">{number(inForce)}</td>
          <td className="number">{number(total)}</td>
          <td className="ledger-bar-cell" />
        </tr>
      </tfoot>
    </table>
  )
}
