import type { InspectedSession } from '@plimsoll/core'
import { useMemo, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { LedgerFilters } from './ledger-filters.tsx'
import { LedgerList } from './ledger-list.tsx'
import { ledgerRows, wholeLedger } from './ledger-rows.ts'
import { LedgerSums } from './ledger-sums.tsx'
import './ledger.css'
import type { Strings } from '../../strings/strings-for.ts'

/** Every edit that ever took effect: what it did, why, what it did to the cache, and its original one click away. */
export function Ledger(props: InspectorPartProps) {
  const { inspection, onOpenTab, onUnder } = props
  const { edits, session } = inspection
  const { strings, number } = useLanguage()
  const words = strings.requests.ledger
  const [filter, setFilter] = useState(() => ({ ...wholeLedger, request: props.focus?.requests[0] ?? null }))
  const rows = useMemo(() => ledgerRows(edits, filter), [edits, filter])
  if (edits.length === 0)
    return (
      <div className="notice ledger-empty">
        <p>{emptyWords(session, words)}</p>
        <div className="ledger-empty-ways">
          {session.under !== undefined || onUnder === undefined ? null : (
            <button type="button" className="button button-primary" onClick={() => onUnder(offered)}>
              {words.showUnder(offered)}
            </button>
          )}
          {session.isOwn || onOpenTab === undefined ? null : (
            <button type="button" className="button" onClick={() => onOpenTab('what-if', null)}>
              {words.toWhatIf}
            </button>
          )}
        </div>
      </div>
    )
  return (
    <div className="ledger">
      <h2>{words.title}</h2>
      <LedgerSums edits={edits} policy={filter.policy} onPolicy={(policy) => setFilter({ ...filter, policy })} />
      <LedgerFilters edits={edits} filter={filter} onFilter={setFilter} />
      <p className="muted small" role="status">
        {words.count(number(rows.length), number(edits.length))}
      </p>
      {rows.length === 0 ? <p className="notice">{words.none}</p> : <LedgerList {...props} rows={rows} />}
    </div>
  )
}

/** The policy set under which an empty ledger is offered to be shown. */
const offered = 'economy'

function emptyWords({ under, isOwn, format }: InspectedSession, words: Strings['requests']['ledger']): string {
  if (under !== undefined) return words.emptyUnder(under.policies)
  return isOwn ? words.empty : words.foreign(format)
}
