import { CircleAlert, Info } from 'lucide-react'
import { memo } from 'react'
import { noticeText } from '../../../node/src/shared/strings/event-text.ts'
import { useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import type { Block, WordsBlock } from './blocks.ts'
import { useChat } from './chat-context.tsx'
import { CompactionCard } from './compaction-card.tsx'
import { ErrorCard } from './error-card.tsx'
import { Fold } from './fold.tsx'
import { Markdown } from './markdown.tsx'
import { ToolCard } from './tool-card.tsx'
import { ToolImage } from './tool-image.tsx'
import { turnText } from './turn-text.ts'
import { UserMessage } from './user-message.tsx'
import './block-view.css'

/** One thing in a conversation. */
export const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  const language = useLanguage()
  const words = language.strings.chat.conversation
  switch (block.kind) {
    case 'user':
      return <UserMessage block={block} />
    case 'answer':
      return <Answer block={block} />
    case 'reasoning':
      return <Reasoning block={block} />
    case 'call':
      return <ToolCard id={block.key} call={block.call} />
    case 'summary':
      return (
        <Fold id={block.key} className="block-fold notice" summary={words.summary}>
          {() => <Markdown text={block.text} />}
        </Fold>
      )
    case 'notice':
      return (
        <p className="block-notice muted small">
          <Info size={14} aria-hidden />
          <span>
            {noticeText(block.notice.code, visibleLine(block.notice.message, 500), language.locale)}
            {block.notice.details === null ? null : ` (${visibleLine(block.notice.details, 500)})`}
          </span>
        </p>
      )
    case 'error':
      return <ErrorCard id={block.key} error={block.error} />
    case 'compaction':
      return <CompactionCard block={block} />
    case 'broken':
      return (
        <p className="block-notice muted small">
          <CircleAlert size={14} aria-hidden />
          {words.broken}
        </p>
      )
    case 'turn':
      return <p className="block-turn muted small">{turnText(block.end, block.durationMs, language)}</p>
  }
})

function Answer({ block }: { readonly block: WordsBlock }) {
  const words = useLanguage().strings.chat.conversation
  const { session } = useChat()
  return (
    <div className="block-answer">
      <span className="visually-hidden">{words.model}</span>
      {block.text.trim() === '' ? null : <Markdown text={block.text} />}
      {block.images?.map((image, index) => (
        <ToolImage key={index} session={session} image={image} />
      ))}
      {block.isLost === true ? <p className="block-lost small">{words.lost}</p> : null}
    </div>
  )
}

function Reasoning({ block }: { readonly block: WordsBlock }) {
  const { strings, number } = useLanguage()
  const words = strings.chat.conversation
  if (block.text.trim() === '') return null
  const line = block.isOpen ? visibleLine(block.text.slice(-160)) : ''
  return (
    <Fold
      id={block.key}
      className="block-fold block-reasoning"
      summary={
        <>
          {block.isOpen ? words.thinking : words.thought(number(block.text.length))}
          {line === '' ? null : <span className="block-thought">{line}</span>}
        </>
      }
    >
      {() => <LongText text={block.text.trim()} />}
    </Fold>
  )
}
