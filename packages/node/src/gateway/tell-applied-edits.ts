import { withAppliedEdits } from './planner/applied-edits.ts'
import { splitEvents } from './split-events.ts'

/** What an answer's bytes go through, piece by piece. */
export interface AnswerTransform {
  /** What can go on after these bytes; the pieces in order. */
  readonly write: (chunk: Uint8Array) => readonly Uint8Array[]
  /** What is left when the answer is over, or has broken off. */
  readonly end: () => readonly Uint8Array[]
}

/** An answer as its headers describe it, and what it has to tell. */
export interface TellOptions {
  readonly contentType: string
  /** Bytes that are packed pass through as they are. */
  readonly contentEncoding: string
  readonly edits: readonly { readonly type: string }[]
}

/**
 * Tells in an answer of Anthropic's dialect which edits of the context were applied: in the message, or in the event that ends a
 * streamed one. Every other byte stays, whatever pieces they come in; an answer that cannot be read, is an error or tells of edits by
 * itself passes as it is. An event is held back until it is complete, which is when a client reads it. The answer becomes longer, so a
 * length that was announced no longer holds.
 */
export function tellAppliedEdits({ contentType, contentEncoding, edits }: TellOptions): AnswerTransform {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding !== '' && encoding !== 'identity') return untouched
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'text/event-stream') return tellInStream(edits)
  return type === 'application/json' ? tellInMessage(edits) : untouched
}

const untouched: AnswerTransform = { write: (chunk) => [chunk], end: () => [] }

/** Larger events, and larger messages, pass as they are. */
const mostEventBytes = 1024 * 1024
const mostMessageBytes = 8 * 1024 * 1024

function tellInMessage(edits: TellOptions['edits']): AnswerTransform {
  let held: Uint8Array[] = []
  let size = 0
  return {
    write(chunk) {
      if (size > mostMessageBytes) return [chunk]
      held.push(chunk)
      size += chunk.length
      return size > mostMessageBytes ? take() : []
    },
    end() {
      const bytes = Buffer.concat(take())
      return bytes.length === 0 ? [] : [told(bytes, edits) ?? bytes]
    },
  }

  function take(): readonly Uint8Array[] {
    const pieces = held
    held = []
    return pieces
  }
}

function tellInStream(edits: TellOptions['edits']): AnswerTransform {
  let isTold = false
  const events = splitEvents(mostEventBytes)

  function passed(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return pieces.map((piece) => {
      if (isTold) return piece
      const event = toldInEvent(piece, edits)
      if (event === null) return piece
      isTold = true
      return event
    })
  }

  return {
    write: (chunk) => (isTold ? [...events.end(), chunk] : passed(events.write(chunk))),
    // An event without its end was cut off.
    end: () => events.end(),
  }
}

function toldInEvent(bytes: Uint8Array, edits: TellOptions['edits']): Uint8Array | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!buffer.includes('message_delta')) return null
  const lines = buffer.toString('latin1').split(/(\r\n|\r|\n)/)
  const data = lines.flatMap((line, place) => (line.startsWith('data:') ? [{ place, text: line.slice(5) }] : []))
  const json = withTold(data.map(({ text }) => text).join('\n'), edits)?.split('\n')
  if (json?.length !== data.length) return null
  for (const [index, { place }] of data.entries()) lines[place] = `data:${json[index]}`
  return Buffer.from(lines.join(''), 'latin1')
}

function told(bytes: Buffer, edits: TellOptions['edits']): Uint8Array | null {
  const text = withTold(bytes.toString('latin1'), edits)
  return text === null ? null : Buffer.from(text, 'latin1')
}

/** Bytes are read as one character each, so that those of any text come back as they were; what is told is plain ASCII. */
function withTold(text: string, edits: TellOptions['edits']): string | null {
  try {
    return withAppliedEdits(text, edits)
  } catch {
    return null
  }
}
