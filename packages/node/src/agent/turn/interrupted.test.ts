import type { Message } from '@plimsoll/core'
import { expect, it } from 'vitest'
import type { AgentEvent } from '../../shared/event.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { startAgent } from '../testing/start-agent.ts'
import { reportInterrupted } from './interrupted.ts'

const user: Message = { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'run the tests' }] }
const call = (id: string, command: string) => ({ type: 'tool-call', callId: id, tool: 'Bash', input: { command } }) as const
const calls: Message = { id: 'm1', role: 'assistant', parts: [call('a', 'npm test'), call('b', 'rm -r \u001b[31mbuild')] }
const result = (id: string): Message => ({
  id: `m-${id}`,
  role: 'tool',
  parts: [{ type: 'tool-result', callId: id, tool: 'Bash', content: { type: 'text', text: 'done' } }],
})
const answer: Message = { id: 'm9', role: 'assistant', parts: [{ type: 'text', text: 'done' }] }

it.each([
  ['a finished turn', [user, calls, result('a'), result('b'), answer], null],
  ['nothing', [], null],
  ['calls without results', [user, calls], 'calls_were_interrupted: Bash: npm test; Bash: rm -r \\u001b[31mbuild'],
  ['one call without a result', [user, calls, result('a')], 'calls_were_interrupted: Bash: rm -r \\u001b[31mbuild'],
  ['results without an answer', [user, calls, result('a'), result('b')], 'answer_was_interrupted: '],
  ['a message without an answer', [user], 'answer_was_interrupted: '],
] as const)('says what was interrupted after %s', (_, messages, expected) => {
  const said: string[] = []
  const emit = (event: AgentEvent) => {
    if (event.type === 'notification') said.push(`${event.data.code}: ${event.data.details ?? ''}`)
  }
  reportInterrupted(messages, [bashTool], emit)
  expect(said).toEqual(expected === null ? [] : [expected])
})

it('the first turn after a restart tells the user and the model; the second tells no one', async () => {
  const { turn, events, session } = await startAgent({ messages: [user, calls] })
  const codes = () => events.flatMap((event) => (event.type === 'notification' ? [event.data.code] : []))
  await turn('!say go on')
  expect(codes()).toEqual(['calls_were_interrupted'])
  expect(JSON.stringify(session.state().messages)).not.toContain('was interrupted')
  await turn('!say go on')
  expect(codes()).toEqual(['calls_were_interrupted'])
})
