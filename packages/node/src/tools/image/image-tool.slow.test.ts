import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message, PartialConfig } from '@plimsoll/core'
import { type Config, completeConfig } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Ask } from '../../model/side-calls.ts'
import { createSession } from '../../session/create-session.ts'
import { openSession } from '../../session/open-session.ts'
import { pathsOf } from '../../session/session-folder.ts'
import { temporarySessions } from '../../session/testing/sessions.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { forHistory } from '../summarize-result.ts'
import { type ImageAnswer, pngBytes, startImageServer } from '../testing/image-server.ts'
import { blobsIn, temporaryFolder, toolContext } from '../testing/tool-context.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { createImageTool } from './image-tool.ts'

afterEach(() => void vi.useRealTimers())

const png = pngBytes(3000)
const uri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
const listed = (bytes: Buffer): ImageAnswer => ({ json: { created: 1, data: [{ b64_json: bytes.toString('base64') }] } })
const chatted = (bytes: Buffer): ImageAnswer => ({
  json: {
    choices: [{ message: { role: 'assistant', content: '', images: [{ type: 'image_url', image_url: { url: uri(bytes) } }] } }],
  },
})
const timedOut =
  '图片生成超时。\n\nFLUX 模型生成一张图片通常需要 30-60 秒。\n如果持续超时，可能是：\n1. 网络连接不稳定\n2. API 服务繁忙\n\n建议稍后重试，或使用更简单的描述。'

interface Given {
  readonly images?: Partial<Config['images']>
  readonly environment?: Readonly<Record<string, string>>
  readonly expand?: Ask | null
  readonly fetch?: typeof fetch
}

function toolOf({ images, environment = {}, expand = null, fetch }: Given): Tool | null {
  const settings: PartialConfig = { images: { model: 'flux-schnell', ...images } }
  return createImageTool({ config: completeConfig(settings), environment, expand, ...(fetch && { fetch }) })
}

function existing(given: Given): Tool {
  const tool = toolOf(given)
  if (tool === null) throw new Error('no tool')
  return tool
}

/** A tool whose service is a server that answers so. */
async function served(answers: readonly ImageAnswer[], given: Given = {}) {
  const server = await startImageServer(...answers)
  const tool = existing({ ...given, images: { url: `${server.origin}/v1`, ...given.images } })
  return { tool, ...server }
}

/** A tool whose service takes this long, by a clock that the test moves on. */
function slow(milliseconds: number, given: Given = {}): Tool {
  vi.useFakeTimers({ now: 1_000_000 })
  const fetch = ((_url: string, { signal }: RequestInit) =>
    new Promise((resolve, reject) => {
      setTimeout(() => resolve(Response.json((listed(png) as { json: unknown }).json)), milliseconds)
      signal?.addEventListener('abort', () => reject(new DOMException('This operation was aborted', 'AbortError')))
    })) as typeof globalThis.fetch
  return existing({ ...given, images: { url: 'http://127.0.0.1:9/v1', ...given.images }, fetch })
}

function valueOf({ content }: ToolOutcome) {
  if (content.type !== 'json') throw new Error('no JSON')
  return content.value as { success: boolean; output: string; metadata: Record<string, unknown> }
}

describe('the image tool', () => {
  it.each([
    ['no model is configured', { images: { model: null } }],
    ['OpenAI’s key is missing', { images: { model: 'gpt-image-1' } }],
    ['OpenRouter’s key is missing', { images: { model: 'openrouter/black-forest-labs/flux-1.1-pro' } }],
  ])('is not offered if %s', (_why, given) => {
    expect(toolOf(given)).toBeNull()
  })

  it('is offered with a key, asks first, and says what it needs', () => {
    const tool = existing({ images: { model: 'gpt-image-1' }, environment: { OPENAI_API_KEY: 'sk' } })
    expect(tool).toMatchObject({
      name: 'image_generate',
      access: 'run',
      inputSchema: { type: 'object', required: ['prompt'], additionalProperties: false },
    })
    expect(tool.about({ prompt: 'a red fox' })).toBe('a red fox')
    expect(tool.about({ prompt: 'a red fox', output_path: 'docs/fox.png' })).toBe('docs/fox.png: a red fox')
  })

  it('says what is wrong with its key or its address when it is called', async () => {
    const { context } = toolContext()
    const key = existing({ images: { model: 'gpt-image-1' }, environment: { OPENAI_API_KEY: 'two words' } })
    await expect(key.run({ prompt: 'x' }, context)).rejects.toThrow('OPENAI_API_KEY: expected an API key')
    const address = existing({ images: { url: 'ftp://somewhere' } })
    await expect(address.run({ prompt: 'x' }, context)).rejects.toThrow('expected an address such as')
  })
})

