import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { cacheLeft, type Meter } from './apply-event.ts'
import type { ConversationState } from './conversation-state.ts'

/** The head of a conversation: its title, the model, how full the window is, and the cost. */
export function ChatHeader({ state }: { readonly state: ConversationState }) {
  const { conversation, turn, composer } = useLanguage()
  const { title, live, from, session } = state
  return (
    <header className="chat-header">
      <div className="chat-header-names">
        <h1 dir="auto">{title === null ? conversation.untitled : visibleLine(title, 120)}</h1>
        {from === null ? null : (
          <Link href={chatRoute(from.session)} className="small">
            {conversation.from[from.reason]}
          </Link>
        )}
      </div>
      <div className="chat-header-facts small muted">
        <span>{live.model.isOffline ? turn.offlineModel : live.model.name}</span>
        <span title={turn.modes[live.mode]}>{conversation.head.mode(composer.modes[live.mode])}</span>
        <MeterFacts state={state} />
      </div>
      <Link href={inspectRoute(session)} className="chat-header-load" title={conversation.head.inspect}>
        <LoadMeter meter={state.meter} />
      </Link>
    </header>
  )
}

function MeterFacts({ state: { meter, live } }: { readonly state: ConversationState }) {
  const { conversation, short, dollars } = useLanguage()
  const { head } = conversation
  const now = useNow(15_000)
  const left = cacheLeft(meter, now)
  const { unpriced, waitingTokens } = meter
  const paid = dollars(meter.dollars ?? 0)
  const money = unpriced === 0 ? paid : (meter.dollars ?? 0) > 0 ? head.costAtLeast(paid) : head.costUnknown
  return (
    <>
      {live.model.isOffline || meter.dollars === null ? null : <span>{money}</span>}
      {left === null || live.model.isOffline ? null : (
        <span title={head.cacheAbout}>{left > 0 ? head.cacheWarm(String(Math.ceil(left / 60_000))) : head.cacheCold}</span>
      )}
      {waitingTokens === 0 ? null : <span title={head.waitingAbout}>{head.waiting(short(waitingTokens))}</span>}
    </>
  )
}

/** A small load line: how much of the window is used, where its usable part ends, and the numbers. */
export function LoadMeter({ meter: { load } }: { readonly meter: Meter }) {
  const { conversation, turn, short, percent } = useLanguage()
  if (load === null) return <span className="small">{conversation.head.unmeasured}</span>
  const { tokens, window, reserve, source } = load
  const usable = Math.max(0, window - reserve)
  const share = window === 0 ? 0 : Math.min(1, tokens / window)
  const line = window === 0 ? 1 : usable / window
  const isHeavy = usable > 0 && tokens >= usable * 0.8
  const told = turn[source === 'usage' ? 'measured' : 'estimated']
  return (
    <span className={isHeavy ? 'load-meter load-meter-heavy' : 'load-meter'}>
      <span className="load-meter-bar" aria-hidden="true">
        <span className="load-meter-fill" style={{ width: `${share * 100}%` }} />
        <span className="load-meter-reserve" style={{ left: `${line * 100}%` }} />
      </span>
      <span className="load-meter-text small">
        {conversation.head.load(short(tokens), short(usable), short(reserve), told)} (
        {percent(usable === 0 ? 0 : tokens / usable)})
      </span>
    </span>
  )
}

/** Shows what the agent is doing and since when, and that a request that was too long is being repaired. */
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

/** The time in milliseconds, updated at that interval. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
