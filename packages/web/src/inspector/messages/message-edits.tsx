import { useState } from 'react'
import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { Trouble, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import type { InspectorSource } from '../source/inspector-source.ts'
import { BoundedText } from './message-parts.tsx'

interface MessageEditsProps {
  readonly edits: readonly InspectedEdit[]
  readonly source: InspectorSource
  readonly onChanged: () => void
}

/** The edits that change how the model sees a message: which rule, why, how much, and the texts before and after. */
export function MessageEdits({ edits, source, onChanged }: MessageEditsProps) {
  const { inspector, number } = useLanguage()
  if (edits.length === 0) return <p className="muted small">{inspector.detail.noEdits}</p>
  return (
    <section className="message-edits">
      <h3>{inspector.detail.edits(number(edits.length))}</h3>
      {edits.map((edit) => (
        <MessageEdit key={edit.id} edit={edit} source={source} onChanged={onChanged} />
      ))}
    </section>
  )
}

function MessageEdit({
  edit,
  source,
  onChanged,
}: { readonly edit: InspectedEdit } & Pick<MessageEditsProps, 'source' | 'onChanged'>) {
  const { inspector, number, ordinal } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { isWorking, error, run } = useWork()
  const restore = async () => {
    await source.restore?.(edit.id)
    onChanged()
  }
  return (
    <article className="message-edit">
      <p>
        <strong>{visibleLine(edit.policy, 80)}</strong>{' '}
        <span className="number">{inspector.detail.saved(number(edit.tokensBefore), number(edit.tokensAfter))}</span>
        {edit.lastNumber > edit.number ? ` · ${inspector.detail.range(ordinal(edit.number), ordinal(edit.lastNumber))}` : null}
        {edit.cache === 'rewrite' ? ` · ${inspector.detail.rewrite}` : null}
      </p>
      <p className="muted">{visibleLine(edit.why, 400)}</p>
      {error === null ? null : <Trouble error={error} />}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{inspector.detail.showTexts}</summary>
        {isOpen ? <Texts id={edit.id} source={source} /> : null}
      </details>
      {source.restore === null ? null : (
        <Button isSmall disabled={isWorking} onClick={() => void run(restore)} text={inspector.detail.restore} />
      )}
    </article>
  )
}

function Texts({ id, source }: { readonly id: string; readonly source: InspectorSource }) {
  const { inspector } = useLanguage()
  const [loaded, again] = useLoaded((signal) => source.edit(id, signal), [id, source])
  if (loaded.state === 'loading') return <p className="muted">{inspector.detail.loading}</p>
  if (loaded.state === 'failed') return <Trouble error={loaded.error} onRetry={again} />
  const { before, after, trouble } = loaded.value
  return (
    <div className="message-texts">
      {trouble === null ? null : <p className="notice notice-warn">{visibleLine(trouble, 400)}</p>}
      <h4>{inspector.detail.before}</h4>
      {before === '' ? <p className="muted">{inspector.detail.emptyText}</p> : <BoundedText text={before} first={3000} />}
      <h4>{inspector.detail.after}</h4>
      {after === '' ? <p className="muted">{inspector.detail.emptyText}</p> : <BoundedText text={after} first={3000} />}
    </div>
  )
}
