import { describe, expect, it } from 'vitest'
import { toolContext } from '../testing/tool-context.ts'
import { mcpOutcome } from './mcp-tool.ts'

const outcomeOf = (result: unknown, clean?: (text: string) => string) => mcpOutcome(result, toolContext().context.blobs, clean)
const image = (bytes: Buffer, mimeType: string) => ({ type: 'image', data: bytes.toString('base64'), mimeType })
const png = Buffer.from('89504e470d0a1a0a', 'hex')

describe('images of a server', () => {
  it('are shown to the model only if their bytes are images, because a provider would reject all later requests', async () => {
    const words = Buffer.from('not a picture')
    const { content, metadata } = await outcomeOf({ content: [image(words, 'image/png'), image(png, 'image/jpeg')] })
    expect(content).toEqual({
      type: 'list',
      items: [
        { type: 'text', text: '[image/png, 13 bytes, kept in the session]' },
        {
          type: 'media',
          mediaType: 'image/png',
          data: { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png.toString('base64') } },
        },
      ],
    })
    expect(metadata).toEqual({ blobs: [{ sha256: expect.any(String) as string, bytes: 13 }] })
  })
})

describe('data of a server', () => {
  const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown

  it.each([[[]], [[{ type: 'text', text: 'and words' }]]])(
    'is only mentioned if it is nested endlessly, after %j',
    async (content) => {
      const outcome = await outcomeOf({ content, structuredContent: nested(100_000) })
      expect(JSON.stringify(outcome)).toContain('[data that is nested deeper than 200 levels]')
    },
  )

  it('is returned unchanged otherwise', async () => {
    expect(await outcomeOf({ content: [], structuredContent: nested(200) })).toEqual({
      content: { type: 'json', value: nested(200) },
    })
  })

  it.each([
    ['words', { content: [{ type: 'text', text: 'key s3cret' }] }],
    [
      'several',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'resource_link', uri: 'x://s3cret', name: 's3cret' },
        ],
      },
    ],
    ['data', { content: [], structuredContent: { key: ['s3cret'] } }],
  ])('is cleaned: %s', async (_name, result) => {
    const { content } = await outcomeOf(result, (text) => text.replaceAll('s3cret', '***'))
    expect(JSON.stringify(content)).toContain('***')
    expect(JSON.stringify(content)).not.toContain('s3cret')
  })
})
