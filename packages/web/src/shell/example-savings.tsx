import { Link } from 'wouter'
import { httpSource } from '../inspector/source/http-source.ts'
import { comparedRows, dearest } from '../inspector/what-if/what-if-rows.ts'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { useLoaded } from '../parts/use-loaded.ts'

const price = 'r.10'
const question = { policies: ['raw', 'economy'], prices: [price] }

/** What the example would have cost untrimmed and trimmed, for those who have no session of their own to compare. */
export function ExampleSavings() {
  const { strings, dollars, percent, number } = useLanguage()
  const { api } = useApp()
  const words = strings.shell
  const [answer] = useLoaded((signal) => httpSource(api, 'example', false).whatIf(question, signal), [api])
  if (answer.state !== 'there') return null
  const rows = comparedRows(answer.value, price)
  const trimmed = rows.find(({ verdict }) => verdict === 'cheaper')
  // Nothing is claimed that the replay did not find.
  if (trimmed === undefined) return null
  return (
    <div className="card home-savings">
      <p>
        <strong>{words.exampleCheaper(percent(Math.abs(trimmed.change ?? 0)))}</strong>{' '}
        <Link href={inspectRoute('example', 'ledger', null, trimmed.row.policies)}>{words.exampleTrimmed}</Link>
      </p>
      <dl>
        {rows.toReversed().map(({ row, isRaw }) => (
          <div key={row.policies}>
            <dt className="small">{isRaw ? words.exampleUntrimmed : row.policies}</dt>
            <dd>
              <span
                className={isRaw ? 'home-savings-bar' : 'home-savings-bar home-savings-trimmed'}
                style={{ width: `${(row.effective / dearest(rows)) * 100}%` }}
                aria-hidden
              />
              {dollars(row.effective)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted small">
        {words.exampleSimulated(number(answer.value.requests), strings.whatIf.aboutPrices[price] ?? price)}
      </p>
    </div>
  )
}
