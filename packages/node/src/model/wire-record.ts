import { isRecord } from '@plimsoll/core'
import type { Watch } from './bounded-fetch.ts'

/** What was seen of one request on the wire, for whoever has to say why it failed. */
export interface WireRecord {
  /** Where the request went, without path, name or password; null while nothing was sent. */
  readonly host: () => string | null
  readonly response: () => Response | null
  /** Whether the answer is a stream of events, by what it says of itself or by how it begins. */
  readonly isStream: () => boolean
  /** The beginning of an answer that is no stream. */
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
        if (firstBytes < mostFirst) {
          first.push(piece)
          firstBytes += piece.byteLength
        }
        last.push(piece)
        lastBytes += piece.byteLength
        while (last.length > 1 && lastBytes - (last[0]?.byteLength ?? 0) > mostLast) lastBytes -= last.shift()?.byteLength ?? 0
      },
    },
  }
}

/** No sentence of an error stands further in, or is longer. */
const mostFirst = 16 * 1024
const mostLast = 16 * 1024

function decode(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8')
}

function lastErrorIn(text: string): unknown {
  const lines = text.split('\n').slice(-200)
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] ?? ''
    if (!line.startsWith('data:')) continue
    const value = parsed(line.slice(5))
    if (isRecord(value) && holdsError(value)) return value
  }
  return null
}

function holdsError(value: Readonly<Record<string, unknown>>): boolean {
  if (isRecord(value['error']) || typeof value['error'] === 'string' || value['type'] === 'error') return true
  return isRecord(value['response']) && isRecord(value['response']['error'])
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
