import { promptTotal } from '@plimsoll/core/bill'
import { CircleAlert, EllipsisVertical, FileClock, FoldVertical, GitFork, Info, RotateCw, Undo2 } from 'lucide-react'
import { memo } from 'react'
import type { AgentError, TurnEnd } from '../../../node/src/shared/event.ts'
import { agentErrorText, noticeText } from '../../../node/src/shared/strings/strings-for.ts'
import { Button } from '../parts/controls.tsx'
import { type Language, useLanguage } from '../parts/language.tsx'
import { LongText } from '../parts/long-text.tsx'
import { Menu } from '../parts/menu.tsx'
import { beginningOf, visibleLine, visibleText } from '../parts/safe-text.ts'
import type { Block, CompactionBlock, TextBlock, UserBlock } from './blocks.ts'
import { Fold, useChat } from './chat-context.tsx'
import { Markdown } from './markdown.tsx'
import { ToolCard, ToolImage, ToolProgress } from './tool-card.tsx'

/** One thing in a conversation. */
export const BlockView = memo(function BlockView({ block }: { readonly block: Block }) {
  const language = useLanguage()
  const { conversation } = language
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
        <Fold id={block.key} className="block-fold notice" summary={conversation.summary}>
          {() => <Markdown text={block.text} />}
        </Fold>
      )
    case 'notice':
      return (
        <p className="block-notice muted small">
          <Info size={14} aria-hidden />
          <span>
            {language.sentences(
              noticeText(block.notice.code, visibleLine(block.notice.message, 500), language.locale),
              block.notice.details === null ? null : `(${visibleLine(block.notice.details, 500)})`,
            )}
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
          {conversation.broken}
        </p>
      )
    case 'turn':
      return <p className="block-turn muted small">{turnText(block.end, block.durationMs, language)}</p>
  }
})

function Answer({ block }: { readonly block: TextBlock }) {
  const { conversation } = useLanguage()
  const { session } = useChat()
  return (
    <div className="block-answer">
      <span className="visually-hidden">{conversation.model}</span>
      {block.text.trim() === '' ? null : <Markdown text={block.text} />}
      {block.images?.map((image, index) => (
        <ToolImage key={index} session={session} image={image} />
      ))}
      {block.isLost === true ? <p className="block-lost small">{conversation.lost}</p> : null}
    </div>
  )
}

function Reasoning({ block }: { readonly block: TextBlock }) {
  const { conversation, number } = useLanguage()
  if (block.text.trim() === '') return null
  const line = block.isOpen ? visibleLine(block.text.slice(-160)) : ''
  return (
    <Fold
      id={block.key}
      className="block-fold block-reasoning"
      summary={
        <>
          {block.isOpen ? conversation.thinking : conversation.thought(number(block.text.length))}
          {line === '' ? null : <span className="block-thought">{line}</span>}
        </>
      }
    >
      {() => <LongText text={block.text.trim()} />}
    </Fold>
  )
}

/** Older messages that are being compacted into a summary, with the progress; or the outcome. */
export function CompactionCard({ block }: { readonly block: CompactionBlock }) {
  return block.end === null ? <Folding block={block} /> : <Folded start={block.start} end={block.end} />
}

function Folding({ block: { start, written } }: { readonly block: CompactionBlock }) {
  const { conversation, turn, number } = useLanguage()
  const { compaction } = conversation
  const { folded = 0, kept = 0 } = start?.rounds ?? {}
  const message = written === 0 ? turn.doing.waiting : turn.written(number(written))
  return (
    <div className="notice compaction-card" role="status">
      <p>
        <FoldVertical size={15} aria-hidden /> <strong>{compaction.title}</strong>
      </p>
      {start === null ? null : (
        <p>{compaction.folding(number(start.messages), number(folded), number(kept), number(start.tokens))}</p>
      )}
      <ToolProgress label={compaction.title} message={message} progress={null} />
      {start?.writer === 'model' ? <p className="muted small">{compaction.takesTime}</p> : null}
    </div>
  )
}

