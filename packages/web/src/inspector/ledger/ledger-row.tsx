import type { InspectedEdit } from '@plimsoll/core'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { LedgerDetail } from './ledger-detail.tsx'
import { savedBy } from './ledger-rows.ts'

/** What a row of the ledger is told. */
export interface LedgerRowProps extends InspectorPartProps {
  readonly edit: InspectedEdit
  readonly row: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Columns of the ledger. */
const columns = 9

/** One edit in a line, and opened below it. */
export function LedgerRow({ edit, row, isOpen, onToggle, ...part }: LedgerRowProps) {
  const { strings, number, time, ordinal } = useLanguage()
  const words = strings.requests.ledger
  const { number: first, lastNumber } = edit
  const place = first === lastNumber ? ordinal(first) : words.messages(ordinal(first), ordinal(lastNumber))
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <tr aria-rowindex={row} className={edit.state === 'withdrawn' ? 'ledger-withdrawn' : undefined}>
        <th scope="row">
          <button
            type="button"
            className="ledger-rule"
            aria-expanded={isOpen}
            aria-label={words.open(edit.policy, place)}
            onClick={onToggle}
          >
            <Icon size={14} aria-hidden />
            {edit.policy}
          </button>
          {edit.state === 'withdrawn' ? <span className="muted ledger-narrow">{words.states.withdrawn}</span> : null}
        </th>
        <td>
          {place}
          {edit.tool === null ? null : <span className="muted"> · {visibleLine(edit.tool, 60)}</span>}
        </td>
        <td className="ledger-wide number">{words.change(number(edit.tokensBefore), number(edit.tokensAfter))}</td>
        <td className="number">{number(savedBy(edit))}</td>
        <td className="ledger-wide ledger-why">{visibleLine(edit.why, 300)}</td>
        <td className="ledger-wide number">{edit.request === null ? words.notSent : number(edit.request + 1)}</td>
        <td className="ledger-wide">{edit.at === null ? '–' : time(edit.at)}</td>
        <td className="ledger-wide">{words.caches[edit.cache]}</td>
        <td className="ledger-wide">{words.states[edit.state]}</td>
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={columns} className="ledger-open">
            <LedgerDetail {...part} edit={edit} />
          </td>
        </tr>
      ) : null}
    </>
  )
}
