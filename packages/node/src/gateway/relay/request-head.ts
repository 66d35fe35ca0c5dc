/** A request's headers: those that are sent on, and what the gateway reads from them. */
export interface RequestHead {
  /** Names and values in turn, as they arrived, without those about the connection or the gateway. */
  readonly forward: readonly string[]
  readonly count: number
  /** Null if there is none or more than one. */
  readonly host: string | null
  readonly origin: string | null
  /** The `sec-fetch-site` of a browser, or null. */
  readonly fetchSite: string | null
  readonly contentType: string
  /** In lower case; empty if the body is not packed. */
  readonly contentEncoding: string
  readonly contentLength: number | null
  readonly transferEncoding: string | null
  readonly upgrade: string | null
  readonly expectsContinue: boolean
  /** The first credential; it is only hashed and forwarded. */
  readonly credential: string | null
  /** Whether only a client of Anthropic, or of Gemini, sends such headers. */
  readonly isAnthropic: boolean
  readonly isGemini: boolean
  /** Whether a header signs the bytes of the body, which then must not change. */
  readonly isSealed: boolean
  readonly session: string | null
  readonly trim: string | null
  readonly token: string | null
  readonly traceparent: string | null
}

export function readHead(raw: readonly string[]): RequestHead {
  const forward: string[] = []
  let named: Set<string> | null = null
  let hosts = 0
  let host: string | null = null
  let origin: string | null = null
  let fetchSite: string | null = null
  let contentType = ''
  let contentEncoding = ''
  let contentLength: number | null = null
  let transferEncoding: string | null = null
  let upgrade: string | null = null
  let expectsContinue = false
  let credential: string | null = null
  let credentialRank = credentialNames.length
  let isAnthropic = false
  let isGemini = false
  let isSealed = false
  let session: string | null = null
  let sessionRank = sessionNames.length
  let trim: string | null = null
  let token: string | null = null
  let traceparent: string | null = null

  for (let index = 0; index + 1 < raw.length; index += 2) {
    const written = raw[index] as string
    const value = raw[index + 1] as string
    const name = written.toLowerCase()
    switch (name) {
      case 'host':
        hosts++
        host = value
        continue
      case 'connection':
        named = namedIn(value, named)
        continue
      case 'transfer-encoding':
        transferEncoding = transferEncoding === null ? value.toLowerCase() : `${transferEncoding},${value.toLowerCase()}`
        continue
      case 'upgrade':
        upgrade = value.toLowerCase()
        continue
      case 'expect':
        expectsContinue = value.toLowerCase() === '100-continue'
        continue
      case 'keep-alive':
      case 'te':
      case 'trailer':
        continue
      case 'content-length':
        contentLength = Number(value)
        continue
      case 'content-type':
        contentType = value
        break
      case 'content-encoding':
        contentEncoding =
          contentEncoding === '' ? value.trim().toLowerCase() : `${contentEncoding}, ${value.trim().toLowerCase()}`
        break
      case 'origin':
        origin = value
        break
      case 'sec-fetch-site':
        fetchSite = value
        break
      case 'anthropic-version':
      case 'anthropic-beta':
        isAnthropic = true
        break
      case 'digest':
      case 'content-md5':
      case 'content-digest':
      case 'repr-digest':
      case 'signature':
      case 'x-amz-content-sha256':
        isSealed = true
        break
      case 'traceparent':
        traceparent = value
        break
      default:
        if (name.startsWith('proxy-')) continue
        if (name.startsWith('x-plimsoll-')) {
          if (name === 'x-plimsoll-trim') trim = value
          else if (name === 'x-plimsoll-token') token = value
          continue
        }
    }
    const rank = credentialNames.indexOf(name)
    if (rank >= 0 && rank < credentialRank && value !== '') {
      credential = value
      credentialRank = rank
    }
    if (name === 'x-api-key') isAnthropic = true
    else if (name === 'x-goog-api-key') isGemini = true
    const place = sessionNames.indexOf(name)
    if (place >= 0 && place < sessionRank && value !== '') {
      session = value
      sessionRank = place
    }
    forward.push(written, value)
  }

  return {
    forward: named === null ? forward : without(forward, named),
    count: raw.length / 2,
    host: hosts === 1 ? host : null,
    origin,
    fetchSite,
    contentType,
    contentEncoding: contentEncoding === 'identity' ? '' : contentEncoding,
    contentLength,
    transferEncoding,
    upgrade,
    expectsContinue,
    credential,
    isAnthropic,
    isGemini,
    isSealed,
    session,
    trim,
    token,
    traceparent,
  }
}

/** The first one that is present counts. */
const credentialNames = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']

/** The headers in which agents name their sessions; the first one counts. */
const sessionNames = ['x-claude-code-session-id', 'x-session-id', 'session_id', 'session-id', 'x-opencode-session']

/** Headers that `connection` limits to one connection; null while there are only the usual ones. */
function namedIn(value: string, before: Set<string> | null): Set<string> | null {
  let named = before
  for (const word of value.toLowerCase().split(',')) {
    const name = word.trim()
    if (name === '' || name === 'keep-alive' || name === 'close' || name === 'upgrade') continue
    named ??= new Set()
    named.add(name)
  }
  return named
}

/** Headers without these names, which are in lower case. */
export function without(headers: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] as string
    if (!names.has(name.toLowerCase())) kept.push(name, headers[index + 1] as string)
  }
  return kept
}
