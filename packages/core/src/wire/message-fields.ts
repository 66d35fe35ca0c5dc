import type { RawMessage } from './dialect.ts'

/** When a message was written, from the fields logs keep it in: `timestamp` as milliseconds or ISO text, or `ts`. */
export function timeOf(raw: RawMessage): { readonly at?: number } {
  const at = milliseconds(raw['timestamp']) ?? milliseconds(raw['ts'])
  return at === undefined ? {} : { at }
}

/** The state a log gives a tool's answer. */
export function statusOf(raw: RawMessage): { readonly status?: string } {
  const status = raw['messageStatus']
  return typeof status === 'string' ? { status } : {}
}

/** A field that must be text to count; an empty one says nothing. */
export function textField(raw: RawMessage, field: string): string | null {
  const value = raw[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The media type that a data URL begins with. */
export function dataUrlType(url: unknown): string | undefined {
  return typeof url === 'string' ? /^data:([\w.+-]{1,60}\/[\w.+-]{1,100})[;,]/.exec(url.slice(0, 200))?.[1] : undefined
}

function milliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined
  // Text without a zone is taken as UTC: the answer must not depend on where the program runs.
  const time = Date.parse(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(time) ? undefined : time
}
