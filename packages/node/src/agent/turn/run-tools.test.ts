import { setImmediate as turnOfLoop, setTimeout as wait } from 'node:timers/promises'
import type { ToolCallPart, ToolResultPart } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentEvent, ToolAccess, ToolOutcome } from '../../shared/event.ts'
import { toolContext } from '../../tools/testing/tool-context.ts'
import { defineTool, type Tool, type ToolContext, told } from '../../tools/tool.ts'
import { createPermissions } from './permissions.ts'
import { runTools } from './run-tools.ts'

const tool = (name: string, access: ToolAccess, run: (text: string, context: ToolContext) => Promise<ToolOutcome>): Tool =>
  defineTool({
    name,
    description: name,
    access,
    input: z.object({ text: z.string() }),
    about: ({ text }) => text,
    run: ({ text }, context) => run(text, context),
  })

const call = (callId: string, name: string, input: unknown = { text: callId }): ToolCallPart => ({
  type: 'tool-call',
  callId,
  tool: name,
  input,
})

/** Runs calls, and tells what happened in which order. */
async function running(tools: readonly Tool[], calls: readonly ToolCallPart[], signal = new AbortController().signal) {
  const events: AgentEvent[] = []
  const kept: (readonly ToolResultPart[])[] = []
  const order: string[] = []
  await runTools(
    calls,
    {
      tools,
      context: toolContext().context,
      permissions: createPermissions('auto', null),
      emit(event) {
        events.push(event)
        if (event.type === 'tool_call_start' || event.type === 'tool_call_end') order.push(`${event.type} ${event.data.callId}`)
      },
      shorten: (_tool, outcome) => Promise.resolve(outcome),
      keep(results) {
        kept.push(results)
        order.push(`kept ${results.map(({ callId }) => callId).join(' ')}`)
        return Promise.resolve()
      },
    },
    signal,
  )
  return { events, kept, order }
}

const textOf = (part: ToolResultPart | undefined) => (part?.content.type === 'text' ? part.content.text : null)

