import { describe, expect, test } from 'vitest'
import { followEvents } from './answer-outlet.ts'

describe('followEvents', () => {
  test.each([
    [[], true],
    [['data: 1\n\n'], true],
    [['data: 1\n', '\n'], true],
    [['data: 1\r\n\r\n'], true],
    [['data: 1\r\n\r', '\n'], true],
    [['data: 1\r\n', '\r', '\n'], true],
    [['data: 1'], false],
    [['data: 1\n'], false],
    [['data: 1\r\n'], false],
    [['data: 1\r\n\r'], false],
    [['data: 1\n\ndata: 2\n'], false],
    [['\n'], true],
    [['d'], false],
  ])('after %j it is between events: %s', (chunks, isBetween) => {
    const events = followEvents()
    for (const chunk of chunks) events.add(Buffer.from(chunk))
    expect(events.isBetween()).toBe(isBetween)
  })
})
