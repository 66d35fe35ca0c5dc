import { isRecord, parseJson } from '@plimsoll/core/text'
import { asPiece, createEventMender, mendAnswer, writeJson } from './mend-answer.ts'

/**
 * Fetches like `base`, and gives the answers of servers that speak OpenAI's chat completions almost right as they should be: the
 * library would refuse the whole answer for one small slip, and whoever asked would pay for it again. Nothing is held back that
 * could be used already, and what is right passes byte for byte.
 */
export function createMendingFetch(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await base(input, init)
    if (!response.ok || response.body === null) return response
    const body = mendedBody(response.body, wantsStream(init?.body))
    const { status, statusText, headers } = response
    return new Response(body, { status, statusText, headers })
  }
}

/** The settings of a request stand behind its messages, in which a quotation mark would not be a bare one. */
function wantsStream(body: RequestInit['body']): boolean {
  return typeof body === 'string' && body.slice(-1000).includes('"stream":true')
}

function mendedBody(body: ReadableStream<Uint8Array>, isStream: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  let pieces: PieceMender | null = null
  // Before an answer in one piece some servers send spaces for as long as the model thinks.
  const spaces: Uint8Array[] = []
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        for (let isEmpty = true; isEmpty; ) {
          const { done, value } = await reader.read()
          const first = firstByte(value)
          if (pieces === null && value !== undefined && first === null) spaces.push(value)
          else {
            pieces ??= isStream && first !== brace ? mendLines() : mendBody(isStream)
            const before = spaces.splice(0)
            const given = done
              ? Buffer.concat([...before, pieces.end()])
              : pieces.take(before.length === 0 ? value : Buffer.concat([...before, value]))
            if (given.byteLength > 0) controller.enqueue(given as Uint8Array<ArrayBuffer>)
            isEmpty = given.byteLength === 0
          }
          if (!done && pieces?.isOver() !== true) continue
          if (!done) void drain(reader)
          controller.close()
          return
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

interface PieceMender {
  readonly take: (piece: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
  readonly isOver: () => boolean
}

const brace = 0x7b
const newline = 0x0a
const carriageReturn = 0x0d
const nothing = new Uint8Array(0)
/** A longer line passes as it is. */
const longestLine = 4 * 2 ** 20

function firstByte(piece: Uint8Array | undefined): number | null {
  return piece?.find((byte) => byte > 0x20) ?? null
}

function mendLines(): PieceMender {
  const events = createEventMender()
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
        // Nor are lines waited for that end in a way that nobody uses.
        if (heldBytes > longestLine || (lone >= 0 && lone < rest.byteLength - 1)) {
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

/** An answer in one piece is read as one: whoever wanted a stream gets it as a stream of one event. */
function mendBody(isStream: boolean): PieceMender {
  const held: Uint8Array[] = []
  return {
    take(piece) {
      held.push(piece)
      return nothing
    },
    end() {
      const whole = Buffer.concat(held)
      const value = parseJson(whole.toString('utf8'))
      const text = isStream ? asEvents(value) : asBody(value)
      return text === null ? whole : Buffer.from(text, 'utf8')
    },
    isOver: () => false,
  }
}

function asEvents(value: unknown): string | null {
  const piece = asPiece(value)
  const text = piece === null ? null : writeJson(piece)
  return text === null ? null : `data: ${text}\n\ndata: [DONE]\n\n`
}

function asBody(value: unknown): string | null {
  const mended = isRecord(value) ? mendAnswer(value) : null
  return mended === null || mended === value ? null : writeJson(mended)
}

/** Nothing of value follows, and a server may be slow to hang up. What is read to its end can be used for the next call. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), politeness)
  timer.unref()
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete without it.
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds between the end of an answer and the end of its connection. */
const politeness = 1000
