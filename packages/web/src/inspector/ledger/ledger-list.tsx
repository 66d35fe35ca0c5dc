import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useRef, useState } from 'react'
import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { ColumnHeads } from '../../parts/column-heads.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { LedgerDetail } from './ledger-detail.tsx'
import { savedBy } from './ledger-rows.ts'

/** The edits as a table of which only what is in sight is on the page. */
export function LedgerList({ rows, ...part }: InspectorPartProps & { readonly rows: readonly InspectedEdit[] }) {
  const { ledger } = useLanguage()
  const scrolled = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => 52,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
  })
  const items = virtual.getVirtualItems()
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  const heads = [
    [ledger.rule],
    [ledger.message],
    [ledger.tokens, 'ledger-wide number'],
    [ledger.saved, 'number'],
    [ledger.why, 'ledger-wide'],
    [ledger.request, 'ledger-wide number'],
    [ledger.time, 'ledger-wide'],
    [ledger.cache, 'ledger-wide'],
    [ledger.state, 'ledger-wide'],
  ] as const
  return (
    <div ref={scrolled} className="ledger-list" tabIndex={0} role="region" aria-label={ledger.title}>
      <table className="table small" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <ColumnHeads heads={heads} />
          </tr>
        </thead>
        <Space height={items[0]?.start ?? 0} />
        {items.map(({ index, key }) => {
          const edit = rows[index]
          return edit === undefined ? null : (
            <tbody key={key} data-index={index} ref={virtual.measureElement}>
              <LedgerRow {...part} edit={edit} row={index + 2} isOpen={open.has(edit.id)} onToggle={() => toggle(edit.id)} />
            </tbody>
          )
        })}
        <Space height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
      </table>
    </div>
  )
}

function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tbody aria-hidden="true">
      <tr style={{ height }} />
    </tbody>
  )
}

interface LedgerRowProps extends InspectorPartProps {
  readonly edit: InspectedEdit
  readonly row: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function LedgerRow({ edit, row, isOpen, onToggle, ...part }: LedgerRowProps) {
  const { ledger, number, time, ordinal } = useLanguage()
  const { number: first, lastNumber } = edit
  const place = first === lastNumber ? ordinal(first) : ledger.messages(ordinal(first), ordinal(lastNumber))
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <tr aria-rowindex={row} className={edit.state === 'withdrawn' ? 'ledger-withdrawn' : undefined}>
        <th scope="row">
          <button
            type="button"
            className="ledger-rule"
            aria-expanded={isOpen}
            aria-label={ledger.open(edit.policy, place)}
            onClick={onToggle}
          >
            <Icon size={14} aria-hidden />
            {edit.policy}
          </button>
          {edit.state === 'withdrawn' ? <span className="muted ledger-narrow">{ledger.states.withdrawn}</span> : null}
        </th>
        <td>
          {place}
          {edit.tool === null ? null : <span className="muted"> · {visibleLine(edit.tool, 60)}</span>}
        </td>
        <td className="ledger-wide number">{ledger.change(number(edit.tokensBefore), number(edit.tokensAfter))}</td>
        <td className="number">{number(savedBy(edit))}</td>
        <td className="ledger-wide ledger-why">{visibleLine(edit.why, 300)}</td>
        <td className="ledger-wide number">{edit.request === null ? ledger.notSent : number(edit.request + 1)}</td>
        <td className="ledger-wide">{edit.at === null ? '–' : time(edit.at)}</td>
        <td className="ledger-wide">{ledger.caches[edit.cache]}</td>
        <td className="ledger-wide">{ledger.states[edit.state]}</td>
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={9} className="ledger-open">
            <LedgerDetail {...part} edit={edit} />
          </td>
        </tr>
      ) : null}
    </>
  )
}
