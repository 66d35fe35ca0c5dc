import { handleOf } from '@plimsoll/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import cline from './cline.ts'
import { plimsoll as opencode } from './opencode.ts'
import pi from './pi.ts'

// The shapes are those that pi 0.73, opencode 1.18 and Cline 3.0 pass; docs/integrations.md says what was seen inside them.

const build = Array.from({ length: 900 }, (_, line) =>
  line === 700 ? 'src/a.ts(3,4): error TS2304: x is not defined' : `compiled module ${line}`,
).join('\n')
const marked = `recall ${handleOf(build)}`

describe('the extension of pi', () => {
  const open = (branch: readonly object[] = []) => {
    const handlers = new Map<string, (event: object, context: object) => unknown>()
    const entries: object[] = []
    const tools: {
      readonly name: string
      readonly execute: (id: string, input: unknown) => Promise<{ content: readonly { text: string }[] }>
    }[] = []
    pi({
      on: (event, handler) => void handlers.set(event, handler as never),
      registerTool: (tool) => void tools.push(tool as never),
      appendEntry: (customType, data) => void entries.push({ type: 'custom', customType, data }),
    })
    const tell = (event: string, value: object = {}) =>
      handlers.get(event)?.(value, { sessionManager: { getBranch: () => branch } })
    tell('session_start')
    return { tell, entries, tools }
  }
  const payload = {
    model: 'claude-sonnet-4-5',
    messages: [
      { role: 'user', content: 'Run make.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'bash', input: { command: 'make' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: build }] },
    ],
  }

  it('trims a request, takes the usage, and keeps its state in the session', async () => {
    const { tell, entries, tools } = open()
    const shown = JSON.stringify(tell('before_provider_request', { payload }))
    expect([shown.includes(marked), shown.length < 5000]).toEqual([true, true])
    tell('message_end', { message: { role: 'assistant', usage: { input: 100, output: 5, cacheRead: 0, cacheWrite: 0 } } })
    tell('agent_end')
    const answer = await tools[0]?.execute('id', { handle: handleOf(build), lines: '500-500' })
    expect([tools[0]?.name, answer?.content[0]?.text.includes('compiled module 499')]).toEqual(['recall', true])
    // Another process continues from the entry.
    expect(
      JSON.stringify(open(JSON.parse(JSON.stringify(entries)) as object[]).tell('before_provider_request', { payload })),
    ).toBe(shown)
  })

  it.each([null, 7, {}, { payload: { messages: 'odd' } }])('leaves a request alone that it cannot read: %j', (odd) => {
    expect(open().tell('before_provider_request', { payload: odd })).toBeUndefined()
  })
})

describe('a compaction of pi', () => {
  const messagesToSummarize = [
    { role: 'user', content: 'Never touch vendor/. Run make.' },
    { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'write', arguments: { path: 'src/a.ts', content: 'x' } }] },
    { role: 'toolResult', toolCallId: 'a', content: [{ type: 'text', text: 'written' }], isError: false },
    { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
  ]
  const ask = (preparation: object) => {
    const handlers = new Map<string, (event: object) => unknown>()
    pi({
      on: (event, handler) => void handlers.set(event, handler as never),
      registerTool: () => undefined,
      appendEntry: () => undefined,
    })
    return handlers.get('session_before_compact')?.({ preparation })
  }

  it('takes our summary if the user wants it, and pi’s own otherwise', () => {
    expect(ask({ messagesToSummarize })).toBeUndefined()
    vi.stubEnv('PLIMSOLL_COMPACTION', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const made = ask({ messagesToSummarize, firstKeptEntryId: 'e', tokensBefore: 9, previousSummary: 'Earlier.' })
    expect(made).toEqual({
      compaction: { summary: expect.stringContaining('Never touch vendor/'), firstKeptEntryId: 'e', tokensBefore: 9 },
    })
    expect(JSON.stringify(made)).toContain('src/a.ts')
    expect(JSON.stringify(made)).not.toMatch(/recall [0-9a-f]{12}/)
    expect(ask({ messagesToSummarize: 7 })).toBeUndefined()
  })
})

describe('the plugin of opencode', () => {
  const history = (output: string) => ({
    messages: [
      { info: { role: 'user', sessionID: 's', model: { modelID: 'gpt-5-mini' } }, parts: [{ type: 'text', text: 'Run make.' }] },
      {
        info: { role: 'assistant', sessionID: 's', tokens: { input: 100, output: 5, cache: { read: 0, write: 0 } } },
        parts: [
          { type: 'step-start' },
          { type: 'tool', callID: 'a', tool: 'bash', state: { status: 'completed', input: { command: 'make' }, output } },
          { type: 'tool', callID: 'b', tool: 'bash', state: { status: 'error', input: { command: 'x' }, error: 'failed' } },
        ],
      },
    ],
  })

  it('trims results in place, and answers recall', async () => {
    const plugin = await opencode()
    const given = history(build)
    await plugin['experimental.chat.messages.transform']({}, given)
    expect(JSON.stringify(given)).toContain(marked)
    expect(JSON.stringify(given).replace(/"output":"(?:[^"\\]|\\.)*"/, '')).toBe(
      JSON.stringify(history('')).replace('"output":""', ''),
    )
    expect(await plugin.tool['recall']?.execute({ handle: handleOf(build), lines: '500-500' })).toContain('compiled module 499')
  })

  it('adds what must be in a summary to opencode’s own request for one', async () => {
    const plugin = await opencode()
    await plugin['experimental.chat.messages.transform']({}, history(build))
    const compacting = async (sessionID: string) => {
      const context: string[] = []
      await plugin['experimental.session.compacting']({ sessionID }, { context })
      return context
    }
    expect(await compacting('s')).toEqual([expect.stringContaining('Run make.')])
    expect(await compacting('another')).toEqual([])
  })

  it('leaves what it cannot read', async () => {
    const odd = { messages: [{ info: {}, parts: [null] }] }
    await (await opencode())['experimental.chat.messages.transform']({}, odd as never)
    expect(odd).toEqual({ messages: [{ info: {}, parts: [null] }] })
  })
})