describe('services', () => {
  it('OpenAI’s way: base64 is asked for, with the size', async () => {
    const { tool, requests } = await served([listed(png)], { environment: { OPENAI_API_KEY: 'sk-1' } })
    const { context } = toolContext()
    expect(valueOf(await tool.run({ prompt: 'a fox', size: '512x512' }, context)).success).toBe(true)
    expect(requests).toMatchObject([
      { method: 'POST', path: '/v1/images/generations', headers: { authorization: 'Bearer sk-1' } },
    ])
    expect(requests[0]?.body).toEqual({
      model: 'flux-schnell',
      prompt: 'a fox',
      n: 1,
      size: '512x512',
      response_format: 'b64_json',
    })
  })

  it('OpenAI’s newer models, which reject a response format', async () => {
    const { tool, requests } = await served([listed(png)], { images: { model: 'openai/gpt-image-1' } })
    await tool.run({ prompt: 'a fox', aspect_ratio: '16:9' }, toolContext().context)
    expect(requests[0]?.body).toEqual({ model: 'gpt-image-1', prompt: 'a fox', n: 1, size: '1536x1024' })
  })

  it.each([
    ['openrouter/black-forest-labs/flux.2-pro', ['image']],
    ['openrouter/google/gemini-3-pro-image', ['image', 'text']],
  ])('OpenRouter’s way: %s', async (model, modalities) => {
    const environment = { OPENROUTER_API_KEY: 'or-1' }
    const { tool, requests } = await served([chatted(png)], { images: { model }, environment })
    const outcome = await tool.run({ prompt: 'a fox', size: '1600x900' }, toolContext().context)
    expect(valueOf(outcome).metadata['imageBase64']).toBe(uri(png))
    expect(requests).toMatchObject([{ path: '/v1/chat/completions', headers: { authorization: 'Bearer or-1' } }])
    expect(requests[0]?.body).toEqual({
      model: model.slice('openrouter/'.length),
      messages: [{ role: 'user', content: 'a fox' }],
      modalities,
      stream: false,
      image_config: { aspect_ratio: '16:9' },
    })
  })

  it('an address with OpenRouter’s name is asked in its way', async () => {
    const server = await startImageServer(chatted(png))
    const tool = existing({ images: { url: `${server.origin}/openrouter/v1/` } })
    await tool.run({ prompt: 'a fox' }, toolContext().context)
    expect(server.requests).toMatchObject([{ path: '/openrouter/v1/chat/completions' }])
  })

  it('an image at an address of the service is fetched from there, without the key', async () => {
    const server = await startImageServer({ raw: png })
    const { context } = toolContext()
    const tool = existing({
      images: { url: `${server.origin}/v1` },
      environment: { OPENAI_API_KEY: 'sk-1' },
      fetch: (input, init) =>
        init?.method === 'POST'
          ? Promise.resolve(Response.json({ data: [{ url: `${server.origin}/files/1.png` }] }))
          : fetch(input, init),
    })
    expect(valueOf(await tool.run({ prompt: 'a fox' }, context)).metadata['imageBase64']).toBe(uri(png))
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/files/1.png' }])
    expect(server.requests[0]?.headers['authorization']).toBeUndefined()
  })

  it.each([
    ['another host', 'http://169.254.169.254/latest/meta-data', 'keeps the picture at another address'],
    ['a file', 'file:///etc/passwd', 'keeps the picture at another address'],
    ['no address at all', 'picture 1', 'keeps the picture at another address'],
  ])('an image is never fetched from %s', async (_name, url, words) => {
    const { tool, requests } = await served([{ json: { data: [{ url }] } }])
    await expect(tool.run({ prompt: 'a fox' }, toolContext().context)).rejects.toThrow(words)
    expect(requests).toHaveLength(1)
  })

  it.each<readonly [string, ImageAnswer, string]>([
    [
      'a refusal, without the key',
      { status: 401, json: { error: { message: 'bad key sk-1' } } },
      'the image service answered HTTP 401: bad key ***',
    ],
    ['a refusal in plain text', { status: 502, raw: 'Bad\nGateway' }, 'the image service answered HTTP 502: Bad Gateway'],
    ['a redirection', { status: 302, raw: '' }, 'the image service answered HTTP 302: no reason given'],
    [
      'words in place of an image',
      { json: { choices: [{ message: { content: 'I cannot draw that.' } }] } },
      'the image service made no picture: I cannot draw that.',
    ],
    ['nothing', { json: { data: [] } }, 'the image service made no picture: no reason given'],
    ['no JSON', { raw: '<html>' }, 'the image service made no picture: <html>'],
    ['JSON that is null', { json: null }, 'the image service made no picture: null'],
    ['bytes that are not an image', { json: { data: [{ b64_json: 'aGVsbG8=' }] } }, 'the image service did not send an image'],
    ['no base64', { json: { data: [{ b64_json: '***' }] } }, 'the image service did not send an image'],
  ])('R002-29 any other failure is thrown unchanged: %s', async (_name, answer, message) => {
    const { tool } = await served([answer], { environment: { OPENAI_API_KEY: 'sk-1' } })
    await expect(tool.run({ prompt: 'a fox' }, toolContext().context)).rejects.toThrow(new Error(message))
  })

  it('cuts off an endless answer', async () => {
    const { tool } = await served([{ raw: Buffer.alloc(46 * 2 ** 20, 'A') }])
    await expect(tool.run({ prompt: 'a fox' }, toolContext().context)).rejects.toThrow(/the server sent more than \d+ bytes/)
  })
})

