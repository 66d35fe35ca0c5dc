import { type ReactNode, useState } from 'react'
import { useChat } from './chat-context.tsx'

/** What can be folded. */
export interface FoldProps {
  /** Names it in the conversation, so that it stays as it was left. */
  readonly id: string
  readonly summary: ReactNode
  readonly isOpenAtFirst?: boolean
  readonly className?: string
  /** Made only once it is unfolded. */
  readonly children: () => ReactNode
}

/** Something that is folded under one line until somebody wants to see it. */
export function Fold({ id, summary, isOpenAtFirst = false, className, children }: FoldProps) {
  const { unfolded } = useChat()
  const [chosen, choose] = useState(() => unfolded.get(id))
  const isOpen = chosen ?? isOpenAtFirst
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={(event) => {
        const { open } = event.currentTarget
        if (open === isOpen) return
        unfolded.set(id, open)
        choose(open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  )
}
