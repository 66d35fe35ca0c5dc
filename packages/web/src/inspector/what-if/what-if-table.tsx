import { useLanguage } from '../../parts/language.tsx'
import type { ComparedRow } from './what-if-rows.ts'

/** The numbers of each policy set, the cheapest first. */
export function WhatIfTable({ rows, name }: { readonly rows: readonly ComparedRow[]; readonly name: string }) {
  const { strings, number, percent, dollars } = useLanguage()
  const words = strings.whatIf
  const share = (value: number | null) => (value === null ? words.notNeeded : percent(value))
  const heads = [words.bill, words.effective, words.change, words.peak, words.inView, words.reachable, words.lost, words.recalls]
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={name}>
      <table className="table what-if-table">
        <thead>
          <tr>
            <th scope="col">{words.set}</th>
            {heads.map((head) => (
              <th key={head} scope="col" className="number">
                {head}
              </th>
            ))}
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
