/**
 * Milliseconds that a provider asks to wait, by its headers or by what its refusal says; null where it does not tell. `now` is the
 * time in milliseconds, for those who name a moment.
 */
export function retryAfter(headers: ReadonlyHeaders, text: string, now: number): number | null {
  return fromHeaders(headers, now) ?? fromText(text)
}

/** Headers by name in lower case. */
export type ReadonlyHeaders = Readonly<Record<string, string>>

/** Nobody means more: it is a moment that was taken for a length of time. */
const longest = 7 * 24 * 60 * 60 * 1000

function fromHeaders(headers: ReadonlyHeaders, now: number): number | null {
  const exact = amount(headers['retry-after-ms'], 1)
  if (exact !== null) return exact
  const after = headers['retry-after']?.trim()
  if (after !== undefined) return amount(after, 1000) ?? (/^[a-z]{3}, \d/i.test(after) ? until(Date.parse(after), now) : null)
  const resets = ['x-ratelimit-reset-requests', 'x-ratelimit-reset-tokens'].flatMap((name) => duration(headers[name]) ?? [])
  if (resets.length > 0) return Math.max(...resets)
  return moment(headers['x-ratelimit-reset'], now)
}

/** `"retryDelay": "34s"`, `try again in 1.5s`, `try again in 6m0s`, `retry after 20 seconds`. */
function fromText(text: string): number | null {
  const told =
    /retry_?delay["'\s:]{1,6}([\d.]{1,10}s)/i.exec(text.slice(0, 20_000)) ??
    /(?:try again|retry)(?: in| after) ((?:[\d.]{1,10} ?(?:ms|h|m|s)[a-z]{0,7} ?){1,3})/i.exec(text.slice(0, 20_000))
  return duration(told?.[1])
}

function amount(value: string | undefined, unit: number): number | null {
  if (value === undefined || !/^\d{1,12}(?:\.\d{1,6})?$/.test(value.trim())) return null
  return within(Number(value) * unit)
}

/** A length of time such as `1s`, `6m0s`, `850ms`. */
function duration(value: string | undefined): number | null {
  if (value === undefined) return null
  let total = 0
  let found = false
  for (const [, number, unit] of value.slice(0, 60).matchAll(/(\d{1,9}(?:\.\d{1,6})?) ?(ms|h|m|s)/gi)) {
    total += Number(number) * (units[(unit ?? '').toLowerCase()] ?? 0)
    found = true
  }
  return found ? within(total) : null
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** A moment in seconds or milliseconds since 1970, or so many seconds from now. */
function moment(value: string | undefined, now: number): number | null {
  if (value === undefined || !/^\d{1,13}$/.test(value.trim())) return duration(value)
  const number = Number(value)
  if (number > 1e11) return until(number, now)
  return number > 1e8 ? until(number * 1000, now) : within(number * 1000)
}

function until(time: number, now: number): number | null {
  return Number.isNaN(time) ? null : within(Math.max(0, time - now))
}

function within(milliseconds: number): number | null {
  return Number.isFinite(milliseconds) && milliseconds >= 0 && milliseconds <= longest ? Math.ceil(milliseconds) : null
}
