import { MessageSquareText, Pin, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { Trouble, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import { DiffText, type DiffTextView } from '../compare/diff-text.tsx'
import type { InspectorPartProps } from '../source/inspector-source.ts'

/** One edit with everything about it: original and replacement, and what can be done about it. */
export function LedgerDetail(props: InspectorPartProps & { readonly edit: InspectedEdit }) {
  const { edit, source } = props
  const { ledger, number, time } = useLanguage()
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
        <Trouble error={loaded.error} onRetry={again} />
      ) : (
        <Texts {...loaded.value} />
      )}
      <Actions {...props} />
    </div>
  )
}

function Texts({ before, after, trouble }: { readonly before: string; readonly after: string; readonly trouble: string | null }) {
  const { ledger } = useLanguage()
  const [view, setView] = useState<DiffTextView>(() => (window.innerWidth < 900 ? 'unified' : 'side-by-side'))
  const names = { 'side-by-side': ledger.detail.sideBySide, unified: ledger.detail.unified }
  return (
    <>
      <div className="ledger-views">
        <div role="group" aria-label={ledger.detail.view}>
          {(['side-by-side', 'unified'] as const).map((kind) => (
            <Button key={kind} isSmall aria-pressed={view === kind} onClick={() => setView(kind)} text={names[kind]} />
          ))}
        </div>
        <span>
          <span className="muted small">{ledger.detail.original}</span>
          <CopyButton text={before} />
        </span>
      </div>
      {trouble === null ? null : <p className="notice notice-warn small">{trouble}</p>}
      {after === '' ? <p className="muted small">{ledger.detail.nothing}</p> : null}
      <DiffText before={before} after={after} view={view} names={[ledger.detail.original, ledger.detail.replacement]} />
    </>
  )
}

function Actions({ edit, inspection, source, onOpenMessage, onChanged }: InspectorPartProps & { readonly edit: InspectedEdit }) {
  const { ledger } = useLanguage()
  const [done, setDone] = useState<'restored' | 'pinned' | null>(null)
  const { isWorking, error, run } = useWork()
  const { restore, pin } = source
  const isPinned = inspection.session.pins.includes(edit.message)
  const perform = (what: 'restored' | 'pinned', work: () => Promise<void>) =>
    void run(async () => {
      await work()
      setDone(what)
      onChanged()
    })
  const isInForce = edit.state === 'in-force'
  return (
    <>
      <div className="ledger-actions">
        <Button isSmall icon={MessageSquareText} onClick={() => onOpenMessage(edit.number)} text={ledger.detail.openMessage} />
        {restore === null || !isInForce ? null : (
          <Button
            isSmall
            icon={Undo2}
            disabled={isWorking}
            onClick={() => perform('restored', () => restore(edit.id))}
            text={ledger.detail.restore}
          />
        )}
        {pin === null || isPinned ? null : (
          <Button
            isSmall
            icon={Pin}
            disabled={isWorking}
            onClick={() => perform('pinned', () => pin(edit.message, true))}
            text={ledger.detail.pin}
          />
        )}
      </div>
      {error === null ? null : <Trouble error={error} />}
      <p className="muted small" role="status">
        {done === null ? '' : ledger.detail[done]}
      </p>
      <ul className="muted small ledger-notes">
        {restore === null && pin === null ? (
          <li>{inspection.session.under === undefined ? ledger.detail.cannotChange : ledger.detail.isSimulated}</li>
        ) : null}
        {isInForce ? null : <li>{ledger.detail.isWithdrawn}</li>}
        {restore === null || !isInForce ? null : <li>{ledger.detail.restoreDoes}</li>}
        {pin === null ? null : <li>{isPinned ? ledger.detail.isPinned : ledger.detail.pinDoes}</li>}
      </ul>
    </>
  )
}
