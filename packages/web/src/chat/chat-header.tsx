import { Link } from 'wouter'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { useNow } from './busy-line.tsx'
import type { ConversationState } from './conversation-state.ts'
import { cacheLeft, type Meter } from './meter.ts'

/** What stands above a conversation: its title, who answers, how full the window is, and what it has cost. */
export function ChatHeader({ state }: { readonly state: ConversationState }) {
  const { conversation, turn, composer } = useLanguage()
  const { title, live, from, session } = state
  return (
    <header className="chat-header">
      <div className="chat-header-names">
        <h1>{title === null ? conversation.untitled : visibleLine(title, 120)}</h1>
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

/** Often enough for a number of minutes. */
const tickMs = 15_000

function MeterFacts({ state: { meter, live } }: { readonly state: ConversationState }) {
  const { conversation, short, dollars } = useLanguage()
  const now = useNow(tickMs)
  const left = cacheLeft(meter, now)
  const { unpriced, waitingTokens } = meter
  const money =
    unpriced === 0
      ? dollars(meter.dollars)
      : meter.dollars > 0
        ? conversation.head.costAtLeast(dollars(meter.dollars))
        : conversation.head.costUnknown
  return (
    <>
      {live.model.isOffline || meter.load === null ? null : <span>{money}</span>}
      {left === null || live.model.isOffline ? null : (
        <span title={conversation.head.cacheAbout}>
          {left > 0 ? conversation.head.cacheWarm(String(Math.ceil(left / 60_000))) : conversation.head.cacheCold}
        </span>
      )}
      {waitingTokens === 0 ? null : (
        <span title={conversation.head.waitingAbout}>{conversation.head.waiting(short(waitingTokens))}</span>
      )}
    </>
  )
}

/** A small load line: how much of the window is taken, where its usable part ends, and the numbers. */
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