describe('progress reports', () => {
  it('R002-22 R002-23 name every stage with its message and its share, in order', async () => {
    const { tool } = await served([listed(png)], {
      images: { model: 'flux-1.1-pro' },
      expand: () => Promise.resolve('a fox, oil'),
    })
    const { context, told } = toolContext()
    await tool.run({ prompt: 'a fox', expand_prompt: true }, context)
    expect(told).toEqual([
      { stage: 'init', message: '使用模型: FLUX Pro', progress: 5 },
      { stage: 'prompt_expand', message: '优化描述中...', progress: 15 },
      { stage: 'generating', message: '生成中（约 30-60 秒）...', progress: 30 },
      { stage: 'complete', message: '生成完成', progress: 100 },
    ])
  })

  it('R002-23 omit the expansion if none was requested or there is no model for it', async () => {
    const { tool } = await served([listed(png)], { expand: null })
    const { context, told } = toolContext()
    await tool.run({ prompt: 'a fox', expand_prompt: true }, context)
    await tool.run({ prompt: 'a fox' }, context)
    expect(told.map(({ stage }) => stage)).toEqual(['init', 'generating', 'complete', 'init', 'generating', 'complete'])
    expect(told[0]?.message).toBe('使用模型: FLUX Schnell')
  })

  it('R002-23 use the name of a model that is not FLUX', async () => {
    const { tool } = await served([chatted(png)], {
      images: { model: 'openrouter/google/gemini-3-pro-image' },
      environment: { OPENROUTER_API_KEY: 'k' },
    })
    const { context, told } = toolContext()
    await tool.run({ prompt: 'a fox' }, context)
    expect(told[0]?.message).toBe('使用模型: google/gemini-3-pro-image')
  })

  it('R002-24 R002-21 Q-37 give the time since the start every five seconds, rounded and at most 80', async () => {
    const tool = slow(73_000, { images: { proxy_seconds: 90 } })
    const { context, told } = toolContext({ now: () => Date.now() })
    const running = tool.run({ prompt: 'a fox' }, context)
    await vi.advanceTimersByTimeAsync(73_000)
    vi.useRealTimers()
    await running
    expect(told.slice(2, -1).map(({ stage, message, progress }) => `${stage} ${message} ${progress}`)).toEqual([
      ...[34, 38, 43, 47, 51, 55, 59, 63, 68, 72, 76, 80, 80, 80].map(
        (share, index) => `generating 生成中... ${(index + 1) * 5}s ${share}`,
      ),
    ])
    expect(told.at(-1)?.progress).toBe(100)
  })

  it('R002-24 Q-37 count the time from the start of the tool, and the share never decreases', async () => {
    const expand: Ask = () => new Promise((resolve) => setTimeout(() => resolve('a fox, oil'), 12_000))
    const tool = slow(11_000, { expand })
    const { context, told } = toolContext({ now: () => Date.now() })
    const running = tool.run({ prompt: 'a fox', expand_prompt: true }, context)
    await vi.advanceTimersByTimeAsync(24_000)
    vi.useRealTimers()
    await running
    expect(told.map(({ message, progress }) => `${message} ${progress}`).slice(2)).toEqual([
      '生成中（约 30-60 秒）... 30',
      '生成中... 17s 44',
      '生成中... 22s 48',
      '生成完成 100',
    ])
    expect(told.every(({ progress }, index) => index === 0 || (progress ?? 0) >= (told[index - 1]?.progress ?? 0))).toBe(true)
  })

  it('R002-25 stop with the image and with a failure', async () => {
    vi.useFakeTimers()
    for (const answer of [
      () => Promise.resolve(Response.json({ data: [{ b64_json: png.toString('base64') }] })),
      () => Promise.reject(new Error('no')),
    ]) {
      const tool = existing({ images: { url: 'http://127.0.0.1:9/v1' }, fetch: answer })
      await tool.run({ prompt: 'a fox' }, toolContext().context).catch((error: Error) => expect(error.message).toBe('no'))
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('R002-26 need no listener', async () => {
    const { tool } = await served([listed(png)], { expand: () => Promise.resolve('x') })
    const { context } = toolContext({ progress: undefined })
    expect(valueOf(await tool.run({ prompt: 'a fox', expand_prompt: true }, context)).success).toBe(true)
  })
})

describe('R002-28 time limits', () => {
  it('default to 60, 90 and 30 seconds', () => {
    expect(completeConfig(null).images).toMatchObject({ proxy_seconds: 60, direct_seconds: 90, expand_seconds: 30 })
  })

  it.each([
    ['90 seconds straight to the service', { images: { url: null, model: 'ollama/flux' } }, 90_000],
    ['60 seconds to another address', {}, 60_000],
    [
      '60 seconds through a proxy',
      { images: { url: null, model: 'ollama/flux' }, environment: { HTTPS_PROXY: 'http://proxy:1' } },
      60_000,
    ],
    ['as configured', { images: { proxy_seconds: 7 } }, 7000],
  ])('R002-29 %s', async (_name, given: Given, limit) => {
    const tool = slow(1_000_000, given)
    const { context } = toolContext({ now: () => Date.now() })
    let failure: unknown = null
    const running = tool.run({ prompt: 'a fox' }, context).catch((error: unknown) => {
      failure = error
    })
    await vi.advanceTimersByTimeAsync(limit - 1)
    expect(failure).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    await running
    expect(failure).toEqual(new Error(timedOut))
    expect(vi.getTimerCount()).toBe(1)
  })

  it('R002-29 apply to a server that goes silent in the middle', async () => {
    const { tool } = await served([undefined], { images: { proxy_seconds: 0.1 } })
    await expect(tool.run({ prompt: 'a fox' }, toolContext().context)).rejects.toThrow(new Error(timedOut))
  })

  it('R002-29 apply to a request that something else aborted', async () => {
    const fetch = () => Promise.reject(new DOMException('aborted', 'AbortError'))
    const tool = existing({ images: { url: 'http://127.0.0.1:9/v1' }, fetch })
    await expect(tool.run({ prompt: 'a fox' }, toolContext().context)).rejects.toThrow(new Error(timedOut))
  })

  it('do not hide that the user cancelled', async () => {
    const { tool } = await served([undefined])
    const user = new AbortController()
    const running = tool.run({ prompt: 'a fox' }, toolContext({ signal: user.signal }).context)
    user.abort(new Error('cancelled by the user'))
    await expect(running).rejects.toThrow('cancelled by the user')
  })

  it('Q-37 leave the description unchanged if its expansion takes too long', async () => {
    const expand: Ask = () => new Promise(() => {})
    const { tool, requests } = await served([listed(png)], { images: { expand_seconds: 0.05 }, expand })
    const outcome = await tool.run({ prompt: 'a fox', expand_prompt: true }, toolContext().context)
    expect(requests[0]?.body).toMatchObject({ prompt: 'a fox' })
    expect(valueOf(outcome).metadata).not.toHaveProperty('expandedPrompt')
  })
})

describe('the description', () => {
  it.each<readonly [string, Ask, string]>([
    ['is expanded', () => Promise.resolve(' "a red fox in oil" \n'), 'a red fox in oil'],
    ['stays where the model fails', () => Promise.reject(new Error('no')), 'a fox'],
    ['stays where the model says nothing', () => Promise.resolve(' '), 'a fox'],
  ])('%s', async (_name, expand, prompt) => {
    const { tool, requests } = await served([listed(png)], { expand })
    await tool.run({ prompt: 'a fox', expand_prompt: true }, toolContext().context)
    expect(requests[0]?.body).toMatchObject({ prompt })
  })

  it('is reported with its expansion', async () => {
    const { tool } = await served([listed(png)], {
      expand: (question) => Promise.resolve(question.endsWith('\n\na fox') ? 'a red fox' : '?'),
    })
    const outcome = await tool.run({ prompt: 'a fox', expand_prompt: true }, toolContext().context)
    expect(valueOf(outcome).metadata).toMatchObject({ prompt: 'a fox', expandedPrompt: 'a red fox' })
  })
})

describe('a generated image', () => {
  const made = async (root: string, input: object, bytes = png, more: Partial<ToolContext> = {}) => {
    const { tool } = await served([listed(bytes)])
    return tool.run({ prompt: 'a fox', ...input }, toolContext({ root, ...more }).context)
  }

  it('Q-18 R002-35 is stored as a blob and in a file before the result is returned', async () => {
    const root = temporaryFolder()
    const blobs = join(root, 'blobs')
    const outcome = await made(root, {}, png, { blobs: blobsIn(blobs) })
    const { metadata, output, success } = valueOf(outcome)
    const [sha256 = ''] = readdirSync(blobs)
    expect({ success, output }).toEqual({ success: true, output: `Image saved: generated-images/${sha256.slice(0, 12)}.png` })
    expect(metadata).toEqual({
      imageBase64: uri(png),
      imagePath: `generated-images/${sha256.slice(0, 12)}.png`,
      mediaType: 'image/png',
      bytes: png.length,
      model: 'flux-schnell',
      prompt: 'a fox',
      generationTimeMs: expect.any(Number),
    })
    expect(outcome.metadata).toMatchObject({ imagePath: metadata['imagePath'], blob: { sha256, bytes: png.length } })
    expect(readFileSync(join(root, String(metadata['imagePath'])))).toEqual(png)
    expect(readFileSync(join(blobs, sha256))).toEqual(png)
  })

  it.each([
    ['a file', 'art/fox.png', 'art/fox.png'],
    ['a file with another image’s extension', 'fox.jpeg', 'fox.png'],
    ['a file without one', 'fox', 'fox.png'],
    ['a file with another extension', 'fox.v2', 'fox.v2.png'],
    ['a folder that is there', 'pictures', expect.stringMatching(/^pictures\/[0-9a-f]{12}\.png$/)],
    ['a folder that is not there yet', 'new/', expect.stringMatching(/^new\/[0-9a-f]{12}\.png$/)],
  ])('is stored in %s that the model names', async (_name, output_path, imagePath) => {
    const root = temporaryFolder()
    mkdirSync(join(root, 'pictures'))
    const { metadata } = valueOf(await made(root, { output_path }))
    expect(metadata['imagePath']).toEqual(imagePath)
    expect(readFileSync(join(root, String(metadata['imagePath'])))).toEqual(png)
  })

  it('never overwrites a file', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'fox.png'), 'mine')
    const paths = [
      await made(root, { output_path: 'fox.png' }),
      await made(root, { output_path: 'fox.png' }, pngBytes(10, 2)),
    ].map((outcome) => valueOf(outcome).metadata['imagePath'])
    expect(paths).toEqual(['fox-2.png', 'fox-3.png'])
    expect(readFileSync(join(root, 'fox.png'), 'utf8')).toBe('mine')
  })

  it('is not written twice', async () => {
    const root = temporaryFolder()
    expect(valueOf(await made(root, {})).output).toBe(valueOf(await made(root, {})).output)
    expect(readdirSync(join(root, 'generated-images'))).toHaveLength(1)
  })

  it.each([['../fox.png'], ['/etc/fox.png'], ['out/fox.png'], ['~/fox.png']])(
    'is never stored outside the workspace, and nothing is paid for: %s',
    async (output_path) => {
      const root = temporaryFolder()
      symlinkSync(temporaryFolder(), join(root, 'out'))
      const { tool, requests } = await served([listed(png)])
      const outcome = await tool.run({ prompt: 'a fox', output_path }, toolContext({ root }).context)
      expect(outcome).toMatchObject({ isError: true, content: { text: expect.stringContaining('workspace') } })
      expect(requests).toEqual([])
    },
  )

  it('is kept as a blob if the file cannot be written', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'generated-images'), 'a file in the way')
    const outcome = await made(root, {}, png, { blobs: blobsIn(join(root, 'blobs')) })
    const { output, metadata } = valueOf(outcome)
    expect(output).toMatch(/^The image was made and is kept in the session, but not as a file: /)
    expect(metadata).not.toHaveProperty('imagePath')
    expect(readdirSync(join(root, 'blobs'))).toHaveLength(1)
    expect(forHistory(outcome).content).toMatchObject({ value: { metadata: { imageBase64: '[BINARY_DATA_FILTERED: 3.9KB]' } } })
  })

  it('gets its type from its bytes, not from the service', async () => {
    const jpeg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(20)])
    const { metadata } = valueOf(await made(temporaryFolder(), { output_path: 'fox.png' }, jpeg))
    expect(metadata).toMatchObject({ imagePath: 'fox.jpg', mediaType: 'image/jpeg' })
  })
})

