import { followEvents } from '../../../packages/node/src/gateway/relay/answer-outlet.ts'
import { splitEvents } from '../../../packages/node/src/gateway/relay/tell-applied-edits.ts'
import { createEventRepairer } from '../../../packages/node/src/model/repair-answer.ts'
import { createLineSplitter } from '../../../packages/node/src/tools/read/read-lines.ts'
import { holds, type Target } from '../target.ts'
import { answers } from './sample-answers.ts'

/** Event streams and lines, split anywhere: the chunks change nothing. */
export const sseTarget: Target = {
  name: 'sse',
  form: 'text',
  choices: 3,
  longest: 3000,
  covers: [
    'packages/node/src/gateway/relay/tell-applied-edits.ts',
    'packages/node/src/gateway/relay/answer-outlet.ts',
    'packages/node/src/model/repair',
    'packages/node/src/tools/read/read-lines.ts',
  ],
  seeds: () => [...answers, 'data: a\r\n\r\ndata: b\r\rdata: c\n\n:x\n\r\n\n\n', 'data: [DONE]'],
  words: ['data: ', '\n\n', '\r\n\r\n', '\r\r', 'event: ', ': ', '[DONE]'],
  maxSteps: 400,
  check({ text, choices: [one = 0, two = 0, room = 0] }) {
    const bytes = Buffer.from(text)
    const most = room % 3 === 0 ? 16 : 100_000
    const whole = eventsOf([bytes], most).all
    const split = cuts(bytes, one, two)
    holds(Buffer.concat(whole).equals(bytes), 'no byte of a stream is lost')
    const single = bytes.length > 400 ? split : [...bytes].map((byte) => Buffer.from([byte]))
    for (const chunks of [split, single]) {
      const pieces = eventsOf(chunks, most)
      holds(Buffer.concat(pieces.all).equals(bytes), 'no byte of a split stream is lost')
      if (most > bytes.length)
        holds(
          JSON.stringify(endsOf(pieces.whole)) === JSON.stringify(endsOf(eventsOf([bytes], most).whole)),
          'events do not depend on chunks',
        )
      holds(isBetween(chunks) === isBetween([bytes]), 'the end of an event does not depend on chunks')
    }
    const lines = linesOf([bytes])
    holds(JSON.stringify(linesOf(split)) === JSON.stringify(lines), 'lines do not depend on chunks')
    const repairer = createEventRepairer()
    for (const line of text.split(/\r\n|\n|\r/)) repairer.line(line)
    repairer.end()
    repairer.isOver()
  },
}

function cuts(bytes: Buffer, one: number, two: number): readonly Buffer[] {
  const places = [one % (bytes.length + 1), two % (bytes.length + 1)].sort((a, b) => a - b) as [number, number]
  return [bytes.subarray(0, places[0]), bytes.subarray(places[0], places[1]), bytes.subarray(places[1])]
}

interface Events {
  readonly whole: readonly Uint8Array[]
  /** Includes the rest of an incomplete event. */
  readonly all: readonly Uint8Array[]
}

function eventsOf(chunks: readonly Buffer[], most: number): Events {
  const splitter = splitEvents(most)
  const whole = chunks.flatMap((chunk) => splitter.write(chunk))
  return { whole, all: [...whole, ...splitter.end()] }
}

/** Where events end. A line feed in a later chunk than its carriage return belongs to the previous event. */
function endsOf(pieces: readonly Uint8Array[]): readonly number[] {
  const ends: number[] = []
  let position = 0
  let last = 0
  for (const piece of pieces) {
    if (piece.length === 1 && piece[0] === 0x0a && last === 0x0d) ends.pop()
    position += piece.length
    ends.push(position)
    last = piece.at(-1) ?? last
  }
  return ends
}

function isBetween(chunks: readonly Buffer[]): boolean {
  const boundary = followEvents()
  for (const chunk of chunks) boundary.add(chunk)
  return boundary.isBetween()
}

function linesOf(chunks: readonly Buffer[]): readonly string[] {
  const splitter = createLineSplitter(1_000_000)
  return chunks.flatMap((chunk) => splitter.add(chunk))
}
