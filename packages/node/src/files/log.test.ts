import type { LogRecord } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { createLogger, type LogLevel } from './log.ts'

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
})
