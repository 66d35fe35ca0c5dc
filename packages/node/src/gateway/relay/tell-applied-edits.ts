import { withAppliedEdits } from '../planner/context-edits.ts'

export interface AnswerTransform {
  /** The pieces that can be sent on after these bytes. */
  readonly write: (chunk: Uint8Array) => readonly Uint8Array[]
  /** The rest when the answer is over, or was cut off. */
  readonly end: () => readonly Uint8Array[]
}

interface TellOptions {
  readonly contentType: string
  readonly contentEncoding: string
  readonly edits: readonly { readonly type: string }[]
}

/**
 * Adds to an answer of Anthropic's dialect which edits of the context were applied: in the message, or in the event that ends a stream.
 * Every other byte stays; an answer that cannot be read, is an error or reports edits itself passes unchanged. An event is held back until
 * it is complete. The answer becomes longer, so an announced length no longer holds.
 */
export function tellAppliedEdits({ contentType, contentEncoding, edits }: TellOptions): AnswerTransform {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding !== '' && encoding !== 'identity') return untouched
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'text/event-stream') return tellInStream(edits)
  return type === 'application/json' ? tellInMessage(edits) : untouched
}

const untouched: AnswerTransform = { write: (chunk) => [chunk], end: () => [] }

/** Larger events and messages pass unchanged. */
const maxEventBytes = 1024 * 1024
const maxMessageBytes = 8 * 1024 * 1024

function tellInMessage(edits: TellOptions['edits']): AnswerTransform {
  let held: Uint8Array[] = []
  let size = 0
  return {
    write(chunk) {
      if (size > maxMessageBytes) return [chunk]
      held.push(chunk)
      size += chunk.length
      return size > maxMessageBytes ? take() : []
    },
    end() {
      const bytes = Buffer.concat(take())
      const text = bytes.length === 0 ? null : withReport(bytes.toString('latin1'), edits)
      return bytes.length === 0 ? [] : [text === null ? bytes : Buffer.from(text, 'latin1')]
    },
  }

  function take(): readonly Uint8Array[] {
    const pieces = held
    held = []
    return pieces
  }
}

function tellInStream(edits: TellOptions['edits']): AnswerTransform {
  let isReported = false
  const events = splitEvents(maxEventBytes)

  function passed(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    return pieces.map((piece) => {
      if (isReported) return piece
      const event = withReportInEvent(piece, edits)
      if (event === null) return piece
      isReported = true
      return event
    })
  }

  return {
    write: (chunk) => (isReported ? [...events.end(), chunk] : passed(events.write(chunk))),
    end: () => events.end(),
  }
}

function withReportInEvent(bytes: Uint8Array, edits: TellOptions['edits']): Uint8Array | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!buffer.includes('message_delta')) return null
  const lines = buffer.toString('latin1').split(/(\r\n|\r|\n)/)
  const data = lines.flatMap((line, place) => (line.startsWith('data:') ? [{ place, text: line.slice(5) }] : []))
  const json = withReport(data.map(({ text }) => text).join('\n'), edits)?.split('\n')
  if (json?.length !== data.length) return null
  for (const [index, { place }] of data.entries()) lines[place] = `data:${json[index]}`
  return Buffer.from(lines.join(''), 'latin1')
}

/** Bytes are read as one character each, so that they come back unchanged; the added text is plain ASCII. */
function withReport(text: string, edits: TellOptions['edits']): string | null {
  try {
    return withAppliedEdits(text, edits)
  } catch {
    return null
  }
}

/** Cuts an event stream after its blank lines, with any line ends. `write` returns complete events, and larger ones in pieces. */
export function splitEvents(maxBytes: number): AnswerTransform {
  let held: Uint8Array[] = []
  let size = 0
  let isTooLarge = false
  let isLineEmpty = true
  let wasReturn = false
  // Whether a return has just ended an event; a feed after it belongs to it.
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
        if (size <= maxBytes) return out
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