describe('runTools', () => {
  it('runs read-only calls in parallel and the rest one by one, and keeps the results in the order of the calls', async () => {
    let atOnce = 0
    let most = 0
    // The first call ends some time after the second one.
    const secondEnded = Promise.withResolvers<void>()
    const look = tool('Look', 'read', async (text) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      if (text === 'a') await secondEnded.promise
      else if (text === 'b') void turnOfLoop().then(secondEnded.resolve)
      atOnce -= 1
      return told(text)
    })
    const change = tool('Change', 'write', (text) => {
      expect(atOnce).toBe(0)
      return Promise.resolve(told(text))
    })
    const { kept, order } = await running(
      [look, change],
      [call('a', 'Look'), call('b', 'Look'), call('c', 'Change'), call('d', 'Change'), call('e', 'Look')],
    )
    expect(most).toBe(2)
    expect(kept.map((results) => results.map(textOf))).toEqual([['a', 'b'], ['c'], ['d'], ['e']])
    expect(order).toEqual([
      'tool_call_start a',
      'tool_call_start b',
      'tool_call_end b',
      'tool_call_end a',
      'kept a b',
      'tool_call_start c',
      'tool_call_end c',
      'kept c',
      'tool_call_start d',
      'tool_call_end d',
      'kept d',
      'tool_call_start e',
      'tool_call_end e',
      'kept e',
    ])
  })

  it('R002-11 reports the complete result before filtering or storing it', async () => {
    const imageBase64 = Buffer.alloc(300_000, 'picture').toString('base64')
    const draw = tool('image_generate', 'run', () =>
      Promise.resolve({
        content: { type: 'json', value: { success: true, output: 'saved', metadata: { imageBase64, imagePath: 'a.png' } } },
        metadata: { blob: { sha256: '0'.repeat(64), bytes: 300_000 }, imageBase64 },
      }),
    )
    const { events, kept, order } = await running([draw], [call('a', 'image_generate')])
    const end = events.find((event) => event.type === 'tool_call_end')
    expect(JSON.stringify(end?.data)).toContain(imageBase64)
    expect(order).toEqual(['tool_call_start a', 'tool_call_end a', 'kept a'])
    expect(JSON.stringify(kept)).not.toContain(imageBase64.slice(0, 1000))
    expect(JSON.stringify(kept)).toContain('[BINARY_DATA_FILTERED: ')
    expect(JSON.stringify(kept)).toContain('a.png')
  })

  it.each<[name: string, call: ToolCallPart, expected: RegExp]>([
    ['an unknown tool', call('a', 'Fly'), /^Error: there is no tool named Fly\. The tools are Look\.$/],
    ['arguments that were cut off', call('a', 'Look', '{"text":"ha'), /^Error: the arguments of Look are not a JSON object/],
    ['arguments that are a list', call('a', 'Look', []), /^Error: the arguments of Look are not a JSON object/],
    ['arguments of another shape', call('a', 'Look', { text: 7 }), /^Error: wrong arguments for Look: text: /],
  ])('answers %s with an error the model can act on', async (_name, asked, expected) => {
    const { kept } = await running([tool('Look', 'read', (text) => Promise.resolve(told(text)))], [asked])
    expect(textOf(kept[0]?.[0])).toMatch(expected)
    expect(kept[0]?.[0]?.isError).toBe(true)
  })

  it('does not ask for permission if the arguments are wrong', async () => {
    const change = tool('Change', 'write', (text) => Promise.resolve(told(text)))
    const kept: ToolResultPart[] = []
    await runTools(
      [call('a', 'Change', { text: 7 })],
      {
        tools: [change],
        context: toolContext().context,
        permissions: createPermissions('ask', () => Promise.reject(new Error('asked'))),
        emit: () => undefined,
        shorten: (_tool, outcome) => Promise.resolve(outcome),
        keep(results) {
          kept.push(...results)
          return Promise.resolve()
        },
      },
      new AbortController().signal,
    )
    expect(textOf(kept[0])).toMatch(/^Error: wrong arguments for Change: text: /)
  })

  it('parses arguments that arrive as text', async () => {
    const { kept } = await running(
      [tool('Look', 'read', (text) => Promise.resolve(told(text)))],
      [call('a', 'Look', '{"text":"said"}')],
    )
    expect(textOf(kept[0]?.[0])).toBe('said')
  })

  it('returns an error result if a tool throws, and continues with the next call', async () => {
    const { kept } = await running(
      [
        tool('Bad', 'write', () => Promise.reject(new Error('the disk is gone'))),
        tool('Good', 'write', () => Promise.resolve(told('fine'))),
      ],
      [call('a', 'Bad'), call('b', 'Good')],
    )
    expect(kept.flat().map(textOf)).toEqual(['Error: the disk is gone', 'fine'])
  })

  it('gives every call a result when the user stops, and runs nothing more', async () => {
    const stop = new AbortController()
    const ran: string[] = []
    const slow = tool('Slow', 'run', async (text, { signal }) => {
      ran.push(text)
      stop.abort(new Error('stopped'))
      await wait(10_000, undefined, { signal })
      return told('never')
    })
    const { kept } = await running([slow], [call('a', 'Slow'), call('b', 'Slow'), call('c', 'Slow')], stop.signal)
    expect(ran).toEqual(['a'])
    expect(kept.flat().map(({ callId, isError }) => [callId, isError])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ])
    expect(textOf(kept[0]?.[0])).toContain('stopped this call before it ended')
    expect(textOf(kept[1]?.[0])).toContain('did not run')
  })

  it('measures the time of a call without the wait for permission', async () => {
    let time = 0
    const events: AgentEvent[] = []
    const change = tool('Change', 'write', (text) => {
      time += 40
      return Promise.resolve(told(text))
    })
    const permissions = createPermissions('ask', (request) => {
      time += 60_000
      return Promise.resolve(request.callId === 'a' ? { kind: 'once' } : { kind: 'no', reason: null })
    })
    await runTools(
      [call('a', 'Change'), call('b', 'Change')],
      {
        tools: [change],
        context: toolContext({ now: () => time }).context,
        permissions,
        emit: (event) => events.push(event),
        shorten: (_tool, outcome) => Promise.resolve(outcome),
        keep: () => Promise.resolve(),
      },
      new AbortController().signal,
    )
    const times = events.flatMap(({ type, data }) => (type === 'tool_call_end' ? [data.durationMs] : []))
    expect(times).toEqual([40, 0])
  })

  it('R002-22 reports progress with the tool, the stage, the message and the number', async () => {
    const { events } = await running(
      [
        tool('image_generate', 'run', (_text, { progress }) => {
          progress?.({ stage: 'generating', message: '生成中... 5s', progress: 34 })
          return Promise.resolve(told('done'))
        }),
      ],
      [call('a', 'image_generate')],
    )
    expect(events.filter(({ type }) => type === 'tool_progress')).toEqual([
      {
        type: 'tool_progress',
        data: { tool: 'image_generate', stage: 'generating', message: '生成中... 5s', progress: 34, callId: 'a' },
      },
    ])
  })
})
