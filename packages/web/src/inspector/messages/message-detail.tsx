import { ChevronLeft, ChevronRight, type LucideIcon, Pin, PinOff, X } from 'lucide-react'
import { useState } from 'react'
import type { InspectedEdit, InspectedMessage, Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { Trouble, useLoaded, useWork } from '../../parts/use-loaded.tsx'
import type { InspectorSource } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'
import { MessageEdits } from './message-edits.tsx'
import type { MessageMarks } from './message-filter.ts'
import { MessagePart } from './message-parts.tsx'

interface MessageDetailProps {
  readonly number: number
  readonly inspection: Inspection
  readonly source: InspectorSource
  readonly marks: MessageMarks
  readonly onChanged: () => void
  readonly onClose: () => void
  /** The ways to the messages beside it; null at either end. */
  readonly onPrevious: (() => void) | null
  readonly onNext: (() => void) | null
}

/** So many parts are shown before the others are asked for. */
const firstParts = 30

/** One message with everything in it, and what was done to it. */
export function MessageDetail(props: MessageDetailProps) {
  const { number, inspection, source, onChanged } = props
  const { inspector, ordinal } = useLanguage()
  const isThere = number < inspection.messages.ids.length
  const [loaded, again] = useLoaded(
    async (signal) => (isThere ? ((await source.messages(number, number + 1, signal))[0] ?? null) : null),
    [number, source, isThere],
  )
  return (
    <section className="message-detail" aria-label={inspector.detail.title(ordinal(number))}>
      <Heading {...props} />
      <div className="message-detail-body" tabIndex={0} role="region" aria-label={inspector.detail.text}>
        {loaded.state === 'loading' ? <p className="muted">{inspector.detail.loading}</p> : null}
        {loaded.state === 'failed' ? <Trouble error={loaded.error} onRetry={again} /> : null}
        {loaded.state !== 'there' ? null : loaded.value === null ? (
          <p className="muted">{inspector.detail.missing}</p>
        ) : (
          <Content
            message={loaded.value}
            tool={inspection.messages.toolNames[inspection.messages.tools[number] as number] ?? ''}
            edits={editsOf(inspection, loaded.value, number)}
            source={source}
            onChanged={onChanged}
          />
        )}
      </div>
    </section>
  )
}

function Heading({ number, inspection, source, marks, onChanged, onClose, onPrevious, onNext }: MessageDetailProps) {
  const { inspector, fill, number: format, time, ordinal } = useLanguage()
  const { messages } = inspection
  const category = messages.categories[number]
  const tool = messages.toolNames[messages.tools[number] as number]
  const before = messages.tokens[number] ?? 0
  const shown = messages.shown[number] ?? 0
  const isChanged = (marks.isEdited(number) || marks.isLeftOut(number)) && shown !== before
  const at = messages.times[number] ?? 0
  const facts = [
    category === undefined ? '' : fill.categories[category],
    tool === undefined || tool === '' ? '' : visibleLine(tool, 60),
    isChanged ? inspector.detail.saved(format(before), format(shown)) : inspector.messages.tokens(format(before)),
    at > 0 ? time(at) : '',
  ]
  return (
    <header className="message-detail-head">
      <div className="message-detail-title">
        {category === undefined ? null : <CategorySwatch category={category} />}
        <h2>{inspector.detail.title(ordinal(number))}</h2>
        <Way name={inspector.detail.previous} icon={ChevronLeft} onGo={onPrevious} />
        <Way name={inspector.detail.next} icon={ChevronRight} onGo={onNext} />
        <PinButton number={number} inspection={inspection} source={source} marks={marks} onChanged={onChanged} />
        <Way name={inspector.detail.close} icon={X} onGo={onClose} />
      </div>
      <p className="muted small">{facts.filter((fact) => fact !== '').join(' · ')}</p>
    </header>
  )
}

type WayProps = { readonly name: string; readonly icon: LucideIcon; readonly onGo: (() => void) | null }

function Way({ name, icon, onGo }: WayProps) {
  return (
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
}

type PinButtonProps = Pick<MessageDetailProps, 'number' | 'inspection' | 'source' | 'marks' | 'onChanged'>

function PinButton({ number, inspection, source, marks, onChanged }: PinButtonProps) {
  const { inspector } = useLanguage()
  const { isWorking, error, run } = useWork()
  const isPinned = marks.isPinned(number)
  const id = inspection.messages.ids[number]
  const { pin } = source
  if (pin === null || id === undefined) return isPinned ? <span className="small">{inspector.detail.pinned}</span> : null
  const change = async () => {
    await pin(id, !isPinned)
    onChanged()
  }
  return (
    <>
      <Button
        isSmall
        icon={isPinned ? PinOff : Pin}
        aria-pressed={isPinned}
        disabled={isWorking}
        onClick={() => void run(change)}
        title={isPinned ? inspector.detail.pinned : undefined}
        text={isPinned ? inspector.detail.unpin : inspector.detail.pin}
      />
      {error === null ? null : <Trouble error={error} />}
    </>
  )
}

interface ContentProps {
  readonly message: InspectedMessage
  readonly tool: string
  readonly edits: readonly InspectedEdit[]
  readonly source: InspectorSource
  readonly onChanged: () => void
}

function Content({ message: { message, number }, tool, edits, source, onChanged }: ContentProps) {
  const { inspector, number: format } = useLanguage()
  const [most, setMost] = useState(firstParts)
  const more = message.parts.length - most
  return (
    <>
      <MessageEdits edits={edits} source={source} onChanged={onChanged} />
      {message.parts.length === 0 ? <p className="muted">{inspector.detail.nothing}</p> : null}
      {message.parts.slice(0, most).map((part, index) => (
        <MessagePart key={index} part={part} number={number} tool={tool} source={source} />
      ))}
      {more <= 0 ? null : <Button isSmall onClick={() => setMost(most * 4)} text={inspector.treemap.others(format(more))} />}
    </>
  )
}

/** As the source says, and where it was asked before an edit, as the inspection says. */
function editsOf({ edits }: Inspection, message: InspectedMessage, number: number): readonly InspectedEdit[] {
  const ids = new Set(message.edits)
  return edits.filter(
    (edit) =>
      edit.state === 'in-force' &&
      (ids.has(edit.id) || (edit.kind !== 'insert' && edit.number <= number && number <= edit.lastNumber)),
  )
}