describe('in a session', () => {
  it('R002-31 three images of a megabyte in a row leave no base64 in it, take few tokens, and can be shown again', async () => {
    const root = temporaryFolder()
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const { blobs: folder, log } = pathsOf(session.folder)
    const pictures = [1, 2, 3].map((seed) => pngBytes(2 ** 20, seed))
    const { tool } = await served(pictures.map(listed))
    const { context } = toolContext({ root, blobs: blobsIn(folder) })
    const complete: ToolOutcome[] = []
    for (const [index] of pictures.entries()) {
      const outcome = await tool.run({ prompt: `fox ${index}` }, context)
      complete.push(outcome)
      const { content, metadata } = forHistory(outcome)
      const callId = `call-${index}`
      const call = { type: 'tool-call', callId, tool: tool.name, input: { prompt: `fox ${index}` } } as const
      const result = { type: 'tool-result', callId, tool: tool.name, content, ...(metadata && { metadata }) } as const
      await session.append([
        { type: 'message', message: { id: `a${index}`, role: 'assistant', parts: [call] } },
        { type: 'message', message: { id: `r${index}`, role: 'tool', parts: [result] } },
      ])
    }
    await session.close()
    // Interfaces were given all of it.
    expect(complete.map((outcome) => valueOf(outcome).metadata['imageBase64'])).toEqual(pictures.map(uri))
    expect(readFileSync(log, 'utf8')).not.toMatch(/[A-Za-z0-9+/]{200}/)
    const again = await openSession(sessions, session.id)
    onTestFinished(again.close)
    const messages: readonly Message[] = again.state().messages
    expect(JSON.stringify(messages)).not.toMatch(/[A-Za-z0-9+/]{200}/)
    expect(countMessages(messages, estimator)).toBeLessThan(2000)
    for (const [index, bytes] of pictures.entries()) {
      const [part] = messages[index * 2 + 1]?.parts ?? []
      if (part?.type !== 'tool-result' || part.content.type !== 'json') throw new Error('no result')
      expect(part.content.value).toMatchObject({
        metadata: { imageBase64: '[BINARY_DATA_FILTERED: 1365.4KB]', imagePath: expect.any(String) },
      })
      const { imagePath, blob } = part.metadata as { imagePath: string; blob: { sha256: string } }
      expect(readFileSync(join(root, imagePath)).equals(bytes)).toBe(true)
      expect(existsSync(join(folder, blob.sha256))).toBe(true)
    }
  })
})
