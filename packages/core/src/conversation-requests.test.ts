import { describe, expect, it } from 'vitest'
import { defaultConfig } from './config.ts'
import { createConversation } from './conversation.ts'
import { modelFacts } from './models/model-facts.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { specPolicies } from './policies/spec-policies.ts'
import type { Policy } from './policy.ts'
import { deepFreeze } from './testing/messages.ts'
import { codecs } from './wire/codecs.ts'

const noon = Date.UTC(2026, 0, 5, 12)
const minute = 60_000
const log = Array.from({ length: 2000 }, (_, line) => (line === 999 ? 'error: total is NaN' : `compiled module ${line}`)).join(
  '\n',
)

interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly unknown[]
}

function step(id: string, content: string, name = 'bash', input: unknown = { command: `run ${id}` }): readonly ChatMessage[] {
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const question: readonly ChatMessage[] = [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content: 'Why does the build fail?' },
]

const chat = codecs['openai-chat']
const ask = (...steps: readonly (readonly ChatMessage[])[]) => ({ model: 'gpt-5', messages: [...question, ...steps.flat()] })

describe('createConversation with a codec', () => {
  it('returns the same request if there is nothing to trim', () => {
    const request = deepFreeze(ask(step('build', 'ok')))
    const trimmed = createConversation({ codec: chat, policies: economyPolicies }).next(request, { now: noon })
    expect(trimmed.request).toBe(request)
    expect(trimmed.report.edits).toEqual([])
  })

  it('cuts a long result when it is first sent, and shows it the same way in every later request', () => {
    const conversation = createConversation({ codec: chat, policies: economyPolicies })
    const steps = [step('build', log), step('list', 'src'), step('rebuild', log), step('test', 'ok')]
    const sent = steps.map((_, index) => {
      const { request } = conversation.next(deepFreeze(ask(...steps.slice(0, index + 1))), { now: noon + index * 1000 })
      conversation.accepted({ prompt_tokens: 5000 })
      return request.messages
    })
    expect(sent[0]?.[3]?.content).toContain('error: total is NaN')
    expect(sent[0]?.[3]?.content?.length).toBeLessThan(5000)
    for (const [index, messages] of sent.entries())
      expect(sent.at(-1)?.slice(0, messages.length), `request ${index}`).toEqual(messages)
  })

  it('identifies messages by content: in a shortened history no result replaces another', () => {
    const conversation = createConversation({ codec: chat, policies: economyPolicies })
    const other = log.replaceAll('module', 'chapter')
    const before = conversation.next(ask(step('list', 'src'), step('rebuild', log), step('docs', other)), { now: noon })
    conversation.accepted()
    const after = conversation.next(ask(step('rebuild', log), step('docs', other), step('test', '3 passed')), {
      now: noon + 1000,
    })
    expect(after.request.messages.map(({ content }) => content)).toEqual([
      ...question.map(({ content }) => content),
      null,
      before.request.messages[5]?.content,
      null,
      before.request.messages[7]?.content,
      null,
      '3 passed',
    ])
    expect(after.report.edits.map(({ policy, message }) => [policy, message])).toEqual([
      ['cut-long-output', '3'],
      ['cut-long-output', '5'],
    ])
  })

  it('recalls the original, byte for byte, by the handle in the cut result', () => {
    const conversation = createConversation({ codec: chat, policies: economyPolicies })
    const { request } = conversation.next(ask(step('build', log)), { now: noon })
    const [, handle] = /recall ([0-9a-f]{12})/.exec(request.messages[3]?.content ?? '') ?? []
    const [first, last] = [1200, 1220]
    expect(
      conversation
        .recall({ handle, lines: `${first}-${last}` })
        .split('\n')
        .slice(1),
    ).toEqual(log.split('\n').slice(first - 1, last))
    expect(conversation.recall({ handle, pattern: 'NaN|module 1500' })).toContain(
      '1000: error: total is NaN\n1501: compiled module 1500',
    )
  })

  it('rejects a regular expression that could run forever', () => {
    const conversation = createConversation({ codec: chat, policies: economyPolicies })
    conversation.next(ask(step('build', log)), { now: noon })
    expect(conversation.recall({ tool: 'bash', pattern: '(o+)+x' })).toContain('takes plain words')
    expect(conversation.recall({ tool: 'bash', pattern: '\\d+' })).toContain('takes plain words')
  })

  it('has nothing to recall before the first request', () => {
    expect(createConversation({ codec: chat, policies: [] }).recall({ handle: '0123456789ab' })).toContain('0123456789ab')
  })

  it('remembers when it first saw a message, so that commands grow old in a format without times', () => {
    const conversation = createConversation({ codec: chat, policies: specPolicies, timing: 'immediate' })
    const steps = Array.from({ length: 7 }, (_, index) => step(`s${index}`, `text ${index}`))
    conversation.next(ask(...steps), { now: noon })
    conversation.accepted()
    expect(conversation.next(ask(...steps), { now: noon + 14 * minute }).report.edits).toEqual([])
    expect(conversation.next(ask(...steps), { now: noon + 16 * minute }).report.edits.map(({ message }) => message)).toEqual([
      '3',
      '5',
    ])
  })

  it('continues from its JSON state exactly as without a restart', () => {
    const first = createConversation({ codec: chat, policies: economyPolicies })
    first.next(ask(step('build', log)), { now: noon })
    first.accepted({ prompt_tokens: 900 })
    const state = JSON.parse(JSON.stringify(first.state()))
    const second = createConversation({ codec: chat, policies: economyPolicies, state })
    const later = ask(step('build', log), step('rebuild', log))
    const [one, other] = [first, second].map((each) => each.next(later, { now: noon + 1000 }))
    expect(other?.request).toEqual(one?.request)
    expect(other?.report).toEqual(one?.report)
    expect(other?.edits).toEqual(one?.edits)
  })

  it('forgets a request that the provider did not accept', () => {
    const conversation = createConversation({ codec: chat, policies: economyPolicies })
    const before = conversation.state()
    conversation.next(ask(step('build', log)), { now: noon })
    expect(conversation.state()).toEqual(before)
  })

  it("looks up the model's window, unless the configuration sets one", () => {
    const windows: (number | undefined)[] = []
    const look: Policy = {
      name: 'look',
      plan: (_messages, { config }) => {
        windows.push(config?.context_window)
        return []
      },
    }
    const conversation = createConversation({ codec: chat, policies: [look] })
    conversation.next({ ...ask(), model: 'gpt-4.1' }, { now: noon })
    conversation.next({ ...ask(), model: 'gpt-4.1' }, { now: noon, config: { context_window: 9000 } })
    conversation.next({ ...ask(), model: 'unknown-model' }, { now: noon })
    expect(windows).toEqual([modelFacts('gpt-4.1').window, 9000, defaultConfig.context_window])
  })

  it('counts tool definitions', () => {
    const conversation = createConversation({ codec: chat, policies: [] })
    const tools = [{ type: 'function', function: { name: 'bash', description: 'Runs a command. '.repeat(100) } }]
    const tokens = (request: object) => conversation.next({ ...ask(), ...request }, { now: noon }).report.load.tokens
    expect(tokens({ tools }) - tokens({})).toBeGreaterThan(300)
  })

  it('keeps a pinned message untrimmed, named by its index as in reports', () => {
    const steps = Array.from({ length: 7 }, (_, index) =>
      step(`s${index}`, `version ${index}`, 'read_file', { path: 'src/cart.ts' }),
    )
    const trimmed = (pins: readonly string[]) =>
      createConversation({ codec: chat, policies: specPolicies })
        .next(ask(...steps), { now: noon, pins })
        .report.edits.map(({ message }) => message)
    expect([trimmed([]), trimmed(['3'])]).toEqual([['3', '5'], ['5']])
  })

  it('leaves a request unchanged if the provider stores its history', () => {
    const request = deepFreeze({
      model: 'gpt-5',
      previous_response_id: 'resp_1',
      input: [{ type: 'function_call_output', call_id: 'c', output: log }],
    })
    expect(
      createConversation({ codec: codecs['openai-responses'], policies: economyPolicies }).next(request, { now: noon }).request,
    ).toBe(request)
  })
})

