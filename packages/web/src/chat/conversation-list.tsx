import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import {
  type KeyboardEvent,
  memo,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { BlockView } from './block-view.tsx'
import type { Block } from './blocks.ts'
import { type ConversationState, rowBlocks, rowCount, rowKey } from './conversation-state.ts'
import { storedMessage } from './stored-messages.ts'

export interface ConversationListHandle {
  /** Scrolls by screens; a negative number scrolls up. */
  readonly scrollPages: (pages: number) => void
  readonly scrollToStart: () => void
  readonly scrollToEnd: () => void
}

interface ConversationListProps {
  readonly state: ConversationState
  readonly want: (first: number, last: number) => void
  readonly ref?: Ref<ConversationListHandle>
}

/** Pixels from the end that still count as the end. */
const nearEnd = 48
const usualHeight = 72

/** The messages of a conversation. Only those in sight are rendered. At the end it follows new ones; further up it stays. */
export function ConversationList({ state, want, ref }: ConversationListProps) {
  const { conversation } = useLanguage()
  const scroller = useRef<HTMLDivElement>(null)
  const [isAtEnd, setAtEnd] = useState(true)
  const count = rowCount(state)
  const { count: stored } = state.stored
  // The same function as long as the numbers mean the same rows: everything is measured again when it changes.
  const keyOf = useCallback((index: number) => rowKey(stored, index), [stored])
  const list = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    getItemKey: keyOf,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
    overscan: 6,
    paddingStart: 12,
    paddingEnd: 12,
    onChange: (changed) => setAtEnd(changed.isAtEnd(nearEnd)),
  })
  useLayoutEffect(() => list.scrollToEnd(), [list])
  // The composer takes room from the list, as for the names of commands: at the end it stays there.
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let height = element.clientHeight
    const observer = new ResizeObserver(() => {
      const left = element.scrollHeight - element.scrollTop - height
      height = element.clientHeight
      if (left <= nearEnd) list.scrollToEnd()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  useImperativeHandle(
    ref,
    () => ({
      scrollPages: (pages) => scroller.current?.scrollBy({ top: pages * scroller.current.clientHeight * 0.9 }),
      scrollToStart: () => list.scrollToOffset(0),
      scrollToEnd: () => list.scrollToEnd(),
    }),
    [list],
  )

  const rows = list.getVirtualItems()
  const first = rows[0]?.index ?? 0
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => want(first, last), [want, first, last])
  const [seen, setSeen] = useState(count)
  useEffect(() => {
    if (isAtEnd) setSeen(count)
  }, [count, isAtEnd])

  const press = (event: KeyboardEvent) => {
    if (event.target !== scroller.current || (event.key !== 'Home' && event.key !== 'End')) return
    event.preventDefault()
    if (event.key === 'Home') list.scrollToOffset(0)
    else list.scrollToEnd()
  }
  return (
    <div className="conversation">
      <div
        ref={scroller}
        className="conversation-scroll"
        role="region"
        aria-label={conversation.list}
        tabIndex={0}
        onKeyDown={press}
      >
        <div className="conversation-rows" style={{ height: `${list.getTotalSize()}px` }}>
          {rows.map(({ index, key, start }) => (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className="conversation-row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row blocks={rowBlocks(state, index)} isFolded={storedMessage(state.stored, index)?.isFolded === true} />
            </div>
          ))}
        </div>
      </div>
      {isAtEnd ? null : (
        <Button
          className="conversation-end"
          icon={ArrowDown}
          iconSize={15}
          onClick={() => list.scrollToEnd()}
          text={count > seen ? conversation.newMessages : conversation.toEnd}
        />
      )}
    </div>
  )
}

const Row = memo(
  function Row({ blocks, isFolded }: { readonly blocks: readonly Block[] | null; readonly isFolded: boolean }) {
    const { conversation } = useLanguage()
    if (blocks === null) return <p className="conversation-unread muted small">{conversation.loading}</p>
    if (blocks.length === 0) return null
    const hasNote = isFolded && blocks.some(({ kind }) => kind === 'user')
    return (
      <div className={isFolded ? 'conversation-blocks conversation-folded' : 'conversation-blocks'}>
        {hasNote ? <p className="muted small">{conversation.folded}</p> : null}
        {blocks.map((block) => (
          <BlockView key={block.key} block={block} />
        ))}
      </div>
    )
  },
  (before, after) =>
    before.isFolded === after.isFolded &&
    before.blocks?.length === after.blocks?.length &&
    (before.blocks ?? []).every((block, index) => block === after.blocks?.[index]),
)