function Folded({ start, end }: Pick<CompactionBlock, 'start'> & { readonly end: NonNullable<CompactionBlock['end']> }) {
  const { turn, number, percent } = useLanguage()
  const { outcome, tokensBefore, tokensAfter, kept } = end
  if (outcome !== 'compacted') return <p className="muted small compaction-card">{turn.compactionNot[outcome]}</p>
  const change = tokensBefore === 0 ? 0 : (tokensAfter - tokensBefore) / tokensBefore
  return (
    <div className="notice compaction-card">
      <p>
        <FoldVertical size={15} aria-hidden />{' '}
        {start === null ? null : <>{turn.roundsFolded(start.messages, start.rounds.folded, start.rounds.kept)} · </>}
        {turn.closing(number(tokensBefore), number(tokensAfter), percent(change))}
      </p>
      {kept === null || (kept !== 'summary' && start?.writer === 'model') ? null : (
        <p className="muted small">{turn.kept[kept]}</p>
      )}
    </div>
  )
}

function ErrorCard({ id, error }: { readonly id: string; readonly error: AgentError }) {
  const { shell, locale } = useLanguage()
  const { retryable, isBusy, resume } = useChat()
  const { message, suggestion } = agentErrorText(error, locale)
  return (
    <div className="notice notice-danger block-error">
      <p>
        <CircleAlert size={15} aria-hidden /> {beginningOf(message, 4000).text}
      </p>
      {suggestion === null ? null : <p>{beginningOf(suggestion, 2000).text}</p>}
      {retryable === id && !isBusy ? <Button icon={RotateCw} iconSize={14} onClick={resume} text={shell.tryAgain} /> : null}
    </div>
  )
}

/** A turn in one line: how it ended, its duration, requests, tokens and cost. */
export function turnText({ outcome, steps, usage, cost }: TurnEnd, durationMs: number, language: Language): string {
  const { turn, number, percent, dollars, duration } = language
  const prompt = promptTotal(usage)
  return [
    ...(outcome === 'finished' ? [] : [turn.turnOutcome[outcome]]),
    ...(durationMs < 100 ? [] : [duration(durationMs)]),
    // A request without an answer is not counted, and its cost is unknown.
    ...(steps === 0 ? [] : [turn.requests(steps)]),
    ...(prompt === 0 ? [] : [turn.turnTokens(number(prompt), number(usage.output))]),
    ...(prompt > 0 && usage.cacheRead > 0 ? [turn.readFromCache(percent(usage.cacheRead / prompt))] : []),
    ...(cost.dollars === 0 && (cost.unpriced > 0 || prompt === 0) ? [] : [dollars(cost.dollars)]),
  ].join(' · ')
}

/** Longer texts are shown in a collapsed frame. */
const maxText = 4000

function UserMessage({ block: { id, text, images } }: { readonly block: UserBlock }) {
  const { conversation } = useLanguage()
  const { session, isBusy, rewind, undoFiles, fork } = useChat()
  return (
    <div className="user-message">
      <div className="user-message-text">
        <span className="visually-hidden">{conversation.you}</span>
        {text.length > maxText ? <LongText text={text} first={maxText} /> : <p>{visibleText(text)}</p>}
        {images.map((image, index) => (
          <ToolImage key={index} session={session} image={image} />
        ))}
      </div>
      {id === null ? null : (
        <Menu
          label={conversation.message.menu}
          className="button button-quiet user-message-menu"
          items={[
            {
              key: 'rewind',
              label: conversation.message.rewind,
              about: conversation.message.rewindAbout,
              icon: Undo2,
              isDisabled: isBusy,
              onChoose: () => rewind(id),
            },
            {
              key: 'undoFiles',
              label: conversation.message.undoFiles,
              about: conversation.message.undoFilesAbout,
              icon: FileClock,
              isDisabled: isBusy,
              onChoose: () => undoFiles(id),
            },
            {
              key: 'fork',
              label: conversation.message.fork,
              about: conversation.message.forkAbout,
              icon: GitFork,
              onChoose: () => fork(id),
            },
          ]}
        >
          <EllipsisVertical size={16} aria-hidden />
        </Menu>
      )}
    </div>
  )
}
