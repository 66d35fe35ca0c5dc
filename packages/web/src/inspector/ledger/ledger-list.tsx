import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight, MessageSquareText, Pin, Undo2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { EditTexts, InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button, ColumnHeads, CopyButton } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { ErrorNotice, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import { DiffText, type DiffTextView } from '../compare/diff-text.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { savedBy } from './ledger-rows.ts'

/** The edits as a table that renders only the visible rows. */
export function LedgerList({ rows }: { readonly rows: readonly InspectedEdit[] }) {
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
          if (edit === undefined) return null
          const others = [...open].filter((id) => id !== edit.id)
          const toggle = () => setOpen(new Set(open.has(edit.id) ? others : [...others, edit.id]))
          return (
            <tbody key={key} data-index={index} ref={virtual.measureElement}>
              <LedgerRow edit={edit} row={index + 2} isOpen={open.has(edit.id)} onToggle={toggle} />
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

interface LedgerRowProps {
  readonly edit: InspectedEdit
  readonly row: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function LedgerRow({ edit, row, isOpen, onToggle }: LedgerRowProps) {
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
        <td className="ledger-wide ledger-why">
          <div>{visibleLine(edit.why, 300)}</div>
        </td>
        <td className="ledger-wide number">{edit.request === null ? ledger.notSent : number(edit.request + 1)}</td>
        <td className="ledger-wide">{edit.at === null ? '–' : time(edit.at)}</td>
        <td className="ledger-wide">{ledger.caches[edit.cache]}</td>
        <td className="ledger-wide">{ledger.states[edit.state]}</td>
      </tr>
      {isOpen ? (
        <tr>
          <td colSpan={9} className="ledger-open">
            <LedgerDetail edit={edit} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

function LedgerDetail({ edit }: { readonly edit: InspectedEdit }) {
  const { ledger, number, time } = useLanguage()
  const { source } = useInspector()
  const [loaded, again] = useLoaded((signal) => source.edit(edit.id, signal), [source, edit.id])
  return (
    <div className="ledger-detail">
      <p>{visibleLine(edit.why, 2000)}</p>
      <p className="muted small ledger-narrow">
        {ledger.tokens}: {ledger.change(number(edit.tokensBefore), number(edit.tokensAfter))} · {ledger.request}:{' '}
        {edit.request === null ? ledger.notSent : number(edit.request + 1)} · {ledger.time}:{' '}
        {edit.at === null ? '–' : time(edit.at)} · {ledger.cache}: {ledger.caches[edit.cache]}
      </p>
      {loaded.state === 'loading' ? (
        <p className="muted" role="status">
          {ledger.detail.loading}
        </p>
      ) : loaded.state === 'failed' ? (
        <ErrorNotice error={loaded.error} onRetry={again} />
      ) : (
        <Texts {...loaded.value} />
      )}
      <Actions edit={edit} />
    </div>
  )
}

function Texts({ before, after, trouble }: EditTexts) {
  const { detail } = useLanguage().ledger
  const [view, setView] = useState<DiffTextView>(() => (window.innerWidth < 900 ? 'unified' : 'side-by-side'))
  const names = { 'side-by-side': detail.sideBySide, unified: detail.unified }
  return (
    <>
      <div className="ledger-views">
        <div role="group" aria-label={detail.view}>
          {(['side-by-side', 'unified'] as const).map((kind) => (
            <Button key={kind} isSmall aria-pressed={view === kind} onClick={() => setView(kind)} text={names[kind]} />
          ))}
        </div>
        <span>
          <span className="muted small">{detail.original}</span>
          <CopyButton text={before} />
        </span>
      </div>
      {trouble === null ? null : <p className="notice notice-warn small">{trouble}</p>}
      {after === '' ? <p className="muted small">{detail.nothing}</p> : null}
      <DiffText before={before} after={after} view={view} names={[detail.original, detail.replacement]} />
    </>
  )
}

function Actions({ edit }: { readonly edit: InspectedEdit }) {
  const { detail } = useLanguage().ledger
  const { inspection, source, onOpenMessage, onChanged } = useInspector()
  const [done, setDone] = useState<'restored' | 'pinned' | null>(null)
  const { isWorking, error, run } = useWork()
  const { pin } = source
  const restore = edit.state === 'in-force' ? source.restore : null
  const isPinned = inspection.session.pins.includes(edit.message)
  const perform = (what: 'restored' | 'pinned', work: () => Promise<void>) =>
    void run(async () => {
      await work()
      setDone(what)
      onChanged()
    })
  const cannotChange = inspection.session.under === undefined ? detail.cannotChange : detail.isSimulated
  return (
    <>
      <div className="ledger-actions">
        <Button isSmall icon={MessageSquareText} onClick={() => onOpenMessage(edit.number)} text={detail.openMessage} />
        {restore === null ? null : (
          <Button
            isSmall
            icon={Undo2}
            disabled={isWorking}
            onClick={() => perform('restored', () => restore(edit.id))}
            text={detail.restore}
          />
        )}
        {pin === null || isPinned ? null : (
          <Button
            isSmall
            icon={Pin}
            disabled={isWorking}
            onClick={() => perform('pinned', () => pin(edit.message, true))}
            text={detail.pin}
          />
        )}
      </div>
      {error === null ? null : <ErrorNotice error={error} />}
      <p className="muted small" role="status">
        {done === null ? '' : detail[done]}
      </p>
      <ul className="muted small ledger-notes">
        {source.restore === null && pin === null ? <li>{cannotChange}</li> : null}
        {edit.state === 'in-force' ? null : <li>{detail.isWithdrawn}</li>}
        {restore === null ? null : <li>{detail.restoreDoes}</li>}
        {pin === null ? null : <li>{isPinned ? detail.isPinned : detail.pinDoes}</li>}
      </ul>
    </>
  )
}
