import type { InspectedEdit } from '@plimsoll/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { LedgerRow } from './ledger-row.tsx'

/** The edits as a table of which only what is in sight is on the page. */
export function LedgerList({ rows, ...part }: InspectorPartProps & { readonly rows: readonly InspectedEdit[] }) {
  const { strings } = useLanguage()
  const words = strings.requests.ledger
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
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <div ref={scrolled} className="ledger-list" tabIndex={0} role="region" aria-label={words.title}>
      <table className="table small" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{words.rule}</th>
            <th scope="col">{words.message}</th>
            <th scope="col" className="ledger-wide number">
              {words.tokens}
            </th>
            <th scope="col" className="number">
              {words.saved}
            </th>
            <th scope="col" className="ledger-wide">
              {words.why}
            </th>
            <th scope="col" className="ledger-wide number">
              {words.request}
            </th>
            <th scope="col" className="ledger-wide">
              {words.time}
            </th>
            <th scope="col" className="ledger-wide">
              {words.cache}
            </th>
            <th scope="col" className="ledger-wide">
              {words.state}
            </th>
          </tr>
        </thead>
        {above > 0 ? (
          <tbody aria-hidden="true">
            <tr style={{ height: above }} />
          </tbody>
        ) : null}
        {items.map(({ index, key }) => {
          const edit = rows[index]
          return edit === undefined ? null : (
            <tbody key={key} data-index={index} ref={virtual.measureElement}>
              <LedgerRow {...part} edit={edit} row={index + 2} isOpen={open.has(edit.id)} onToggle={() => toggle(edit.id)} />
            </tbody>
          )
        })}
        {below > 0 ? (
          <tbody aria-hidden="true">
            <tr style={{ height: below }} />
          </tbody>
        ) : null}
      </table>
    </div>
  )
}
