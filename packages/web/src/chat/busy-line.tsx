import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLanguage } from '../parts/language.tsx'
import type { ConversationState } from './conversation-state.ts'

/** What the agent is at, and since when; and in calm words that a request which was too long is being mended. */
export function BusyLine({ state }: { readonly state: ConversationState }) {
  const { conversation, turn } = useLanguage()
  const { live, isRecovering } = state
  const isWorking = live.isBusy && live.permission === null
  return (
    <>
      {isRecovering ? (
        <p className="notice notice-warn chat-banner" role="status">
          {turn.recovering}
        </p>
      ) : null}
      {isWorking ? <Working state={state} /> : null}
      <p className="visually-hidden" role="status">
        {live.isBusy ? conversation.announce.began : conversation.announce.ended}
      </p>
    </>
  )
}

function Working({ state }: { readonly state: ConversationState }) {
  const { turn, duration } = useLanguage()
  const now = useNow(1000)
  const { since } = state.live
  return (
    <p className="busy-line small muted">
      <LoaderCircle size={14} aria-hidden />
      {turn.doing[doing(state)]}
      {since === null ? null : <span>{duration(Math.max(0, Math.round((now - since) / 1000) * 1000))}</span>}
    </p>
  )
}

function doing({ blocks, open }: ConversationState): 'compacting' | 'running' | 'thinking' | 'answering' | 'waiting' {
  const last = blocks.at(-1)
  if (last?.kind === 'compaction' && last.end === null) return 'compacting'
  const isRunning = (status: string) => status === 'running'
  if (blocks.some((block) => block.kind === 'call' && isRunning(block.call.status))) return 'running'
  if (open !== null && Object.values(open.calls).some(({ status }) => isRunning(status))) return 'running'
  if (last?.kind === 'reasoning' && last.isOpen) return 'thinking'
  return last?.kind === 'answer' && last.isOpen ? 'answering' : 'waiting'
}

/** The time in milliseconds, told anew every so many of them. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
