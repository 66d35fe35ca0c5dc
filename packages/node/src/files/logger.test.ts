import type { LogRecord } from '@plimsoll/core/hosts'
import { describe, expect, it } from 'vitest'
import { createLogger, type LogLevel } from './logger.ts'

const records: readonly LogRecord[] = [
  { level: 'debug', event: 'detail', message: 'a detail' },
  { level: 'info', event: 'news', message: 'some\nnews', data: { count: 2 } },
  { level: 'warn', event: 'trouble', message: 'trouble' },
]
const lines = [
  '{"level":"debug","event":"detail","message":"a detail"}\n',
  '{"level":"info","event":"news","message":"some\\nnews","count":2}\n',
  '{"level":"warn","event":"trouble","message":"trouble"}\n',
]

describe('createLogger', () => {
  it.each<[LogLevel, readonly string[]]>([
    ['debug', lines],
    ['info', lines.slice(1)],
    ['warn', lines.slice(2)],
    ['silent', []],
  ])('writes one line of JSON for each record from %s on', (level, expected) => {
    const written: string[] = []
    const log = createLogger({ level, write: (line) => written.push(line) })
    for (const record of records) log(record)
    expect(written).toEqual(expected)
  })

  it('a line acts on no terminal, and means the same', () => {
    const message = '\u001b[31mred\u007f\u009b5m\u2028\u202e\u2066'
    let line = ''
    createLogger({ level: 'info', write: (text) => (line += text) })({
      level: 'info',
      event: 'e',
      message,
      data: { tool: message },
    })
    expect(line).toMatch(/^[ -~]+\n$/)
    expect(JSON.parse(line)).toEqual({ level: 'info', event: 'e', message, tool: message })
  })
})
