import { windowCategories } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { Button, Choice, Form } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { useInspector } from '../source/inspector-source.ts'
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

interface MessagesProps {
  readonly message: number | null
  readonly onMessage: (message: number | null) => void
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
}

/** Every message of a session: a list to choose from, and the chosen one in full. */
export function Messages({ message, onMessage, filter, onFilter }: MessagesProps) {
  const { inspection, hits } = useInspector()
  const { messageList } = useLanguage()
  const marks = useMemo(() => messageMarks(inspection), [inspection])
  const listed = useMemo(() => filterMessages(inspection.messages, marks, filter, hits), [inspection, marks, filter, hits])
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
  if (count === 0) return <p className="muted">{messageList.empty}</p>
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
        <MessageFilters filter={filter} onFilter={onFilter} shown={listed.length} onJump={onMessage} />
        <MessageList marks={marks} listed={listed} filter={filter} place={place} onMessage={onMessage} />
      </div>
      {message === null ? (
        <p className="messages-none muted">{messageList.choose}</p>
      ) : (
        <MessageDetail
          key={inspection.messages.ids[message]}
          number={message}
          marks={marks}
          onClose={() => onMessage(null)}
          onPrevious={step(-1)}
          onNext={step(1)}
        />
      )}
    </div>
  )
}

interface MessageFiltersProps {
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
  readonly shown: number
  readonly onJump: (message: number) => void
}

const roles: readonly Role[] = ['system', 'user', 'assistant', 'tool']

const choiceClasses = ['message-choice', 'button small'] as const

function MessageFilters({ filter, onFilter, shown, onJump }: MessageFiltersProps) {
  const { loadLine, messageList, fill, number } = useLanguage()
  const { messages } = useInspector().inspection
  const there = useMemo(() => ({ roles: new Set(messages.roles), categories: new Set(messages.categories) }), [messages])
  const categories = windowCategories.filter((category) => there.categories.has(category))
  const toolName = (tool: string) => (tool === '' ? loadLine.unknownTool : visibleLine(tool, 60))
  const choice = <Name extends string>(
    key: 'role' | 'category' | 'tool' | 'state',
    names: readonly Name[],
    textOf: (name: Name) => string,
  ) => (
    <Choice<string>
      name={messageList[key]}
      none={messageList.all}
      value={filter[key]}
      options={names.map((name) => [name, textOf(name)])}
      onChange={(value) => onFilter({ ...filter, [key]: value })}
      classNames={choiceClasses}
    />
  )
  return (
    <div className="message-filters">
      <div className="message-choices">
        {choice(
          'role',
          roles.filter((role) => there.roles.has(role)),
          (role) => messageList.roles[role],
        )}
        {choice('category', categories, (category) => fill.categories[category])}
        {choice('tool', messages.toolNames.slice(0, 1000), toolName)}
        {choice('state', messageStates, (state) => messageList.states[state])}
        <Choice
          name={messageList.order}
          none={messageList.inOrder}
          value={filter.order === 'largest' ? filter.order : null}
          options={[['largest', messageList.largest]]}
          onChange={(order) => onFilter({ ...filter, order: order ?? 'written' })}
          classNames={choiceClasses}
        />
      </div>
      <div className="message-filters-row">
        <Jump last={messages.ids.length - 1} onJump={onJump} />
        <span className="muted small" role="status">
          {messageList.count(number(shown), number(messages.ids.length))}
        </span>
        {isEveryMessage(filter) ? null : (
          <Button isSmall onClick={() => onFilter({ ...everyMessage, order: filter.order })} text={messageList.clear} />
        )}
      </div>
    </div>
  )
}

function Jump({ last, onJump }: { readonly last: number; readonly onJump: (message: number) => void }) {
  const { messageList } = useLanguage()
  const [text, setText] = useState('')
  const id = useId()
  const submit = () => {
    if (/^\d{1,9}$/.test(text.trim())) onJump(Math.min(Math.max(Number(text.trim()), 1) - 1, last))
  }
  return (
    <Form className="message-jump" onSubmit={submit}>
      <label htmlFor={id} className="muted small">
        {messageList.jump}
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
      <Button type="submit" isSmall text={messageList.go} />
    </Form>
  )
}
