import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../testing/messages.ts'
import { formatToolResultForModel, type ToolResultRecord, toolResultsMessage } from './format-results.ts'

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

describe('R002-13 formatToolResultForModel', () => {
  const cases: readonly (readonly [name: string, results: readonly ToolResultRecord[], expected: string])[] = [
    ['R002-13 a success with output', [{ toolCallId: 'c1', success: true, output: '3 files' }], '✓ c1: 3 files'],
    ['R002-13 a success without output', [{ toolCallId: 'c1', success: true, output: '' }], '✓ c1: Success'],
    [
      'R002-13 an image, its file and its time',
      [
        {
          toolCallId: 'c1',
          success: true,
          output: '图片生成成功。',
          metadata: { imagePath: '/a.png', filePath: '/b.txt', generationTimeMs: 41_000, imageBase64: 'AAAA' },
        },
      ],
      '✓ c1: 图片生成成功。\n  → Image saved: /a.png\n  → File: /b.txt\n  → Time: 41000ms',
    ],
    ['R002-13 a failure', [{ toolCallId: 'c1', success: false, output: 'half', error: 'no disk' }], '✗ c1: no disk'],
    ['R002-13 a failure without a message', [{ toolCallId: 'c1', success: false, metadata: { filePath: '/b' } }], '✗ c1: Failed'],
    [
      'R002-13 several results',
      [
        { toolCallId: 'c1', success: true, metadata: { filePath: '/b' } },
        { toolCallId: 'c2', success: false },
        { toolCallId: 'c3', success: true, output: 'a\nb' },
      ],
      '✓ c1: Success\n  → File: /b\n\n✗ c2: Failed\n\n✓ c3: a\nb',
    ],
    ['no results', [], ''],
    ['blank metadata', [{ toolCallId: 'c1', success: true, metadata: { imagePath: '', generationTimeMs: 0 } }], '✓ c1: Success'],
    ['no metadata at all', [{ toolCallId: 'c1', success: true, metadata: null }], '✓ c1: Success'],
    ['output that is an object', [{ toolCallId: 'c1', success: true, output: { rows: [1] } }], '✓ c1: {"rows":[1]}'],
    ['output that cannot be written', [{ toolCallId: 'c1', success: true, output: cyclic }], '✓ c1: Success'],
  ]
  it.each(cases)('%s', (_name, results, expected) => {
    expect(formatToolResultForModel(deepFreeze(results))).toBe(expected)
  })
})

it('R002-14 returns a user message', () => {
  expect(toolResultsMessage([{ toolCallId: 'c1', success: true, output: 'ok' }])).toEqual({
    role: 'user',
    content: 'Tool results:\n✓ c1: ok',
  })
})
