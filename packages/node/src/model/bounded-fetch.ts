import { isRecord, parseJson } from '@plimsoll/core/text'

/** Observes a request and its response without changing them. */
export interface Watch {
  readonly onRequest: (address: string) => void
  readonly onResponse: (response: Response) => void
  readonly onPiece: (piece: Uint8Array) => void
}

/** Finds the watch of a request by its signal: nothing else of a call reaches the wire. */
export type FindWatch = (signal: AbortSignal | null) => Watch | undefined

interface BoundedFetchOptions {
  readonly maxBytes: number
  readonly fetch?: typeof fetch | undefined
  readonly watch?: FindWatch | undefined
}

/**
 * Fetches like the built-in function, and aborts a response of more than `maxBytes`, which would fill the memory before any time
 * limit. Returns redirections instead of following them: the conversation and the key would go to an address that the user did
 * not name.
 */
export function createBoundedFetch({ maxBytes, fetch: base, watch: findWatch }: BoundedFetchOptions): typeof fetch {
  return async (input, init) => {
    const watch = findWatch?.(init?.signal ?? null)
    watch?.onRequest(input instanceof Request ? input.url : String(input))
    // A text would be copied three times on its way to bytes.
    const inBytes = typeof init?.body === 'string' ? { body: Buffer.from(init.body, 'utf8') } : {}
    const response = await (base ?? fetch)(input, { ...init, ...inBytes, redirect: 'manual' })
    watch?.onResponse(response)
    if (response.body === null) return response
    let bytes = 0
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength
        watch?.onPiece(piece)
        if (bytes > maxBytes) controller.error(new Error(`the server sent more than ${maxBytes} bytes`))
        else controller.enqueue(piece)
      },
    })
    return new Response(response.body.pipeThrough(counted), response)
  }
}

export type WireRecord = Omit<ReturnType<typeof recordWire>, 'watch'>

/** Records a request and its response, within bounds. Calls `onSign` for each piece of the response. */
export function recordWire(onSign: () => void) {
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
    /** Without path, user name or password; null before the request. */
    host: () => host,
    response: () => response,
    isStream,
    text,
    /** The last error that came as an event of the stream; null if there was none. Never text of the model. */
    error: () => lastErrorIn(decode(last)),
    watch: {
      onRequest(address: string) {
        // One call may send several requests; the latest is the one that fails.
        host = URL.parse(address)?.host ?? null
        response = null
        first = []
        firstBytes = 0
        last = []
        lastBytes = 0
      },
      onResponse(received: Response) {
        response = received
      },
      onPiece(piece: Uint8Array) {
        onSign()
        if (firstBytes < maxKept) {
          first.push(piece)
          firstBytes += piece.byteLength
        }
        last.push(piece)
        lastBytes += piece.byteLength
        while (last.length > 1 && lastBytes - (last[0]?.byteLength ?? 0) > maxKept) lastBytes -= last.shift()?.byteLength ?? 0
      },
    },
  }
}

/** Bytes kept of the start and of the end; errors are shorter. */
const maxKept = 16 * 1024

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
  // Some servers omit the blank line between two events.
  for (const json of [whole, ...data.toReversed()]) {
    const told = parseJson(json)
    const value: unknown = Array.isArray(told) ? told[0] : told
    if (isRecord(value) && (isError || holdsError(value))) return value
  }
  return isError && whole !== '' ? whole : null
}

/** Errors have their own field, or are bare, with a message that no answer has. */
function holdsError(value: Readonly<Record<string, unknown>>): boolean {
  if (isRecord(value['error']) || typeof value['error'] === 'string') return true
  if (value['type'] === 'error' || value['object'] === 'error') return true
  if (isRecord(value['response']) && isRecord(value['response']['error'])) return true
  return typeof value['message'] === 'string' || typeof value['detail'] === 'string'
}
