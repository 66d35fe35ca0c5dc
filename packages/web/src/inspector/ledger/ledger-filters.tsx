import type { InspectedEdit } from '@plimsoll/core'
import { X } from 'lucide-react'
import { useMemo } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { type LedgerFilter, ledgerTools, ruleSums, wholeLedger } from './ledger-rows.ts'

/** What the filters are told. */
export interface LedgerFiltersProps {
  readonly edits: readonly InspectedEdit[]
  readonly filter: LedgerFilter
  readonly onFilter: (filter: LedgerFilter) => void
}

/** Which edits are listed, and in which order. */
export function LedgerFilters({ edits, filter, onFilter }: LedgerFiltersProps) {
  const { strings, number } = useLanguage()
  const words = strings.requests.ledger
  const rules = useMemo(() => ruleSums(edits).map(({ policy }) => policy), [edits])
  const tools = useMemo(() => ledgerTools(edits), [edits])
  const isFiltered = filter.policy !== null || filter.tool !== null || filter.state !== null || filter.request !== null
  const change = (part: Partial<LedgerFilter>) => onFilter({ ...filter, ...part })
  return (
    <div className="ledger-filters" role="group" aria-label={words.filters}>
      <Choice
        name={words.rule}
        any={words.anyRule}
        value={filter.policy}
        choices={rules.map((rule) => [rule, rule])}
        onChange={(policy) => change({ policy })}
      />
      <Choice
        name={words.tool}
        any={words.anyTool}
        value={filter.tool}
        choices={tools.map((tool) => [tool, tool === '' ? words.noTool : visibleLine(tool, 60)])}
        onChange={(tool) => change({ tool })}
      />
      <Choice
        name={words.state}
        any={words.anyState}
        value={filter.state}
        choices={[
          ['in-force', words.states['in-force']],
          ['withdrawn', words.states.withdrawn],
        ]}
        onChange={(state) => change({ state: state === 'in-force' || state === 'withdrawn' ? state : null })}
      />
      <label>
        <span className="muted small">{words.sort}</span>
        <select
          className="field"
          value={filter.sort}
          onChange={(event) => change({ sort: event.target.value === 'saved' ? 'saved' : 'order' })}
        >
          <option value="order">{words.inOrder}</option>
          <option value="saved">{words.bySaved}</option>
        </select>
      </label>
      {filter.request === null ? null : (
        <button type="button" className="button" onClick={() => change({ request: null })}>
          {words.onlyRequest(number(filter.request + 1))}
          <X size={14} aria-hidden />
        </button>
      )}
      {isFiltered ? (
        <button type="button" className="button button-quiet" onClick={() => onFilter({ ...wholeLedger, sort: filter.sort })}>
          {words.clear}
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
