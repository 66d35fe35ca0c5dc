import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** What was typed while the agent was busy and is said next. */
export function QueueList({ queue }: { readonly queue: readonly string[] }) {
  const { strings } = useLanguage()
  const words = strings.chat.composer
  if (queue.length === 0) return null
  const shown = queue.slice(0, 5)
  return (
    <div className="composer-queue small">
      <p className="muted">
        <strong>{words.queued(queue.length)}</strong> {words.queuedHint}
      </p>
      <ol>
        {shown.map((text, index) => (
          <li key={`${index}${text.slice(0, 20)}`}>{visibleLine(text, 160)}</li>
        ))}
      </ol>
      {queue.length > shown.length ? <p className="muted">…</p> : null}
    </div>
  )
}
