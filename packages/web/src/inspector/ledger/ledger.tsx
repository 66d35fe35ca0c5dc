import { X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { agentName } from '../../../../node/src/shared/agents.ts'
import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button, Choice, ColumnHeads } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { useInspector } from '../source/inspector-source.ts'
import { LedgerList } from './ledger-list.tsx'
import { type LedgerFilter, ledgerRows, ledgerTools, ruleSums, wholeLedger } from './ledger-rows.ts'
import './ledger.css'

const offered = 'economy'

/** Every edit that took effect, with its reason, its effect on the cache, and its original one click away. */
export function Ledger() {
  const { inspection, onOpenTab, onUnder, focus } = useInspector()
  const { edits, session } = inspection
  const { ledger, number } = useLanguage()
  const [filter, setFilter] = useState(() => ({ ...wholeLedger, request: focus[0] ?? null }))
  const rows = useMemo(() => ledgerRows(edits, filter), [edits, filter])
  const recorded = session.isOwn ? ledger.empty : ledger.foreign(visibleLine(agentName(session.format), 40))
  if (edits.length === 0)
    return (
      <div className="notice ledger-empty">
        <p>{session.under === undefined ? recorded : ledger.emptyUnder(session.under.policies)}</p>
        <div className="ledger-empty-ways">
          {session.under !== undefined || onUnder === undefined ? null : (
            <Button look="primary" onClick={() => onUnder(offered)} text={ledger.showUnder(offered)} />
          )}
          {session.isOwn ? null : <Button onClick={() => onOpenTab('what-if', [])} text={ledger.toWhatIf} />}
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
      {rows.length === 0 ? <p className="notice">{ledger.none}</p> : <LedgerList rows={rows} />}
    </div>
  )
}

interface LedgerSumsProps {
  readonly edits: readonly InspectedEdit[]
  readonly policy: string | null
  readonly onPolicy: (policy: string | null) => void
}

function LedgerSums({ edits, policy, onPolicy }: LedgerSumsProps) {
  const { ledger, number } = useLanguage()
  const sums = useMemo(() => ruleSums(edits), [edits])
  const max = Math.max(1, ...sums.map(({ saved }) => saved))
  const total = sums.reduce((sum, { saved }) => sum + saved, 0)
  const inForce = sums.reduce((sum, rule) => sum + rule.inForce, 0)
  return (
    <table className="table ledger-sums">
      <caption className="visually-hidden">{ledger.sums}</caption>
      <thead>
        <tr>
          <ColumnHeads heads={[[ledger.rule], [ledger.edits, 'number'], [ledger.inForce, 'number'], [ledger.saved, 'number']]} />
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
              <div className="ledger-bar" style={{ width: `${Math.max(0, (sum.saved / max) * 100)}%` }} />
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

interface LedgerFiltersProps {
  readonly edits: readonly InspectedEdit[]
  readonly filter: LedgerFilter
  readonly onFilter: (filter: LedgerFilter) => void
}

const choiceClasses = [undefined, 'field'] as const

function LedgerFilters({ edits, filter, onFilter }: LedgerFiltersProps) {
  const { ledger, number } = useLanguage()
  const rules = useMemo(() => ruleSums(edits).map(({ policy }) => [policy, policy] as const), [edits])
  const tools = useMemo(() => ledgerTools(edits), [edits])
  const isFiltered = filter.policy !== null || filter.tool !== null || filter.state !== null || filter.request !== null
  const choice = (
    key: 'policy' | 'tool' | 'state',
    name: string,
    none: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <Choice<string>
      name={name}
      none={none}
      value={filter[key]}
      options={options}
      onChange={(value) => onFilter({ ...filter, [key]: value })}
      classNames={choiceClasses}
    />
  )
  const states = (['in-force', 'withdrawn'] as const).map((state) => [state, ledger.states[state]] as const)
  const named = tools.map((tool) => [tool, tool === '' ? ledger.noTool : visibleLine(tool, 60)] as const)
  return (
    <div className="ledger-filters" role="group" aria-label={ledger.filters}>
      {choice('policy', ledger.rule, ledger.anyRule, rules)}
      {choice('tool', ledger.tool, ledger.anyTool, named)}
      {choice('state', ledger.state, ledger.anyState, states)}
      <Choice
        name={ledger.sort}
        none={ledger.inOrder}
        value={filter.sort === 'saved' ? filter.sort : null}
        options={[['saved', ledger.bySaved]]}
        onChange={(sort) => onFilter({ ...filter, sort: sort ?? 'order' })}
        classNames={choiceClasses}
      />
      {filter.request === null ? null : (
        <Button onClick={() => onFilter({ ...filter, request: null })} text={ledger.onlyRequest(number(filter.request + 1))}>
          <X size={14} aria-hidden />
        </Button>
      )}
      {isFiltered ? (
        <Button look="quiet" onClick={() => onFilter({ ...wholeLedger, sort: filter.sort })} text={ledger.clear} />
      ) : null}
    </div>
  )
}