describe('createConversation, for models that sign the content before their reasoning', () => {
  /** Commands, each after signed reasoning. */
  const thoughts = (count: number) =>
    Array.from({ length: count }, (_, index) => [
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: `The build needs step ${index}.`, signature: `signed ${index}` },
          { type: 'tool_use', id: `t${index}`, name: 'bash', input: { command: `run ${index}` } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content: `text ${index} `.repeat(40) }] },
    ]).flat()
  const changed = (model: string) => {
    const conversation = createConversation({ codec: codecs.anthropic, policies: specPolicies })
    const request = (count: number) => ({ model, messages: [{ role: 'user', content: 'Fix the build.' }, ...thoughts(count)] })
    conversation.next(request(6), { now: noon })
    conversation.accepted()
    return conversation.next(request(8), { now: noon + 60 * minute }).report.edits.map(({ message }) => message)
  }

  it('never changes sent content of any age', () => {
    expect(changed('claude-opus-6')).toEqual([])
  })

  it('changes sent content if nothing is signed', () => {
    expect(changed('claude-sonnet-4-5')).toEqual(['2', '4', '6'])
  })

  it('still adds the result of an open call', () => {
    const messages = [{ role: 'user', content: 'Fix the build.' }, ...thoughts(1).slice(0, 1), { role: 'user', content: 'Stop.' }]
    const { request, report } = createConversation({ codec: codecs.anthropic, policies: specPolicies }).next(
      { model: 'claude-opus-6', messages },
      { now: noon },
    )
    expect(JSON.stringify(request.messages[2])).toContain('"tool_use_id":"t0"')
    expect(report.problems).toEqual([])
  })
})
