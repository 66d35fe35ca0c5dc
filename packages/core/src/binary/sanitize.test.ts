import { describe, expect, it } from 'vitest'
import { base64 } from '../testing/base64.ts'
import { deepFreeze } from '../testing/messages.ts'
import { sanitizeToolResultForHistory, sanitizeToolResultsJson } from './filter.ts'

const image = `data:image/png;base64,${base64(500 * 1024)}`
const filtered = '[BINARY_DATA_FILTERED: 500.0KB]'

describe('sanitizeToolResultForHistory', () => {
  const cases: readonly (readonly [name: string, result: object, expected: object])[] = [
    [
      'R002-2 image_generate',
      {
        toolCallId: 'c1',
        success: true,
        output: '图片生成成功。',
        metadata: { imagePath: '/a.png', imageBase64: image, model: 'flux', duration: 41 },
      },
      {
        toolCallId: 'c1',
        success: true,
        output: '图片生成成功。',
        metadata: { imagePath: '/a.png', imageBase64: filtered, model: 'flux', duration: 41 },
      },
    ],
    [
      'R002-2 read_pdf in vision mode',
      { success: true, output: '2 pages', metadata: { filePath: '/a.pdf', pdfImages: [base64(1022), base64(1023)] } },
      { success: true, output: '2 pages', metadata: { filePath: '/a.pdf', pdfImages: '[BINARY_DATA_FILTERED: 2.0KB]' } },
    ],
    [
      'R002-2 screenshot',
      { success: true, metadata: { screenshotData: base64(2048), width: 800 } },
      { success: true, metadata: { screenshotData: '[BINARY_DATA_FILTERED: 2.0KB]', width: 800 } },
    ],
    [
      'R002-2 a future tool with a field of another name',
      { success: true, metadata: { hologram: base64(20_480), filePath: '/h.bin' } },
      { success: true, metadata: { hologram: '[LARGE_DATA_FILTERED: 20.0KB]', filePath: '/h.bin' } },
    ],
    [
      'Q-17 output is filtered too',
      { success: true, output: base64(20_480) },
      { success: true, output: '[LARGE_DATA_FILTERED: 20.0KB]' },
    ],
  ]
  it.each(cases)('%s', (_name, result, expected) => {
    expect(sanitizeToolResultForHistory(deepFreeze(result))).toEqual(expected)
  })

  it('R002-3 keeps path references and small metadata', () => {
    const metadata = { imagePath: '/a.png', filePath: '/b', model: 'flux', duration: 41, imageBase64: image }
    expect(sanitizeToolResultForHistory({ metadata })).toEqual({ metadata: { ...metadata, imageBase64: filtered } })
  })

  it('R002-8 never changes the original', () => {
    const result = { success: true, metadata: { nested: { imageBase64: image } } }
    expect(sanitizeToolResultForHistory(result)).not.toBe(result)
    expect(result).toEqual({ success: true, metadata: { nested: { imageBase64: image } } })
  })

  it('R002-9 returns a result without metadata unchanged', () => {
    const result = { toolCallId: 'c1', success: false, error: 'not found' }
    expect(sanitizeToolResultForHistory(result)).toBe(result)
  })
})

describe('sanitizeToolResultsJson', () => {
  const cases: readonly (readonly [name: string, content: string, expected: string])[] = [
    [
      'R002-12 results of an old session lose their base64',
      JSON.stringify([
        { toolCallId: 'c1', metadata: { imageBase64: image } },
        { toolCallId: 'c2', output: 'ok' },
      ]),
      JSON.stringify([
        { toolCallId: 'c1', metadata: { imageBase64: filtered } },
        { toolCallId: 'c2', output: 'ok' },
      ]),
    ],
    ['R002-12 returns invalid JSON unchanged', `[{"imageBase64": ${image}`, `[{"imageBase64": ${image}`],
    ['R002-12 bare base64 is not JSON', base64(20_000), base64(20_000)],
    ['JSON with nothing to filter', '[ {"output": "ok"} ]', '[ {"output": "ok"} ]'],
  ]
  it.each(cases)('%s', (_name, content, expected) => {
    expect(sanitizeToolResultsJson(content)).toBe(expected)
  })
})
