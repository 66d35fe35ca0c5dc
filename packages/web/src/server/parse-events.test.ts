import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createEventParser } from './parse-events.ts'

const stream = 'retry: 1000\n\n: still here\n\nid: a-1\ndata: {"n":1}\n\nid: a-2\r\ndata:{"n":2}\r\n\r\ndata: one\ndata: two\n\n'
const whole = [
  { id: 'a-1', data: '{"n":1}' },
  { id: 'a-2', data: '{"n":2}' },
  { id: 'a-2', data: 'one\ntwo' },
]

it('gives whole events, with the last id that was told', () => expect(createEventParser()(stream)).toEqual(whole))

it('gives the same events wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), stream.length]
      const parse = createEventParser()
      const events = places.slice(1).flatMap((end, index) => parse(stream.slice(places[index], end)))
      expect(events).toEqual(whole)
    }),
  )
})

it('keeps half an event to itself', () => expect(createEventParser()('id: a-1\ndata: {"n":1}\n')).toEqual([]))
