import { isRecord, parseJson } from '@plimsoll/core/text'
import { asPiece, createEventRepairer, repairAnswer, writeJson } from './repair-answer.ts'

/**
 * Fetches like `base`, and repairs the answers of servers that speak OpenAI's chat completions with mistakes: the library would
 * reject a complete answer for one small slip. Correct answers pass byte for byte, and nothing is held back that could be used
 * already.
 */
export function createRepairingFetch(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init)
    if (!response.ok || response.body === null) return response
    // A request's settings come after its messages, in which a quotation mark would be escaped.
    const wantsStream = typeof init?.body === 'string' && init.body.slice(-1000).includes('"stream":true')
    return new Response(repairedBody(response.body, wantsStream), response)
  }
}

function repairedBody(body: ReadableStream<Uint8Array>, isStream: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let pieces: PieceRepairer | null = null
  // Some servers send spaces before an answer in one piece, for as long as the model thinks.
  const spaces: Uint8Array[] = []
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        for (let isEmpty = true; isEmpty; ) {
          const { done, value } = await reader.read()
          const first = value?.find((byte) => byte > 0x20) ?? null
          if (pieces === null && value !== undefined && first === null) spaces.push(value)
          else {
            pieces ??= isStream && first !== brace ? repairLines() : repairBody(isStream)
            const before = spaces.splice(0)
            const given = done
              ? Buffer.concat([...before, pieces.end()])
              : pieces.take(before.length === 0 ? value : Buffer.concat([...before, value]))
            if (given.byteLength > 0) controller.enqueue(given as Uint8Array<ArrayBuffer>)
            isEmpty = given.byteLength === 0
          }
          if (!done && pieces?.isOver() !== true) continue
          if (!done) drain(reader).catch(() => undefined)
          controller.close()
          return
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

interface PieceRepairer {
  readonly take: (piece: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
  readonly isOver: () => boolean
}

const brace = 0x7b
const newline = 0x0a
const carriageReturn = 0x0d
const nothing = new Uint8Array(0)
/** A longer line passes unchanged. */
const maxLineBytes = 4 * 2 ** 20

function repairLines(): PieceRepairer {
  const events = createEventRepairer()
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isPassing = false
  const close = (rest: Uint8Array): Uint8Array => {
    const line = held.length === 0 ? rest : Buffer.concat([...held, rest])
    held = []
    heldBytes = 0
    const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8')
    const given = events.line(text)
    return given === text ? line : Buffer.from(given, 'utf8')
  }
  return {
    take(piece) {
      const given: Uint8Array[] = []
      let start = 0
      for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
        const rest = piece.subarray(start, end)
        given.push(isPassing ? rest : close(rest), piece.subarray(end, end + 1))
        isPassing = false
        start = end + 1
      }
      const rest = piece.subarray(start)
      if (isPassing) given.push(rest)
      else if (rest.byteLength > 0) {
        held.push(rest)
        heldBytes += rest.byteLength
        const lone = rest.indexOf(carriageReturn)
        // Does not wait for lines that end with a carriage return.
        if (heldBytes > maxLineBytes || (lone >= 0 && lone < rest.byteLength - 1)) {
          for (const one of held) given.push(one)
          held = []
          heldBytes = 0
          isPassing = true
        }
      }
      return given.length === 1 && given[0] !== undefined ? given[0] : Buffer.concat(given)
    },
    end() {
      const last = isPassing || heldBytes === 0 ? nothing : close(nothing)
      return Buffer.concat([last, Buffer.from(isPassing ? '' : events.end(), 'utf8')])
    },
    isOver: events.isOver,
  }
}

/** Turns an answer in one piece into a stream of one event if a stream was requested. */
function repairBody(isStream: boolean): PieceRepairer {
  const held: Uint8Array[] = []
  return {
    take(piece) {
      held.push(piece)
      return nothing
    },
    end() {
      const whole = Buffer.concat(held)
      const value = parseJson(whole.toString('utf8'))
      const repaired = isStream ? asPiece(value) : isRecord(value) ? repairAnswer(value) : null
      const text = repaired === null || repaired === value ? null : writeJson(repaired)
      if (text === null) return whole
      return Buffer.from(isStream ? `data: ${text}\n\ndata: [DONE]\n\n` : text, 'utf8')
    },
    isOver: () => false,
  }
}

/** A server may be slow to hang up; a connection that was read to its end can be reused. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), 1000)
  timer.unref()
  try {
    while (!(await reader.read()).done);
  } finally {
    clearTimeout(timer)
  }
}
