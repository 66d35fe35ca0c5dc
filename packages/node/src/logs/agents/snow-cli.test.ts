import { toolResults } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { ReadLog } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { snowFile } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'

const read = async (value: unknown) => (await readLogText(JSON.stringify(value))).value as ReadLog

describe('a session of snow-cli', () => {
  it('has its name, its folder, times, images, reasoning and failures', async () => {
    const { format, sessions, skipped } = await read(snowFile)
    expect({ format, skipped }).toEqual({ format: 'snow-cli', skipped: [] })
    expect(sessions).toMatchObject([
      { id: snowFile['id'], title: 'Why does the button not work?', root: '/home/sam/shop', usages: [], sidechains: 0 },
    ])
    expect(outlineOf(sessions[0] as never)).toEqual([
      '0 user 1 "Why does the button not work?" image/png',
      '1 assistant 2 (Read it first.) "" s1=filesystem-read{"filePath":"src/Button.tsx"}',
      '2 tool 3 s1→📄 src/Button.tsx (lines 1-2/2)\n1→export function Button() {\n2→}',
      '3 assistant 4 "I will build it." s2=terminal-execute{"command":"npm run build"}',
      '4 tool 5 s2→no such script',
      '5 assistant 6 "There is no build."',
      '6 user 7 "Test it then."',
      '7 assistant 8 "" s3=terminal-execute{"command":"npm test"}',
    ])
    const results = toolResults(sessions[0]?.messages ?? [], {})
    expect(results.map(({ tool, kind, isError }) => [tool, kind, isError])).toEqual([
      ['filesystem-read', 'file-read', false],
      ['terminal-execute', 'terminal', true],
    ])
  })

  it('is recognised before any tool was called, and named after its first message while it has no title', async () => {
    const messages = [{ role: 'user', content: 'Hello', timestamp: 1_738_287_600_000 }]
    const { format, sessions } = await read({ ...snowFile, title: 'New Chat', messages, messageCount: 1 })
    expect([format, sessions[0]?.title]).toEqual(['snow-cli', 'Hello'])
  })

  it('leaves out the messages of agents that it started, and counts them', async () => {
    const inner = { role: 'assistant', content: 'Inner.', subAgentInternal: true, timestamp: 1 }
    const { sessions } = await read({ ...snowFile, messages: [...(snowFile['messages'] as unknown[]), inner] })
    expect([sessions[0]?.messages.length, sessions[0]?.sidechains]).toEqual([8, 1])
  })

  it('is recognised by its file: a bare list of its messages stays a list of messages', async () => {
    expect((await read(snowFile['messages'])).format).toBe('openai-chat')
  })

  it.each([
    [{ ...snowFile, messages: [null, 3, ...(snowFile['messages'] as unknown[])] }, 8],
    [{ ...snowFile, messages: [{ role: 'user', content: 'x', images: [null, { data: 3 }], thinking: 3, timestamp: 1 }] }, 1],
  ])('is read although parts of it are damaged', async (file, count) => {
    expect((await read(file)).sessions[0]?.messages).toHaveLength(count)
  })
})
