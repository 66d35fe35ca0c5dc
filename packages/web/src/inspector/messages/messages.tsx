import { windowCategories } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import { type SubmitEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { MessageDetail } from './message-detail.tsx'
import {
  everyMessage,
  filterMessages,
  isEveryMessage,
  type MessageFilter,
  messageMarks,
  messageStates,
  placeOf,
} from './message-filter.ts'
import { MessageList } from './message-list.tsx'
import './messages.css'

interface MessagesProps extends InspectorPartProps {
  /** The number of the one that is shown in whole. */
  readonly message: number | null
  readonly onMessage: (message: number | null) => void
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
}

/** Every message of a session: a list to choose from, and the chosen one in whole. */
export function Messages({ inspection, source, message, onMessage, filter, onFilter, onChanged }: MessagesProps) {
  const { inspector } = useLanguage()
  const marks = useMemo(() => messageMarks(inspection), [inspection])
  const listed = useMemo(() => filterMessages(inspection.messages, marks, filter), [inspection, marks, filter])
  const place = message === null ? -1 : placeOf(listed, message, filter)
  const count = inspection.messages.ids.length
  const element = useRef<HTMLDivElement>(null)
  const wasChosen = useRef(message !== null)
  useEffect(() => {
    const isChosen = message !== null
    if (isChosen === wasChosen.current) return
    wasChosen.current = isChosen
    // One takes the other's place where there is room for only one, and the keyboard goes with it.
    const next = element.current?.querySelector<HTMLElement>(isChosen ? '.message-detail-body' : '.message-list')
    if (!isChosen || matchMedia('(max-width: 900px)').matches) next?.focus()
  }, [message])
  if (count === 0) return <p className="muted">{inspector.messages.empty}</p>
  const step = (by: number) => {
    const next = place < 0 ? (message ?? 0) + by : listed[place + by]
    return next === undefined || next < 0 || next >= count ? null : () => onMessage(next)
  }
  return (
    <div
      ref={element}
      className={message === null ? 'messages' : 'messages messages-chosen'}
      onKeyDown={(event) => event.key === 'Escape' && message !== null && onMessage(null)}
    >
      <div className="messages-side">
        <MessageFilters inspection={inspection} filter={filter} onFilter={onFilter} shown={listed.length} onJump={onMessage} />
        <MessageList
          inspection={inspection}
          source={source}
          marks={marks}
          listed={listed}
          filter={filter}
          place={place}
          onMessage={onMessage}
        />
      </div>
      {message === null ? (
        <p className="messages-none muted">{inspector.messages.choose}</p>
      ) : (
        <MessageDetail
          key={inspection.messages.ids[message]}
          number={message}
          inspection={inspection}
          source={source}
          marks={marks}
          onChanged={onChanged}
          onClose={() => onMessage(null)}
          onPrevious={step(-1)}
          onNext={step(1)}
        />
      )}
    </div>
  )
}

interface MessageFiltersProps {
  readonly inspection: Inspection
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
  /** How many messages they let through. */
  readonly shown: number
  readonly onJump: (message: number) => void
}

const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

const choiceClasses = ['message-choice', 'button small'] as const

function MessageFilters({ inspection, filter, onFilter, shown, onJump }: MessageFiltersProps) {
  const { inspector, fill, number } = useLanguage()
  const { messages } = inspection
  const there = useMemo(() => ({ roles: new Set(messages.roles), categories: new Set(messages.categories) }), [messages])
  const categories = windowCategories.filter((category) => there.categories.has(category))
  const change = (part: Partial<MessageFilter>) => onFilter({ ...filter, ...part })
  return (
    <div className="message-filters">
      <div className="message-choices">
        <Choice
          name={inspector.messages.role}
          none={inspector.messages.all}
          value={filter.role}
          options={roles.filter((role) => there.roles.has(role)).map((role) => [role, inspector.messages.roles[role]])}
          onChange={(role) => change({ role })}
          classNames={choiceClasses}
        />
        <Choice
          name={inspector.messages.category}
          none={inspector.messages.all}
          value={filter.category}
          options={categories.map((category) => [category, fill.categories[category]])}
          onChange={(category) => change({ category })}
          classNames={choiceClasses}
        />
        <Choice
          name={inspector.messages.tool}
          none={inspector.messages.all}
          value={filter.tool}
          options={messages.toolNames
            .slice(0, 1000)
            .map((tool) => [tool, tool === '' ? inspector.loadLine.unknownTool : visibleLine(tool, 60)])}
          onChange={(tool) => change({ tool })}
          classNames={choiceClasses}
        />
        <Choice
          name={inspector.messages.state}
          none={inspector.messages.all}
          value={filter.state}
          options={messageStates.map((state) => [state, inspector.messages.states[state]])}
          onChange={(state) => change({ state })}
          classNames={choiceClasses}
        />
        <Choice
          name={inspector.messages.order}
          none={inspector.messages.inOrder}
          value={filter.order === 'largest' ? filter.order : null}
          options={[['largest', inspector.messages.largest]]}
          onChange={(order) => change({ order: order ?? 'written' })}
          classNames={choiceClasses}
        />
      </div>
      <div className="message-filters-row">
        <Jump last={messages.ids.length - 1} onJump={onJump} />
        <span className="muted small" role="status">
          {inspector.messages.count(number(shown), number(messages.ids.length))}
        </span>
        {isEveryMessage(filter) ? null : (
          <Button isSmall onClick={() => onFilter({ ...everyMessage, order: filter.order })} text={inspector.messages.clear} />
        )}
      </div>
    </div>
  )
}

function Jump({ last, onJump }: { readonly last: number; readonly onJump: (message: number) => void }) {
  const { inspector } = useLanguage()
  const [text, setText] = useState('')
  const id = useId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (/^\d{1,9}$/.test(text.trim())) onJump(Math.min(Math.max(Number(text.trim()), 1) - 1, last))
  }
  return (
    <form className="message-jump" onSubmit={submit}>
      <label htmlFor={id} className="muted small">
        {inspector.messages.jump}
      </label>
      <input
        id={id}
        className="field"
        inputMode="numeric"
        autoComplete="off"
        placeholder={`1–${last + 1}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" isSmall text={inspector.messages.go} />
    </form>
  )
}
