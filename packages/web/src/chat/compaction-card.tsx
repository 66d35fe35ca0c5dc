import { FoldVertical } from 'lucide-react'
import { useLanguage } from '../parts/language.tsx'
import type { CompactionBlock } from './blocks.ts'
import { ToolProgress } from './tool-progress.tsx'
import './compaction-card.css'

/** Older messages that are being folded into a summary, with how far that is; or what came of it. */
export function CompactionCard({ block }: { readonly block: CompactionBlock }) {
  return block.end === null ? <Folding block={block} /> : <Folded block={block} end={block.end} />
}

function Folding({ block: { start, written } }: { readonly block: CompactionBlock }) {
  const { strings, number } = useLanguage()
  const words = strings.chat.conversation.compaction
  return (
    <div className="notice compaction-card" role="status">
      <p>
        <FoldVertical size={15} aria-hidden /> <strong>{words.title}</strong>
      </p>
      {start === null ? null : (
        <p>
          {words.folding(number(start.messages), number(start.rounds.folded), number(start.rounds.kept), number(start.tokens))}
        </p>
      )}
      <ToolProgress
        label={words.title}
        message={written === 0 ? strings.turn.doing.waiting : strings.turn.written(number(written))}
        progress={null}
      />
      {start?.writer === 'model' ? <p className="muted small">{words.takesTime}</p> : null}
    </div>
  )
}

function Folded({
  block: { start },
  end,
}: {
  readonly block: CompactionBlock
  readonly end: NonNullable<CompactionBlock['end']>
}) {
  const { strings, number, percent } = useLanguage()
  const { outcome, tokensBefore, tokensAfter, kept } = end
  if (outcome !== 'compacted') return <p className="muted small compaction-card">{strings.turn.compactionNot[outcome]}</p>
  const change = tokensBefore === 0 ? 0 : (tokensAfter - tokensBefore) / tokensBefore
  return (
    <div className="notice compaction-card">
      <p>
        <FoldVertical size={15} aria-hidden />{' '}
        {start === null ? null : <>{strings.turn.roundsFolded(start.messages, start.rounds.folded, start.rounds.kept)} · </>}
        {strings.turn.closing(number(tokensBefore), number(tokensAfter), percent(change))}
      </p>
      {kept === null || (kept !== 'summary' && start?.writer === 'model') ? null : (
        <p className="muted small">{strings.turn.kept[kept]}</p>
      )}
    </div>
  )
}
