import type { InspectedEdit, InspectedSession } from '@plimsoll/core'
import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { LedgerList } from './ledger-list.tsx'
import { type LedgerFilter, ledgerRows, ledgerTools, ruleSums, wholeLedger } from './ledger-rows.ts'
import './ledger.css'

/** Every edit that ever took effect: what it did, why, what it did to the cache, and its original one click away. */
export function Ledger(props: InspectorPartProps) {
  const { inspection, onOpenTab, onUnder } = props
  const { edits, session } = inspection
  const { strings, number } = useLanguage()
  const { ledger } = strings.requests
  const [filter, setFilter] = useState(() => ({ ...wholeLedger, request: props.focus?.requests[0] ?? null }))
  const rows = useMemo(() => ledgerRows(edits, filter), [edits, filter])
  if (edits.length === 0)
    return (
      <div className="notice ledger-empty">
        <p>{emptyWords(session, ledger)}</p>
        <div className="ledger-empty-ways">
          {session.under !== undefined || onUnder === undefined ? null : (
            <button type="button" className="button button-primary" onClick={() => onUnder(offered)}>
              {ledger.showUnder(offered)}
            </button>
          )}
          {session.isOwn || onOpenTab === undefined ? null : (
            <button type="button" className="button" onClick={() => onOpenTab('what-if', null)}>
              {ledger.toWhatIf}
            </button>
          )}
        </div>
      </div>
    )
  return (
    <div className="ledger">
      <h2>{ledger.title}</h2>
      <LedgerSums edits={edits} policy={filter.policy} onPolicy={(policy) => setFilter({ ...filter, policy })} />
      <LedgerFilters edits={edits} filter={filter} onFilter={setFilter} />
      <p className="muted small" role="status">
        {ledger.count(number(rows.length), number(edits.length))}
      </p>
      {rows.length === 0 ? <p className="notice">{ledger.none}</p> : <LedgerList {...props} rows={rows} />}
    </div>
  )
}

/** The policy set under which an empty ledger is offered to be shown. */
const offered = 'economy'

function emptyWords({ under, isOwn, format }: InspectedSession, strings: Strings['requests']['ledger']): string {
  if (under !== undefined) return strings.emptyUnder(under.policies)
  return isOwn ? strings.empty : strings.foreign(format)
}

/** What the sums are told. */
interface LedgerSumsProps {
  readonly edits: readonly InspectedEdit[]
  readonly policy: string | null
  readonly onPolicy: (policy: string | null) => void
}

/** What each rule did. Choosing one lists only its edits. */
function LedgerSums({ edits, policy, onPolicy }: LedgerSumsProps) {
  const { strings, number } = useLanguage()
  const { ledger } = strings.requests
  const sums = useMemo(() => ruleSums(edits), [edits])
  const most = sums.reduce((top, { saved }) => Math.max(top, saved), 1)
  const total = sums.reduce((sum, { saved }) => sum + saved, 0)
  const inForce = sums.reduce((sum, rule) => sum + rule.inForce, 0)
  return (
    <table className="table ledger-sums">
      <caption className="visually-hidden">{ledger.sums}</caption>
      <thead>
        <tr>
          <th scope="col">{ledger.rule}</th>
          <th scope="col" className="number">
            {ledger.edits}
          </th>
          <th scope="col" className="number">
            {ledger.inForce}
          </th>
          <th scope="col" className="number">
            {ledger.saved}
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
          <th scope="row">{ledger.total}</th>
          <td className="number">{number(edits.length)}</td>
          <td className="number">{number(inForce)}</td>
          <td className="number">{number(total)}</td>
          <td className="ledger-bar-cell" />
        </tr>
      </tfoot>
    </table>
  )
}

/** What the filters are told. */
interface LedgerFiltersProps {
  readonly edits: readonly InspectedEdit[]
  readonly filter: LedgerFilter
  readonly onFilter: (filter: LedgerFilter) => void
}

/** Which edits are listed, and in which order. */
function LedgerFilters({ edits, filter, onFilter }: LedgerFiltersProps) {
  const { strings, number } = useLanguage()
  const { ledger } = strings.requests
  const rules = useMemo(() => ruleSums(edits).map(({ policy }) => policy), [edits])
  const tools = useMemo(() => ledgerTools(edits), [edits])
  const isFiltered = filter.policy !== null || filter.tool !== null || filter.state !== null || filter.request !== null
  const change = (part: Partial<LedgerFilter>) => onFilter({ ...filter, ...part })
  return (
    <div className="ledger-filters" role="group" aria-label={ledger.filters}>
      <Choice
        name={ledger.rule}
        any={ledger.anyRule}
        value={filter.policy}
        choices={rules.map((rule) => [rule, rule])}
        onChange={(policy) => change({ policy })}
      />
      <Choice
        name={ledger.tool}
        any={ledger.anyTool}
        value={filter.tool}
        choices={tools.map((tool) => [tool, tool === '' ? ledger.noTool : visibleLine(tool, 60)])}
        onChange={(tool) => change({ tool })}
      />
      <Choice
        name={ledger.state}
        any={ledger.anyState}
        value={filter.state}
        choices={[
          ['in-force', ledger.states['in-force']],
          ['withdrawn', ledger.states.withdrawn],
        ]}
        onChange={(state) => change({ state: state === 'in-force' || state === 'withdrawn' ? state : null })}
      />
      <label>
        <span className="muted small">{ledger.sort}</span>
        <select
          className="field"
          value={filter.sort}
          onChange={(event) => change({ sort: event.target.value === 'saved' ? 'saved' : 'order' })}
        >
          <option value="order">{ledger.inOrder}</option>
          <option value="saved">{ledger.bySaved}</option>
        </select>
      </label>
      {filter.request === null ? null : (
        <button type="button" className="button" onClick={() => change({ request: null })}>
          {ledger.onlyRequest(number(filter.request + 1))}
          <X size={14} aria-hidden />
        </button>
      )}
      {isFiltered ? (
        <button type="button" className="button button-quiet" onClick={() => onFilter({ ...wholeLedger, sort: filter.sort })}>
          {ledger.clear}
        </button>
      ) : null}
    </div>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly any: string
  readonly value: string | null
  readonly choices: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string | null) => void
}

/** Values have a sign before them, so that a tool without a name is not mistaken for any tool. */
function Choice({ name, any, value, choices, onChange }: ChoiceProps) {
  return (
    <label>
      <span className="muted small">{name}</span>
      <select
        className="field"
        value={value === null ? '' : `=${value}`}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value.slice(1))}
      >
        <option value="">{any}</option>
        {choices.map(([choice, text]) => (
          <option key={choice} value={`=${choice}`}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
