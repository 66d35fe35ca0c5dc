import { withAppliedEdits } from '../planner/context-edits.ts'

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

/** Cuts the bytes of an event stream into events. */
interface EventSplitter {
  /** The events that these bytes complete, with the blank line that ends each; pieces of one that is too large. */
  readonly write: (chunk: Uint8Array) => readonly Uint8Array[]
  /** What was held back of an event that is not complete. */
  readonly end: () => readonly Uint8Array[]
}

/**
 * Cuts an event stream behind its blank lines, whatever ends its lines and wherever its bytes are split. Nothing is added or left out.
 * Of an event with more bytes than this nothing is held back any more.
 */
export function splitEvents(mostBytes: number): EventSplitter {
  let held: Uint8Array[] = []
  let size = 0
  let isTooLarge = false
  let isLineEmpty = true
  let wasReturn = false
  // Whether a return has just ended an event; the feed that may follow belongs to it.
  let isOver = false

  function take(): Uint8Array[] {
    const pieces = held
    held = []
    size = 0
    return pieces
  }

  return {
    write(chunk) {
      const out: Uint8Array[] = []
      let start = 0
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (byte === feed && wasReturn) {
          wasReturn = false
          if (isOver) {
            out.push(chunk.subarray(start, at + 1))
            start = at + 1
          }
          isOver = false
          continue
        }
        isOver = false
        wasReturn = byte === carriageReturn
        if (byte !== feed && !wasReturn) {
          isLineEmpty = false
          continue
        }
        if (!isLineEmpty) {
          isLineEmpty = true
          continue
        }
        if (wasReturn && chunk[at + 1] === feed) {
          wasReturn = false
          at += 1
        }
        isOver = wasReturn
        const last = chunk.subarray(start, at + 1)
        start = at + 1
        if (isTooLarge) out.push(last)
        else out.push(held.length === 0 ? last : Buffer.concat([...take(), last]))
        isTooLarge = false
      }
      const rest = chunk.subarray(start)
      if (rest.length === 0) return out
      if (!isTooLarge) {
        held.push(rest)
        size += rest.length
        if (size <= mostBytes) return out
        isTooLarge = true
        return out.concat(take())
      }
      out.push(rest)
      return out
    },
    end: take,
  }
}

const feed = 0x0a
const carriageReturn = 0x0d
