import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { resultText, type ToolResultPart } from '@plimsoll/core'
import { expect, it, onTestFinished } from 'vitest'
import type { OpenSession } from '../session/session.ts'
import { connectMcpServers } from '../tools/mcp/mcp-servers.ts'
import { temporaryFolder } from '../tools/testing/tool-context.ts'
import { startAgent } from './testing/start-agent.ts'
import { streamedAnswer } from './testing/streamed-answer.ts'

const resultsIn = (session: OpenSession): readonly ToolResultPart[] =>
  session.state().messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))

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
