import { isRecord, parseJson } from '@plimsoll/core/text'

/** Sees what goes over the wire, and changes nothing of it. */
export interface Watch {
  readonly onRequest: (address: string) => void
  readonly onResponse: (response: Response) => void
  readonly onPiece: (piece: Uint8Array) => void
}

/** Finds who watches a request, by the signal that it is sent with: the one thing of a call that comes through to the wire. */
export type FindWatch = (signal: AbortSignal | null) => Watch | undefined

interface BoundedFetchOptions {
  readonly mostBytes: number
  readonly fetch?: typeof fetch | undefined
  readonly watch?: FindWatch | undefined
}

/**
 * Fetches like the built-in function, and breaks off an answer that is longer than so many bytes: whatever reads it keeps it in
 * memory, and a server that never stops would fill that up long before any time limit. Gives a redirection back in place of
 * following it: the conversation, and with some providers the key, would go to an address that nobody named.
 */
export function createBoundedFetch({ mostBytes, fetch: base, watch: findWatch }: BoundedFetchOptions): typeof fetch {
  return async (input, init) => {
    const watch = findWatch?.(init?.signal ?? null)
    watch?.onRequest(input instanceof Request ? input.url : String(input))
    // A text is read over three times on its way to bytes, and a conversation is a long one.
    const inBytes = typeof init?.body === 'string' ? { body: Buffer.from(init.body, 'utf8') } : {}
    const response = await (base ?? fetch)(input, { ...init, ...inBytes, redirect: 'manual' })
    watch?.onResponse(response)
    if (response.body === null) return response
    let bytes = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength
        watch?.onPiece(piece)
        if (bytes > mostBytes) controller.error(new Error(`the server sent more than ${mostBytes} bytes`))
        else controller.enqueue(piece)
      },
    })
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
  }
}

/** What was seen of one request on the wire, for whoever has to say why it failed. */
export interface WireRecord {
  /** Where the request went, without path, name or password; null while nothing was sent. */
  readonly host: () => string | null
  readonly response: () => Response | null
  /** Whether the answer is a stream of events, by what it says of itself or by how it begins. */
  readonly isStream: () => boolean
  readonly text: () => string
  /** The last error that came as an event of the stream; null where none did. Never what the model wrote. */
  readonly error: () => unknown
}

/** Records what a request and its answer were, within bounds. `onSign` is called whenever something of the answer arrives. */
export function recordWire(onSign: () => void): WireRecord & { readonly watch: Watch } {
  let host: string | null = null
  let response: Response | null = null
  let first: Uint8Array[] = []
  let firstBytes = 0
  let last: Uint8Array[] = []
  let lastBytes = 0
  const text = () => decode(first)
  const isStream = () =>
    /event-stream/i.test(response?.headers.get('content-type') ?? '') || /^\s*(?::|data:|event:|id:)/.test(text().slice(0, 100))
  return {
    host: () => host,
    response: () => response,
    isStream,
    text,
    error: () => lastErrorIn(decode(last)),
    watch: {
      onRequest(address) {
        // One call may ask more than once; the latest request is the one that fails.
        host = URL.parse(address)?.host ?? null
        response = null
        first = []
        firstBytes = 0
        last = []
        lastBytes = 0
      },
      onResponse(received) {
        response = received
      },
      onPiece(piece) {
        onSign()
        if (firstBytes < mostBytesKept) {
          first.push(piece)
          firstBytes += piece.byteLength
        }
        last.push(piece)
        lastBytes += piece.byteLength
        while (last.length > 1 && lastBytes - (last[0]?.byteLength ?? 0) > mostBytesKept)
          lastBytes -= last.shift()?.byteLength ?? 0
      },
    },
  }
}

/** Bytes that are kept of the beginning and of the end. No sentence of an error is further in, or longer. */
const mostBytesKept = 16 * 1024

function decode(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8')
}

function lastErrorIn(text: string): unknown {
  let last: unknown = null
  const events = text.replace(/\r\n?/g, '\n').split('\n\n')
  for (const event of events.slice(-200)) last = errorOf(event.split('\n')) ?? last
  return last
}

function errorOf(lines: readonly string[]): unknown {
  const isError = lines.some((line) => /^event:\s{0,10}error\b/i.test(line))
  const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []))
  const whole = data.join('\n')
  // Some servers leave out the blank line between two events.
  for (const json of [whole, ...data.toReversed()]) {
    const told = parseJson(json)
    const value: unknown = Array.isArray(told) ? told[0] : told
    if (isRecord(value) && (isError || holdsError(value))) return value
  }
  return isError && whole !== '' ? whole : null
}

/** An error in one of the shapes in use: in a field of its own, or bare, with its words where an answer has something else. */
function holdsError(value: Readonly<Record<string, unknown>>): boolean {
  if (isRecord(value['error']) || typeof value['error'] === 'string') return true
  if (value['type'] === 'error' || value['object'] === 'error') return true
  if (isRecord(value['response']) && isRecord(value['response']['error'])) return true
  return typeof value['message'] === 'string' || typeof value['detail'] === 'string'
}
