import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { estimateTokens, resultText, type ToolResultPart } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenSession } from '../session/session.ts'
import { pathsOf } from '../session/session-folder.ts'
import { createImageTool } from '../tools/image/image-tool.ts'
import { connectMcpServers } from '../tools/mcp/mcp-servers.ts'
import { pngBytes, startImageServer } from '../tools/testing/image-server.ts'
import { temporaryFolder } from '../tools/testing/tool-context.ts'
import type { Tool } from '../tools/tool.ts'
import { startAgent } from './testing/start-agent.ts'
import { streamedAnswer } from './testing/streamed-answer.ts'

const resultsIn = (session: OpenSession): readonly ToolResultPart[] =>
  session.state().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))

it('Q-18 R002-11 R002-31 three pictures in a row: told whole, kept as files and blobs, sent without their bytes, in a window of 131,072', async () => {
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

it('runs the tools of a server that the user configured: asked first, told as results, ended with the agent', async () => {
  const program = fileURLToPath(new URL('../tools/testing/mcp-program.ts', import.meta.url))
  const { tools, close } = await connectMcpServers(
    { files: { command: process.execPath, args: [program, 'good'], allow: ['echo'] } },
    {
      environment: { PATH: process.env['PATH'] },
      root: temporaryFolder(),
      signal: new AbortController().signal,
      onProblem: () => undefined,
      startSeconds: 240,
    },
  )
  onTestFinished(close)
  const named = (end: string) => tools.find(({ name }) => name.endsWith(end))?.name ?? ''
  const asked: string[] = []
  const test = await startAgent({
    tools,
    config: { agent: { mode: 'ask' } },
    ask: ({ tool }) => {
      asked.push(tool)
      return Promise.resolve(tool === named('process') ? { kind: 'once' } : { kind: 'no', reason: 'not that one' })
    },
    answers: [
      streamedAnswer({
        calls: [
          { id: 'echo', tool: named('echo'), input: { text: 'hello' } },
          { id: 'process', tool: named('process'), input: {} },
          { id: 'place', tool: named('place'), input: {} },
          { id: 'wrong', tool: named('echo'), input: { text: 5 } },
        ],
      }),
      streamedAnswer({ text: 'All called.' }),
    ],
  })
  expect(await test.turn('Call them')).toEqual({ kind: 'finished', text: 'All called.' })
  const results = resultsIn(test.session)
  expect(asked).toEqual([named('process'), named('place')])
  expect(results.map(({ callId, isError }) => [callId, isError === true])).toEqual([
    ['echo', false],
    ['process', false],
    ['place', true],
    ['wrong', true],
  ])
  expect(resultText(results[0] as ToolResultPart)).toBe('echo: hello')
  expect(resultText(results[2] as ToolResultPart)).toBe('Error: the user did not allow this call. They say: not that one')
  const pid = Number(resultText(results[1] as ToolResultPart))
  expect(existsSync(`/proc/${pid}`) || process.platform !== 'linux').toBe(true)
  await close()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
