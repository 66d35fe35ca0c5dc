/** The provider's own name for a request, by which its support can find it; null where the answer does not tell it. */
export function requestIdOf(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null
  if (typeof cause !== 'object' || cause === null || !('responseHeaders' in cause)) return null
  const headers = cause.responseHeaders
  if (typeof headers !== 'object' || headers === null) return null
  for (const name of names) {
    const value = (headers as Readonly<Record<string, unknown>>)[name]
    // It is shown to people and comes from anybody.
    if (typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value)) return value
  }
  return null
}

const names = ['x-request-id', 'request-id', 'apim-request-id', 'x-amzn-requestid', 'cf-ray']