describe('the plugin of Cline', () => {
  const image = { type: 'tool-result', toolCallId: 'b', output: [{ type: 'image' }] }
  const messages = [
    { role: 'user', content: 'Run make.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'run_commands', input: { commands: ['make'] } }],
    },
    {
      role: 'user',
      content: [{ type: 'tool-result', toolCallId: 'a', output: [{ query: 'make', result: build, success: true }] }, image],
    },
  ]

  it('replaces results that are text, and only those', () => {
    const shown = cline.hooks.beforeModel({ request: { messages } })?.messages
    expect([shown?.[0], shown?.[1]]).toEqual(messages.slice(0, 2))
    expect(shown?.[2]?.content).toEqual([
      { type: 'tool-result', toolCallId: 'a', output: expect.stringContaining(marked) },
      image,
    ])
    cline.hooks.afterModel({ assistantMessage: { metrics: { inputTokens: 100, outputTokens: 5 } } })
    expect(cline.hooks.beforeModel({ request: { messages } })?.messages).toEqual(shown)
  })

  it('answers recall', async () => {
    const tools: { readonly name: string; readonly execute: (input: unknown) => Promise<string> }[] = []
    cline.setup({ registerTool: (tool) => void tools.push(tool as never) })
    cline.hooks.beforeModel({ request: { messages } })
    expect(tools.map(({ name }) => name)).toEqual(['recall'])
    expect(await tools[0]?.execute({ handle: handleOf(build), lines: '500-500' })).toContain('compiled module 499')
  })

  it('leaves what it cannot read', () => expect(cline.hooks.beforeModel({ request: { messages: 7 as never } })).toBeUndefined())
})
