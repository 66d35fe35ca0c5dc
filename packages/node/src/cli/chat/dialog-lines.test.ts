import { peopleStrings } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../agent/agent.ts'
import { displayWidth } from '../text-width.ts'
import { dialogLines } from './dialog-lines.ts'

const request: PermissionRequest = { callId: '1', tool: 'Bash', access: 'run', about: 'npm test', preview: null, scope: 'call' }
const drawn = (columns: number, locale = 'en') =>
  dialogLines(
    { kind: 'permission', request },
    {
      words: peopleStrings(locale).chat,
      paint: (_tint, text) => text,
      columns,
      most: 20,
      selected: 0,
      isTyping: false,
    },
  )

describe('the answers to a question', () => {
  it('stand on lines that break between two of them', () =>
    expect(drawn(80).slice(2)).toEqual([
      '[y] yes  [a] always allow exactly this in this session  [n] no',
      '[t] no, and tell why  Esc stops',
    ]))

  it.each([20, 40, 80, 200])('fit %i columns in both languages', (columns) => {
    for (const line of [...drawn(columns), ...drawn(columns, 'zh')]) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })
})
