import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { openHandsEvents, openHandsPairs } from '../testing/agent-recordings.ts'
import { outlineOf } from '../testing/outline.ts'
import { linesOf } from '../testing/recordings.ts'

const read = async (value: unknown) => (await readLogText(JSON.stringify(value))).value as ReadLog
const sessionOf = ({ sessions }: ReadLog) => sessions[0] as ReadSession

describe('a session of OpenHands', () => {
  it('has one answer for each response, with any number of calls', async () => {
    const session = sessionOf(await read(openHandsEvents))
    expect(outlineOf(session)).toEqual([
      'event-0 system 0.5 "You fix bugs."',
      'event-1 user 1.5 "Fix it." image/*',
      'event-3 assistant 3.5 (Hm.) "Let me see." h1=execute_bash{"command":"h1"} h2=execute_bash{"command":"h2"}',
      'event-5 tool 5.5 h1→a.c',
      'event-6 tool 6.5 h2→No such file!',
      'event-7 summary 7.5 "a.c is there."',
      'event-8 assistant 8.5 "I will read it."',
      'event-9 assistant 9.5 (Hm.) "Let me see." h3=execute_bash{"command":"h3"}',
    ])
    const usage = { input: 60, cacheRead: 40, cacheWrite: 0, output: 8 }
    expect(session.usages).toEqual([
      { after: 'event-3', model: 'model-a', usage },
      { after: 'event-9', model: 'model-a', usage },
    ])
    expect(session.keptFrom).toEqual(new Map([['event-7', 'event-3']]))
  })

  it('keeps the text next to a summary if its first part, an error for the model, went into the message before', async () => {
    const session = sessionOf(
      await read([
        { id: 0, action: 'message', source: 'user', args: { content: 'Fix it.' } },
        { id: 2, observation: 'error', content: 'No such tool' },
        { id: 3, action: 'message', source: 'agent', args: { content: 'I look.' } },
        { id: 4, action: 'condensation', args: { summary: 'Looked.', forgotten_events_end_id: 1 } },
      ]),
    )
    expect(outlineOf(session)).toEqual([
      'event-0 user - "Fix it." "No such tool"',
      'event-3 assistant - "I look."',
      'event-4 summary - "Looked."',
    ])
    expect(session.keptFrom).toEqual(new Map([['event-4', 'event-3']]))
  })

  it('is read from pairs of an action and what was observed of it', async () => {
    const session = sessionOf(await read(openHandsPairs))
    expect(outlineOf(session)).toEqual([
      'line-1 user - "Add a licence."',
      'line-3 assistant - "Create it." call-line-3=run{"command":"touch LICENSE"}',
      'line-4 tool - call-line-3→$',
      'line-5 assistant - call-line-5=run_ipython{"code":"print(1)"}',
      'line-6 tool - call-line-5→1',
      'line-7 assistant - "Check." call-line-7=run{"command":"cat LICENSE"}',
    ])
    expect({ id: session.id, model: session.model }).toEqual({ id: 'shop-7', model: 'model-c' })
  })

  it('takes counts from next to the history if the responses have none', async () => {
    const call = { tool_call_id: 'x', function_name: 'run', model_response: { id: 'r9' } }
    const line = {
      metrics: {
        token_usages: [
          { response_id: 'r9', prompt_tokens: 50, completion_tokens: 3, cache_read_tokens: 20, cache_write_tokens: 5 },
        ],
      },
      history: [{ id: 1, source: 'agent', action: 'run', args: { command: 'ls', thought: 'Look.' }, tool_call_metadata: call }],
    }
    const session = sessionOf((await readLogText(linesOf([line, line]))).value as ReadLog)
    expect(session.usages[0]?.usage).toEqual({ input: 25, cacheRead: 20, cacheWrite: 5, output: 3 })
    expect(outlineOf(session)).toEqual(['event-1 assistant - "Look." x=run{"command":"ls"}'])
  })

  it('ends with words, since nothing answers the call that ends it', async () => {
    const call = {
      tool_call_id: 'x',
      function_name: 'finish',
      model_response: { id: 'r', choices: [{ message: { content: 'All done.' } }] },
    }
    const session = sessionOf(
      await read([
        {
          id: 1,
          source: 'agent',
          action: 'finish',
          args: { final_thought: 'It works.', thought: 'All done.' },
          tool_call_metadata: call,
        },
      ]),
    )
    expect(outlineOf(session)).toEqual(['event-1 assistant - "All done." "It works."'])
  })
})
