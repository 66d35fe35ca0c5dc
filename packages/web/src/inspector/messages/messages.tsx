import { useEffect, useMemo, useRef } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { MessageDetail } from './message-detail.tsx'
import type { MessageFilter } from './message-filter.ts'
import { filterMessages, placeOf } from './message-filter.ts'
import { MessageFilters } from './message-filters.tsx'
import { MessageList } from './message-list.tsx'
import { messageMarks } from './message-marks.ts'
import './messages.css'

/** What the messages are given. */
export interface MessagesProps extends InspectorPartProps {
  /** The number of the one that is shown in whole. */
  readonly message: number | null
  readonly onMessage: (message: number | null) => void
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
}

/** Every message of a session: a list to choose from, and the chosen one in whole. */
export function Messages({ inspection, source, message, onMessage, filter, onFilter, onChanged }: MessagesProps) {
  const { strings } = useLanguage()
  const words = strings.inspector
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
  if (count === 0) return <p className="muted">{words.messages.empty}</p>
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
        <p className="messages-none muted">{words.messages.choose}</p>
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
