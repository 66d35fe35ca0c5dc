export type RequestHead = Readonly<ReturnType<typeof readHead>>

/** Reads a request's headers: those that are sent on, and what the gateway needs of them. */
export function readHead(raw: readonly string[]) {
  const head = {
    /** Names and values in turn, as they arrived, without those about the connection or the gateway. */
    forward: [] as readonly string[],
    count: raw.length / 2,
    host: null as string | null,
    origin: null as string | null,
    fetchSite: null as string | null,
    contentType: '',
    contentEncoding: '',
    contentLength: null as number | null,
    transferEncoding: null as string | null,
    upgrade: null as string | null,
    expectsContinue: false,
    /** The first credential; it is only hashed and forwarded. */
    credential: null as string | null,
    /** Whether only a client of Anthropic, or of Gemini, sends such headers. */
    isAnthropic: false,
    isGemini: false,
    /** Whether a header signs the bytes of the body, which then must not change. */
    isSealed: false,
    session: null as string | null,
    trim: null as string | null,
    token: null as string | null,
    traceparent: null as string | null,
  }
  const forward: string[] = []
  let named: Set<string> | null = null
  let hosts = 0
  let credentialRank = credentialNames.length
  let sessionRank = sessionNames.length
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const written = raw[index] as string
    const value = raw[index + 1] as string
    const name = written.toLowerCase()
    switch (name) {
      case 'host':
        hosts++
        head.host = value
        continue
      case 'connection':
        named = namedIn(value, named)
        continue
      case 'transfer-encoding':
        head.transferEncoding = (head.transferEncoding === null ? '' : `${head.transferEncoding},`) + value.toLowerCase()
        continue
      case 'upgrade':
        head.upgrade = value.toLowerCase()
        continue
      case 'expect':
        head.expectsContinue = value.toLowerCase() === '100-continue'
        continue
      case 'keep-alive':
      case 'te':
      case 'trailer':
        continue
      case 'content-length':
        head.contentLength = Number(value)
        continue
      case 'content-type':
        head.contentType = value
        break
      case 'content-encoding':
        head.contentEncoding += `${head.contentEncoding === '' ? '' : ', '}${value.trim().toLowerCase()}`
        break
      case 'origin':
        head.origin = value
        break
      case 'sec-fetch-site':
        head.fetchSite = value
        break
      case 'anthropic-version':
      case 'anthropic-beta':
        head.isAnthropic = true
        break
      case 'digest':
      case 'content-md5':
      case 'content-digest':
      case 'repr-digest':
      case 'signature':
      case 'x-amz-content-sha256':
        head.isSealed = true
        break
      case 'traceparent':
        head.traceparent = value
        break
      default:
        if (name.startsWith('proxy-')) continue
        if (name.startsWith('x-plimsoll-')) {
          if (name === 'x-plimsoll-trim') head.trim = value
          else if (name === 'x-plimsoll-token') head.token = value
          continue
        }
    }
    const rank = credentialNames.indexOf(name)
    if (rank >= 0 && rank < credentialRank && value !== '') {
      head.credential = value
      credentialRank = rank
    }
    if (name === 'x-api-key') head.isAnthropic = true
    else if (name === 'x-goog-api-key') head.isGemini = true
    const place = sessionNames.indexOf(name)
    if (place >= 0 && place < sessionRank && value !== '') {
      head.session = value
      sessionRank = place
    }
    forward.push(written, value)
  }

  head.forward = named === null ? forward : without(forward, named)
  if (hosts !== 1) head.host = null
  if (head.contentEncoding === 'identity') head.contentEncoding = ''
  return head
}

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

export function without(headers: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const kept: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index] as string
    if (!names.has(name.toLowerCase())) kept.push(name, headers[index + 1] as string)
  }
  return kept
}
