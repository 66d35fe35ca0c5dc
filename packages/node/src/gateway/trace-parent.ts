/** The trace that a client's request belongs to. */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** 1 where the client records its trace, 0 where it does not. */
  readonly traceFlags: number
}

/** Reads a W3C `traceparent` header. Null for one that is none, or that names nothing. */
export function traceParent(header: string | undefined): TraceParent | null {
  const [, version, traceId, spanId, flags, rest] = shape.exec(header ?? '') ?? []
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined) return null
  // Later versions may say more after the flags; this one says nothing.
  if (version === 'ff' || (version === '00' && rest !== '') || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 }
}

const shape = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(|-.{0,200})$/
