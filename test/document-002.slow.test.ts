import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { estimateTokens, specPolicies, type ToolResultPart } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { refused } from '../packages/node/src/agent/testing/asking.ts'
import { startAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import { openTerminal } from '../packages/node/src/cli/chat/testing/open-terminal.ts'
import { startOpenAiServer } from '../packages/node/src/model/testing/openai-server.ts'
import type { OpenSession } from '../packages/node/src/session/session.ts'
import { pathsOf } from '../packages/node/src/session/session-folder.ts'
import { stringsFor } from '../packages/node/src/strings/strings-for.ts'
import { createImageTool } from '../packages/node/src/tools/image/image-tool.ts'
import { pngBytes, startImageServer } from '../packages/node/src/tools/testing/image-server.ts'
import type { Tool } from '../packages/node/src/tools/tool.ts'
import { createWorkplace, isBuilt } from './workplace.ts'

const tooLong =
  "This model's maximum context length is 131072 tokens. However, you requested 5472941 tokens (5468845 in the messages, 4096 in the completion)."

const resultsIn = (session: OpenSession): readonly ToolResultPart[] =>
  session.state().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))

describe('002, binary data and overflow, in the running agent', () => {
  it('R002-5 R002-7 R002-31 sends a placeholder with the size instead of base64, and keeps the data in the session', async () => {
    const screenshot = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 251)).toString('base64')
    const answer = JSON.stringify({ success: true, metadata: { imagePath: 'shot.png', imageBase64: screenshot } })
    const test = await startAgent({
      policies: specPolicies,
      files: { 'answer.json': answer },
      answers: [
        streamedAnswer({ calls: [{ id: 'show', tool: 'Bash', input: { command: 'cat answer.json' } }] }),
        streamedAnswer({ text: 'Done.' }),
      ],
    })
    await test.turn('Show the screenshot')
    const sent = test.server?.requests.at(-1)?.text ?? ''
    expect(sent).toContain('shot.png')
    expect(sent).toMatch(/\[(?:BINARY|LARGE)_DATA_FILTERED: \d+\.\dKB\]/)
    expect(sent).not.toMatch(/[A-Za-z0-9+/]{1000}/)
    expect(readFileSync(pathsOf(test.session.folder).log, 'utf8')).toContain(screenshot.slice(0, 5000))
  })

  it('Q-18 R002-11 R002-31 reports three images in a row in full, keeps them as files and blobs, and sends none of their bytes', async () => {
    const window = 131_072
    const pictures = [1, 2, 3].map((seed) => pngBytes(700_000, seed))
    const service = await startImageServer(
      ...pictures.map((bytes) => ({ json: { data: [{ b64_json: bytes.toString('base64') }] } })),
    )
    const images = { model: 'flux-schnell', url: `${service.origin}/v1` }
    const image = createImageTool({ config: completeConfig({ images }), environment: {}, expand: null }) as Tool
    const draw = (number: number) =>
      streamedAnswer({
        calls: [
          { id: `draw-${number}`, tool: 'image_generate', input: { prompt: `fox ${number}`, output_path: `fox-${number}.png` } },
        ],
      })
    const test = await startAgent({
      tools: [image],
      config: { images, context_window: window },
      answers: [draw(1), draw(2), draw(3), streamedAnswer({ text: 'Three foxes.' }), streamedAnswer({ text: 'Still three.' })],
    })
    expect(await test.turn('Draw three foxes')).toEqual({ kind: 'finished', text: 'Three foxes.' })
    const { session, server, events, root } = await test.restart().then(async (again) => {
      expect(await again.turn('How many?')).toEqual({ kind: 'finished', text: 'Still three.' })
      return again
    })

    // Told live with everything, before anything is filtered.
    const ends = events.flatMap(({ type, data }) => (type === 'tool_call_end' ? [JSON.stringify(data.result)] : []))
    expect(ends.map((end, index) => end.includes((pictures[index] as Buffer).toString('base64')))).toEqual([true, true, true])
    // In the workspace and in the session, also after a restart.
    for (const [index, bytes] of pictures.entries()) {
      expect(readFileSync(join(root, `fox-${index + 1}.png`))).toEqual(bytes)
      const { sha256 } = (resultsIn(session)[index]?.metadata?.['blob'] ?? {}) as { readonly sha256: string }
      expect(readFileSync(join(pathsOf(session.folder).blobs, sha256))).toEqual(bytes)
    }
    // Neither log nor request holds the bytes as text, and no request is anywhere near the window.
    const log = readFileSync(pathsOf(session.folder).log, 'utf8')
    for (const text of [log, ...(server?.requests.map((request) => request.text) ?? [])])
      expect(text).not.toMatch(/[A-Za-z0-9+/]{300}/)
    expect(server?.requests).toHaveLength(5)
    expect(Math.max(...(server?.requests.map(({ text }) => estimateTokens(text)) ?? []))).toBeLessThan(window / 10)
    const last = server?.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? []
    expect(last.map(({ content }) => /fox-\d\.png/.exec(String(content))?.[0])).toEqual(['fox-1.png', 'fox-2.png', 'fox-3.png'])
    expect(events.filter(({ type }) => type === 'error')).toEqual([])
  })

  it('R002-15 R002-16 R002-18 reports a conversation that is too long with code, sentence and what to do', async () => {
    const test = await startAgent({
      policies: specPolicies,
      config: { overflow: { auto_recover: false } },
      answers: [refused(400, { error: { message: tooLong, type: 'invalid_request_error' } })],
    })
    const outcome = await test.turn('Hello')
    const error = {
      code: 'CONTEXT_LENGTH_EXCEEDED',
      message: '对话内容过长，已超出模型上下文限制。',
      suggestion: '建议新开一个会话继续对话。',
      details: { requested: 5_472_941, max: 131_072 },
    }
    expect(outcome).toMatchObject({ kind: 'failed', error })
    expect(test.events.filter(({ type }) => type === 'error')).toMatchObject([{ data: error }])
  })

  it.runIf(isBuilt)('R002-18 R002-20 R002-32 shows the sentence, the sizes and the ways on in a terminal', async () => {
    const server = await startOpenAiServer(refused(400, { error: { message: tooLong, type: 'invalid_request_error' } }))
    onTestFinished(server.close)
    const place = createWorkplace({ 'notes.txt': 'high water at six\n' })
    const environment = { ...place.environment, LANG: 'zh_CN.UTF-8', OPENAI_API_KEY: 'not-a-real-key' }
    const args = ['chat', '--base-url', server.url, '--model', 'test']
    const terminal = openTerminal({ args, folder: place.folder, environment, rows: 40 })
    onTestFinished(terminal.end)
    await terminal.shows(stringsFor('zh').chat.placeholder)
    terminal.type('Hello\r')
    await terminal.shows('对话内容过长，已超出模型上下文限制。')
    await terminal.shows('5,472,941')
    await terminal.shows('131,072')
  })

  it('R002-19 folds the history and asks again when the provider refuses it, and says so', async () => {
    const others = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    const round = (number: number) => streamedAnswer({ text: `Answer ${number}. ${'It rains on the harbour. '.repeat(300)}` })
    const test = await startAgent({
      policies: specPolicies,
      answers: [
        round(1),
        ...others.map(round),
        refused(400, { error: { message: tooLong, type: 'invalid_request_error' } }),
        streamedAnswer({ text: 'Now it fits.' }),
      ],
    })
    for (const number of [1, ...others]) await test.turn(`Question ${number}`)
    expect(await test.turn('And now?')).toEqual({ kind: 'finished', text: 'Now it fits.' })
    const notices = test.events.flatMap(({ type, data }) => (type === 'notification' ? [data] : []))
    expect(notices).toContainEqual(expect.objectContaining({ code: 'history_compressed', message: '已自动压缩对话历史，请重试' }))
    const [, last] = test.server?.requests.slice(-2).map(({ text }) => text.length) ?? []
    expect(last).toBeLessThan(test.server?.requests.at(12)?.text.length ?? 0)
  })
})
