import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlobSink } from '../session/blob-sink.ts'
import { createSession } from '../session/create-session.ts'
import { temporarySessions } from '../session/testing/sessions.ts'
import { bashTool } from './command/bash-tool.ts'
import { createRecallTool } from './own-tools.ts'
import { toolContext } from './testing/tool-context.ts'
import { createSeenFiles } from './tool.ts'

/** A session in which a command was run, and the tool that recalls what it printed. */
async function afterCommand(command: string) {
  const session = await createSession(temporarySessions())
  onTestFinished(() => session.close())
  const { context } = toolContext({ environment: process.env, seen: createSeenFiles(), blobs: createBlobSink(session) })
  const { content, blob } = await bashTool.run({ command }, context)
  const call = { type: 'tool-call', callId: 'c', tool: 'Bash', input: { command } } as const
  const result = { type: 'tool-result', callId: 'c', tool: 'Bash', content, ...(blob === undefined ? {} : { blob }) } as const
  const entries: readonly NewEntry[] = [
    { type: 'message', message: { id: 'a', role: 'assistant', parts: [call] } },
    { type: 'message', message: { id: 'r', role: 'tool', parts: [result] } },
  ]
  await session.append(entries)
  const tool = createRecallTool(session, {})
  return {
    handle: blob?.handle ?? '',
    recall: async (input: unknown) => {
      const answer = await tool.run(input, context)
      return answer.content.type === 'text' ? answer.content.text : ''
    },
    tool,
  }
}

describe('the tool that gives back what was left out', () => {
  it('Q-9 pages through an output that is too large to be held, by lines, pattern and characters', async () => {
    const { recall, handle } = await afterCommand('seq -f "line %.0f of it" 1200000')
    expect(handle).toMatch(/^[0-9a-f]{12}$/)
    expect(await recall({ handle, lines: '700000-700002' })).toBe(
      `[lines 700000-700002 of 1200001; handle ${handle}]\nline 700000 of it\nline 700001 of it\nline 700002 of it`,
    )
    expect(await recall({ handle, pattern: '999999' })).toBe(
      `[lines 999999-999999 of 1200001; handle ${handle}]\n999999: line 999999 of it`,
    )
    expect(await recall({ handle, lines: '1200001' })).toBe(`[lines 1200001-1200001 of 1200001; handle ${handle}]\n[exit code 0]`)
    expect(await recall({ handle, characters: '14-28' })).toBe('line 2 of it\nli')
    expect(await recall({ handle })).toMatch(/^[0-9a-f]{12} has \d+ characters in 1200001 lines, too many/)
    expect(await recall({ tool: 'Bash', about: 'seq', lines: '3-3' })).toContain('line 3 of it')
  })

  it('Q-9 gives back an output that was kept apart for its size', async () => {
    const { recall, handle } = await afterCommand('seq 300000')
    expect(await recall({ handle, lines: '299999-300001' })).toBe(
      `[lines 299999-300001 of 300001; handle ${handle}]\n299999\n300000\n[exit code 0]`,
    )
  })

  it.each<[unknown]>([[null], ['handle'], [{}], [{ handle: '000000000000' }], [{ lines: 'x' }]])(
    'answers %j in words',
    async (input) => {
      const { recall } = await afterCommand('echo a')
      expect(await recall(input)).toMatch(/\w{3,}/)
    },
  )

  it('only looks, and says in a line what for', async () => {
    const { tool } = await afterCommand('true')
    const about = [{ handle: 'abcdef' }, { query: 'the test' }, { tool: 'Bash' }, {}, null].map((input) => tool.about(input))
    expect({ access: tool.access, name: tool.name, about }).toEqual({
      access: 'read',
      name: 'recall',
      about: ['abcdef', 'the test', 'Bash', '', ''],
    })
  })
})
