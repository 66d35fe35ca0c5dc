import type { Report } from '@plimsoll/core'
import type { SessionLook } from '../../../node/src/shared/server-api.ts'

/** How full the window is and what the session has cost, for the head of the chat. */
export interface Meter {
  /** Null before anything was measured. */
  readonly load: {
    readonly tokens: number
    readonly window: number
    readonly reserve: number
    readonly source: 'usage' | 'estimate'
  } | null
  readonly dollars: number
  /** Requests whose price nobody knows. */
  readonly unpriced: number
  /** Tokens that wait to be left out. */
  readonly waitingTokens: number
  /** How long the provider keeps a prompt, in milliseconds; null where it keeps none, or nobody goes by it. */
  readonly cacheLifetimeMs: number | null
  /** When the provider was last asked; null where nobody knows. */
  readonly askedAt: number | null
}

/** The meter of a session as the server looked at it. */
export function meterOf(look: SessionLook | null, askedAt: number | null): Meter {
  if (look === null) return { load: null, dollars: 0, unpriced: 0, waitingTokens: 0, cacheLifetimeMs: null, askedAt }
  const { tokens, window, reserve, source } = look.fill
  return {
    load: { tokens, window, reserve, source },
    dollars: look.cost.dollars,
    unpriced: look.cost.unpriced,
    ...fromReport(look.report),
    askedAt,
  }
}

/** The same after a request was built. */
export function withView(
  meter: Meter,
  view: { readonly report: Report; readonly window: number; readonly usable: number },
): Meter {
  const { report, window, usable } = view
  const { tokens, source } = report.load
  return { ...meter, load: { tokens, window, reserve: Math.max(0, window - usable), source }, ...fromReport(report) }
}

/** How long the provider still has the conversation, in milliseconds: 0 when it has forgotten it, null where there is nothing to know. */
export function cacheLeft({ cacheLifetimeMs, askedAt }: Meter, now: number): number | null {
  if (cacheLifetimeMs === null || askedAt === null) return null
  return Math.max(0, askedAt + cacheLifetimeMs - now)
}

/** Where nobody knows how long a provider keeps a prompt. */
const usualLifetime = 5 * 60_000

function fromReport({ timing }: Report): Pick<Meter, 'waitingTokens' | 'cacheLifetimeMs'> {
  if (timing === null) return { waitingTokens: 0, cacheLifetimeMs: null }
  const { waitingTokens, lifetimeSeconds, cold } = timing
  const lifetimeMs = lifetimeSeconds === null ? usualLifetime : lifetimeSeconds * 1000
  return { waitingTokens, cacheLifetimeMs: cold === 'uncached' ? null : lifetimeMs }
}
