import { useLanguage } from '../parts/language.tsx'
import type { Meter } from './meter.ts'

/** A small load line: how much of the window is taken, where its usable part ends, and the numbers. */
export function LoadMeter({ meter: { load } }: { readonly meter: Meter }) {
  const { strings, short, percent } = useLanguage()
  const words = strings.chat.conversation.head
  if (load === null) return <span className="small">{words.unmeasured}</span>
  const { tokens, window, reserve, source } = load
  const usable = Math.max(0, window - reserve)
  const share = window === 0 ? 0 : Math.min(1, tokens / window)
  const line = window === 0 ? 1 : usable / window
  const isHeavy = usable > 0 && tokens >= usable * 0.8
  const told = strings.turn[source === 'usage' ? 'measured' : 'estimated']
  return (
    <span className={isHeavy ? 'load-meter load-meter-heavy' : 'load-meter'}>
      <span className="load-meter-bar" aria-hidden="true">
        <span className="load-meter-fill" style={{ width: `${share * 100}%` }} />
        <span className="load-meter-reserve" style={{ left: `${line * 100}%` }} />
      </span>
      <span className="load-meter-text small">
        {words.load(short(tokens), short(usable), short(reserve), told)} ({percent(usable === 0 ? 0 : tokens / usable)})
      </span>
    </span>
  )
}
