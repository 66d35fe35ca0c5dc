import type { HidingCost } from '@plimsoll/core/session'
import { ChevronLeft, ChevronRight, Eye, EyeOff, type LucideIcon, Pin, PinOff, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { InspectedEdit, InspectedMessage, Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { ErrorNotice, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'
import type { MessageMarks } from './message-filter.ts'
import { BoundedText, MessagePart } from './message-parts.tsx'

interface MessageDetailProps {
  readonly number: number
  readonly marks: MessageMarks
  readonly onClose: () => void
  /** The ways to the messages before and after it; null at either end. */
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

/** One message with all of its parts and edits. */
export function MessageDetail(props: MessageDetailProps) {
  const { number } = props
  const { messageDetail, ordinal } = useLanguage()
  const { inspection, source, find } = useInspector()
  const isThere = number < inspection.messages.ids.length
  const [loaded, again] = useLoaded(
    async (signal) => (isThere ? ((await source.messages(number, number + 1, signal))[0] ?? null) : null),
    [number, source, isThere],
  )
  // The first place that is searched for may be far down.
  const body = useRef<HTMLDivElement>(null)
  const shown = loaded.state === 'there' ? loaded.value : null
  useEffect(() => {
    if (shown !== null && find !== null) body.current?.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [shown, find])
  return (
    <section className="message-detail" aria-label={messageDetail.title(ordinal(number))}>
      <Heading {...props} />
      <div ref={body} className="message-detail-body" tabIndex={0} role="region" aria-label={messageDetail.text}>
        {loaded.state === 'loading' ? <p className="muted">{messageDetail.loading}</p> : null}
        {loaded.state === 'failed' ? <ErrorNotice error={loaded.error} onRetry={again} /> : null}
        {loaded.state !== 'there' ? null : loaded.value === null ? (
          <p className="muted">{messageDetail.missing}</p>
        ) : (
          <Content message={loaded.value} isLeftOut={props.marks['left-out'](number)} />
        )}
      </div>
    </section>
  )
}

function Heading({ number, marks, onClose, onPrevious, onNext }: MessageDetailProps) {
  const { fill, messageDetail, messageList, number: format, time, ordinal } = useLanguage()
  const { messages } = useInspector().inspection
  const category = messages.categories[number]
  const before = messages.tokens[number] ?? 0
  const shown = messages.shown[number] ?? 0
  const isChanged = (marks.edited(number) || marks['left-out'](number)) && shown !== before
  const at = messages.times[number] ?? 0
  const facts = [
    category === undefined ? '' : fill.categories[category],
    visibleLine(messages.toolNames[messages.tools[number] as number] ?? '', 60),
    isChanged ? messageDetail.saved(format(before), format(shown)) : messageList.tokens(format(before)),
    at > 0 ? time(at) : '',
  ]
  const way = (name: string, icon: LucideIcon, onGo: (() => void) | null) => (
    <Button
      look="quiet"
      className="message-detail-way"
      icon={icon}
      aria-label={name}
      title={name}
      disabled={onGo === null}
      onClick={() => onGo?.()}
    />
  )
  return (
    <header className="message-detail-head">
      <div className="message-detail-title">
        {category === undefined ? null : <CategorySwatch category={category} />}
        <h2>{messageDetail.title(ordinal(number))}</h2>
        {way(messageDetail.previous, ChevronLeft, onPrevious)}
        {way(messageDetail.next, ChevronRight, onNext)}
        <PinButton id={messages.ids[number]} isPinned={marks.pinned(number)} />
        {category === 'results' ? <HideButton key={number} id={messages.ids[number] ?? ''} /> : null}
        {way(messageDetail.close, X, onClose)}
      </div>
      <p className="muted small">{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </header>
  )
}

function PinButton({ id, isPinned }: { readonly id: string | undefined; readonly isPinned: boolean }) {
  const { messageDetail } = useLanguage()
  const { source, onChanged } = useInspector()
  const { isWorking, error, run } = useWork()
  const { pin } = source
  if (pin === null || id === undefined) return isPinned ? <span className="small">{messageDetail.pinned}</span> : null
  return (
    <>
      <Button
        isSmall
        icon={isPinned ? PinOff : Pin}
        aria-pressed={isPinned}
        disabled={isWorking}
        onClick={() => void run(() => pin(id, !isPinned).then(onChanged))}
        title={isPinned ? messageDetail.pinned : undefined}
        text={isPinned ? messageDetail.unpin : messageDetail.pin}
      />
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  )
}

/** Says what hiding costs before it hides. */
function HideButton({ id }: { readonly id: string }) {
  const { messageDetail, number, dollars } = useLanguage()
  const { inspection, source, onChanged } = useInspector()
  const { isWorking, error, run } = useWork()
  const [cost, setCost] = useState<HidingCost | null>(null)
  const { hide, hidingCost } = source
  const isHidden = inspection.session.hides?.includes(id) === true
  if (hide === null || hidingCost === null) return isHidden ? <span className="small">{messageDetail.hidden}</span> : null
  const ask = async () => setCost(await hidingCost(id))
  const decide = async () => {
    await hide(id, !isHidden)
    setCost(null)
    onChanged()
  }
  return (
    <>
      <Button
        isSmall
        icon={isHidden ? Eye : EyeOff}
        aria-pressed={isHidden}
        disabled={isWorking}
        onClick={() => void run(isHidden ? decide : ask)}
        title={isHidden ? messageDetail.hidden : undefined}
        text={isHidden ? messageDetail.unhide : messageDetail.hide}
      />
      {cost === null ? null : (
        <span className="small" role="status">
          {messageDetail.hidingCost(
            number(cost.saved),
            number(cost.rewritten),
            cost.dollars === null ? '' : dollars(cost.dollars),
          )}{' '}
          {inspection.session.hiding?.isObserved === true ? `${messageDetail.onlyObserved} ` : ''}
          <Button isSmall disabled={isWorking} onClick={() => void run(decide)} text={messageDetail.hideNow} />
          <Button isSmall look="quiet" disabled={isWorking} onClick={() => setCost(null)} text={messageDetail.cancel} />
        </span>
      )}
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  )
}

const firstParts = 30

interface ContentProps {
  readonly message: InspectedMessage
  /** The last request went without it. */
  readonly isLeftOut: boolean
}

function Content({ message: inspected, isLeftOut }: ContentProps) {
  const { messageDetail, treemap, number: format } = useLanguage()
  const { inspection } = useInspector()
  const { message, number } = inspected
  const [max, setMax] = useState(firstParts)
  const more = message.parts.length - max
  const edits = editsOf(inspection, inspected)
  const tool = inspection.messages.toolNames[inspection.messages.tools[number] as number] ?? ''
  return (
    <>
      {edits.length === 0 ? (
        <p className="muted small">{isLeftOut ? messageDetail.leftOut : messageDetail.noEdits}</p>
      ) : (
        <section className="message-edits">
          <h3>{messageDetail.edits(format(edits.length))}</h3>
          {edits.map((edit) => (
            <MessageEdit key={edit.id} edit={edit} />
          ))}
        </section>
      )}
      {message.parts.length === 0 ? <p className="muted">{messageDetail.nothing}</p> : null}
      {message.parts.slice(0, max).map((part, index) => (
        <MessagePart key={index} part={part} number={number} tool={tool} />
      ))}
      {more <= 0 ? null : <Button isSmall onClick={() => setMax(max * 4)} text={treemap.others(format(more))} />}
    </>
  )
}

/** The edits that the source names, and, if it was asked before an edit, those that the inspection does. */
function editsOf({ edits }: Inspection, { edits: ids, number }: InspectedMessage): readonly InspectedEdit[] {
  return edits.filter(
    (edit) =>
      edit.state === 'in-force' &&
      (ids.includes(edit.id) || (edit.kind !== 'insert' && edit.number <= number && number <= edit.lastNumber)),
  )
}

function MessageEdit({ edit }: { readonly edit: InspectedEdit }) {
  const { messageDetail, number, ordinal } = useLanguage()
  const { source, onChanged } = useInspector()
  const [isOpen, setOpen] = useState(false)
  const { isWorking, error, run } = useWork()
  const { restore } = source
  const { id, policy, why, tokensBefore, tokensAfter, number: first, lastNumber, cache } = edit
  return (
    <article className="message-edit">
      <p>
        <strong>{visibleLine(policy, 80)}</strong>{' '}
        <span className="number">{messageDetail.saved(number(tokensBefore), number(tokensAfter))}</span>
        {lastNumber > first ? ` · ${messageDetail.range(ordinal(first), ordinal(lastNumber))}` : null}
        {cache === 'rewrite' ? ` · ${messageDetail.rewrite}` : null}
      </p>
      <p className="muted">{visibleLine(why, 400)}</p>
      {error === null ? null : <ErrorNotice error={error} />}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{messageDetail.showTexts}</summary>
        {isOpen ? <EditTexts id={id} /> : null}
      </details>
      {restore === null ? null : (
        <Button
          isSmall
          disabled={isWorking}
          onClick={() => void run(() => restore(id).then(onChanged))}
          text={messageDetail.restore}
        />
      )}
    </article>
  )
}

function EditTexts({ id }: { readonly id: string }) {
  const { messageDetail } = useLanguage()
  const { source } = useInspector()
  const [loaded, again] = useLoaded((signal) => source.edit(id, signal), [id, source])
  if (loaded.state === 'loading') return <p className="muted">{messageDetail.loading}</p>
  if (loaded.state === 'failed') return <ErrorNotice error={loaded.error} onRetry={again} />
  const { before, after, trouble } = loaded.value
  const shown = (text: string) =>
    text === '' ? <p className="muted">{messageDetail.emptyText}</p> : <BoundedText text={text} first={3000} />
  return (
    <div className="message-texts">
      {trouble === null ? null : <p className="notice notice-warn">{visibleLine(trouble, 400)}</p>}
      <h4>{messageDetail.before}</h4>
      {shown(before)}
      <h4>{messageDetail.after}</h4>
      {shown(after)}
    </div>
  )
}
