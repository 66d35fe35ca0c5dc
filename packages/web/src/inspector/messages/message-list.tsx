import type { WindowCategory } from '@plimsoll/core/bill'
import { useVirtualizer } from '@tanstack/react-virtual'
import { EyeOff, FoldVertical, Pencil, Pin } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { useInspector } from '../source/inspector-source.ts'
import { CategoryIcon } from '../window/category.tsx'
import type { MessageFilter, MessageMarks } from './message-filter.ts'
import { createMessagePages, type MessageRow } from './message-pages.ts'

interface MessageListProps {
  readonly marks: MessageMarks
  /** The numbers of the messages, in the order they are listed. */
  readonly listed: Uint32Array
  /** The filter that chose them: a list with another one starts at its top. */
  readonly filter: MessageFilter
  /** The place of the chosen one in the list, or -1. */
  readonly place: number
  readonly onMessage: (message: number) => void
}

const rowHeight = 46

/** The messages as rows. Only visible rows are rendered and loaded. */
export function MessageList({ marks, listed, filter, place, onMessage }: MessageListProps) {
  const { inspection, source, find } = useInspector()
  const { messageList } = useLanguage()
  const scroller = useRef<HTMLDivElement>(null)
  const pages = useMemo(() => createMessagePages((from, to, signal) => source.messages(from, to, signal), find), [source, find])
  useSyncExternalStore(pages.subscribe, pages.version)
  const virtualizer = useVirtualizer({
    count: listed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtualizer.getVirtualItems()
  const first = items[0]?.index ?? 0
  const behind = (items.at(-1)?.index ?? -1) + 1
  useEffect(() => pages.want(listed.subarray(first, behind)), [pages, listed, first, behind])
  useEffect(() => () => pages.want([]), [pages])
  const before = useRef(filter)
  useEffect(() => {
    if (before.current === filter) return
    before.current = filter
    virtualizer.scrollToOffset(0)
  }, [filter])
  const chosen = listed[place]
  useEffect(() => {
    if (place >= 0) virtualizer.scrollToIndex(place, { align: 'auto' })
  }, [place, chosen])
  const { messages } = inspection
  // After a rewind another message has the number.
  const isOld = (number: number) => (pages.row(number)?.id ?? messages.ids[number]) !== messages.ids[number]
  const rowOf = (number: number) => (isOld(number) ? undefined : pages.row(number))
  const isStale = items.some(({ index }) => isOld(listed[index] as number))
  useEffect(() => {
    if (isStale) pages.forget()
  }, [isStale, pages])
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextRow(event.key, place, listed.length, Math.max(1, items.length - 16))
    if (next === null) return
    event.preventDefault()
    onMessage(listed[next] as number)
  }
  if (listed.length === 0) return <p className="message-list-empty muted">{messageList.none}</p>
  return (
    <div
      className="message-list"
      ref={scroller}
      role="listbox"
      aria-label={messageList.list}
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-activedescendant={place >= 0 ? rowId(listed[place] as number) : undefined}
    >
      <div style={{ height: virtualizer.getTotalSize() }} role="presentation">
        {items.map(({ index, start }) => {
          const number = listed[index] as number
          return (
            <div
              key={number}
              id={rowId(number)}
              role="option"
              aria-selected={index === place}
              aria-setsize={listed.length}
              aria-posinset={index + 1}
              className="message-row"
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onMessage(number)}
            >
              <Row number={number} marks={marks} row={rowOf(number)} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

type RowProps = { readonly number: number; readonly marks: MessageMarks; readonly row: MessageRow | null | undefined }

function Row({ number, marks, row }: RowProps) {
  const { messages } = useInspector().inspection
  const { messageList, fill, number: format, ordinal, shortTime } = useLanguage()
  const category = messages.categories[number] as WindowCategory
  const tool = messages.toolNames[messages.tools[number] as number]
  const before = messages.tokens[number] as number
  const shown = messages.shown[number] as number
  const isChanged = (marks.edited(number) || marks['left-out'](number)) && shown !== before
  const at = messages.times[number] as number
  return (
    <>
      <span className={`message-row-band category-${category}`} />
      <span className="message-row-top">
        <span className="message-row-number">{ordinal(number)}</span>
        <CategoryIcon category={category} />
        <span className="message-row-name">
          {tool === undefined || tool === ''
            ? fill.categories[category]
            : `${fill.categories[category]} · ${visibleLine(tool, 40)}`}
        </span>
        <Marks number={number} marks={marks} />
        <span className="message-row-tokens">
          {messageList.tokens(isChanged ? `${format(before)} → ${format(shown)}` : format(before))}
        </span>
      </span>
      <span className="message-row-bottom">
        <span className="message-row-about" dir="auto">
          {row === undefined ? '…' : row === null ? messageList.unread : row.about}
        </span>
        {at > 0 ? <span className="message-row-time">{shortTime(at)}</span> : null}
      </span>
    </>
  )
}

const markIcons = { pinned: Pin, folded: FoldVertical, edited: Pencil, 'left-out': EyeOff } as const

function Marks({ number, marks }: Pick<RowProps, 'number' | 'marks'>) {
  const { messageList } = useLanguage()
  const shown = (Object.keys(markIcons) as (keyof typeof markIcons)[]).filter(
    (mark) => marks[mark](number) && !(mark === 'left-out' && marks.folded(number)),
  )
  return (
    <span className="message-marks">
      {shown.map((mark) => {
        const Icon = markIcons[mark]
        return (
          <span key={mark}>
            <Icon size={12} aria-hidden />
            {messageList.marks[mark]}
          </span>
        )
      })}
    </span>
  )
}

function rowId(number: number): string {
  return `message-row-${number}`
}

function nextRow(key: string, place: number, count: number, page: number): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next))
}
