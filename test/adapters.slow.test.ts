import { readFileSync } from 'node:fs'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage as CoreAIMessage, type BaseMessage as CoreMessage } from '@langchain/core/messages'
import { handleOf } from '@plimsoll/core'
import { generateText, jsonSchema, type LanguageModel, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { createAgent, tool as langchainTool } from 'langchain'
import { describe, expect, it } from 'vitest'
import { trimContext as trimForAiSdk } from '../packages/ai-sdk/src/index.ts'
import { trimContext as trimForLangchain } from '../packages/langchain/src/index.ts'
import { trimContext as trimForMastra } from '../packages/mastra/src/index.ts'
import { trimContext as trimForAgents } from '../packages/openai-agents/src/index.ts'
import { adapters } from './pack-packages.ts'
import { root } from './source-files.ts'
import { loadTool } from './tools/tool-path.ts'

const agents = await loadTool('@openai/agents')
const mastra = await loadTool('@mastra/core/agent')

// Each adapter runs inside the real framework, with a model that answers by a script and records what it was asked.

/** Each conversation builds twice: the second time its lines are already shown. */
const outputOf = (name: string) =>
  Array.from({ length: 900 }, (_, line) =>
    line === 700 ? `src/cart.ts(12,3): error TS2304: ${name} is not defined` : `${name} ${line}`,
  ).join('\n')
const names = ['apples', 'pears', 'plums']
const calls = (name: string) => [
  { tool: 'bash', input: { command: `make ${name}` } },
  { tool: 'bash', input: { command: `make ${name}` } },
  { tool: 'recall', input: { handle: handleOf(outputOf(name)), lines: '500-500' } },
]
const commandTo = (input: unknown) => outputOf((input as { command: string }).command.replace('make ', ''))

/** What a model was asked, as JSON of the messages: four times in each conversation. */
function check(asked: ReadonlyMap<string, readonly (readonly unknown[])[]>): void {
  for (const name of names) {
    const requests = asked.get(name) ?? []
    expect(requests.length).toBe(4)
    const [, second = [], third = [], last = []] = requests.map((messages) => messages.map((message) => JSON.stringify(message)))
    expect(second.join('').length).toBeLessThan(6000)
    expect(second.join('')).toContain(`error TS2304: ${name} is not defined`)
    expect(second.join('')).toContain(`recall ${handleOf(outputOf(name))}`)
    // What was sent stays.
    expect(third.slice(0, second.length)).toEqual(second)
    expect(last.slice(0, third.length)).toEqual(third)
    expect(last.slice(third.length).join('')).toContain(`${name} 499`)
    for (const other of names) if (other !== name) expect(last.join('')).not.toContain(other)
  }
}

function record(asked: Map<string, (readonly unknown[])[]>, messages: readonly unknown[]) {
  const text = JSON.stringify(messages)
  const name = names.find((one) => text.includes(`Build ${one}`)) ?? ''
  const requests = asked.get(name) ?? []
  asked.set(name, [...requests, messages])
  return { name, step: calls(name)[requests.length] }
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}

/** A model of the AI SDK. */
function scriptedModel(asked: Map<string, (readonly unknown[])[]>) {
  let id = 0
  const contentFor = (prompt: readonly unknown[]) => {
    const { step } = record(asked, prompt)
    id += 1
    return step === undefined
      ? { content: [{ type: 'text', text: 'done' }], reason: 'stop' }
      : {
          content: [{ type: 'tool-call', toolCallId: `call_${id}`, toolName: step.tool, input: JSON.stringify(step.input) }],
          reason: 'tool-calls',
        }
  }
  const finishReason = (reason: string) => ({ unified: reason, raw: reason })
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'gpt-5-mini',
    supportedUrls: {},
    async doGenerate({ prompt }: { prompt: readonly unknown[] }) {
      const { content, reason } = contentFor(prompt)
      return { content, finishReason: finishReason(reason), usage, warnings: [] }
    },
    async doStream({ prompt }: { prompt: readonly unknown[] }) {
      const { content, reason } = contentFor(prompt)
      const parts: object[] = [{ type: 'stream-start', warnings: [] }]
      for (const part of content)
        parts.push(
          ...(part.type === 'text'
            ? [
                { type: 'text-start', id: 't' },
                { type: 'text-delta', id: 't', delta: 'done' },
                { type: 'text-end', id: 't' },
              ]
            : [part]),
        )
      parts.push({ type: 'finish', finishReason: finishReason(reason), usage })
      return { stream: ReadableStream.from(parts) }
    },
  }
}

describe('the adapter for the AI SDK', () => {
  const open = () => {
    const asked = new Map<string, (readonly unknown[])[]>()
    const { middleware, recall } = trimForAiSdk()
    const scripted = scriptedModel(asked) as unknown as Parameters<typeof wrapLanguageModel>[0]['model']
    const model: LanguageModel = wrapLanguageModel({ model: scripted, middleware })
    const bash = tool({
      description: 'Runs a command.',
      inputSchema: jsonSchema<{ command: string }>({ type: 'object', properties: { command: { type: 'string' } } }),
      execute: commandTo,
    })
    return { asked, model, tools: { bash, recall } }
  }
  const until = stepCountIs(10)

  it('trims three conversations at once on one model', async () => {
    const { asked, model, tools } = open()
    const answers = await Promise.all(
      names.map((name) => generateText({ model, tools, stopWhen: until, prompt: `Build ${name}.` })),
    )
    expect(answers.map(({ text }) => text)).toEqual(['done', 'done', 'done'])
    // The SDK's own steps have the originals.
    expect(JSON.stringify(answers[0]?.steps)).toContain('apples 450')
    check(asked)
  })

  it('trims streams', async () => {
    const { asked, model, tools } = open()
    await Promise.all(names.map(async (name) => streamText({ model, tools, stopWhen: until, prompt: `Build ${name}.` }).text))
    check(asked)
  })

  it('tells conversations with the same start apart by their name, and survives a policy that throws', async () => {
    const asked = new Map<string, (readonly unknown[])[]>()
    const policies = [
      {
        name: 'broken',
        plan: () => {
          throw new Error('broken')
        },
      },
    ]
    const { middleware } = trimForAiSdk({ policies })
    const model = wrapLanguageModel({
      model: scriptedModel(asked) as unknown as Parameters<typeof wrapLanguageModel>[0]['model'],
      middleware,
    })
    const providerOptions = { plimsoll: { conversation: 'one' } }
    const { tools } = open()
    expect((await generateText({ model, tools, stopWhen: until, prompt: 'Build apples.', providerOptions })).text).toBe('done')
    expect(JSON.stringify(asked.get('apples')?.at(-1))).toContain('apples 450')
  })
})

class ScriptedChatModel extends BaseChatModel {
  readonly asked: Map<string, (readonly unknown[])[]>
  constructor(asked: Map<string, (readonly unknown[])[]>) {
    super({})
    this.asked = asked
  }
  _llmType() {
    return 'scripted'
  }
  override bindTools() {
    return this
  }
  async _generate(messages: CoreMessage[]) {
    const { name, step } = record(
      this.asked,
      messages
        .map((message) => message.toDict().data)
        .map(({ content, tool_calls }: { content: unknown; tool_calls?: unknown }) => ({ content, tool_calls })),
    )
    const id = `${name}_${this.asked.get(name)?.length}`
    const message = new CoreAIMessage({
      id: `answer_${id}`,
      content: step === undefined ? 'done' : '',
      tool_calls: step === undefined ? [] : [{ id, name: step.tool, args: step.input }],
      usage_metadata: { input_tokens: 100, output_tokens: 5, total_tokens: 105 },
    } as never)
    return { generations: [{ text: '', message }] }
  }
}

describe('the adapter for LangChain', () => {
  it('trims three threads at once with one middleware, and leaves the state whole', async () => {
    const asked = new Map<string, (readonly unknown[])[]>()
    const bash = langchainTool(commandTo, {
      name: 'bash',
      description: 'Runs a command.',
      schema: { type: 'object', properties: { command: { type: 'string' } } },
    })
    const agent = createAgent({
      model: new ScriptedChatModel(asked),
      tools: [bash],
      middleware: [trimForLangchain({ model: 'gpt-5-mini' })],
    })
    const states = await Promise.all(
      names.map((name) =>
        agent.invoke({ messages: [{ role: 'user', content: `Build ${name}.` }] }, { configurable: { thread_id: name } }),
      ),
    )
    expect(states[0]?.messages.some(({ text }) => text === outputOf('apples'))).toBe(true)
    check(asked)
  })
})

describe.runIf(agents !== null)('the adapter for the OpenAI Agents SDK', () => {
  it.each(['whole', 'streamed'] as const)('trims three runs at once with one provider, with %s answers', async (how) => {
    const { Agent, Runner, tool: agentTool, setTracingDisabled, Usage } = agents as Agents
    setTracingDisabled(true)
    const asked = new Map<string, (readonly unknown[])[]>()
    const model = {
      async getResponse({ input }: { input: readonly unknown[] | string }) {
        const { name, step } = record(asked, typeof input === 'string' ? [{ role: 'user', content: input }] : input)
        const callId = `${name}_${asked.get(name)?.length}`
        const output =
          step === undefined
            ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }
            : { type: 'function_call', callId, name: step.tool, arguments: JSON.stringify(step.input), status: 'completed' }
        return { output: [output], usage: new Usage({ requests: 1, inputTokens: 100, outputTokens: 5, totalTokens: 105 }) }
      },
      async *getStreamedResponse(request: { input: readonly unknown[] | string }) {
        const { output, usage: counted } = await model.getResponse(request)
        yield { type: 'response_started' }
        yield { type: 'response_done', response: { id: 'r', output, usage: { ...counted } } }
      },
    }
    const { provider, recall } = trimForAgents({ getModel: () => model })
    const bash = agentTool({
      name: 'bash',
      description: 'Runs a command.',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
        additionalProperties: false,
      },
      strict: false,
      execute: commandTo,
    })
    const agent = new Agent({ name: 'Builder', instructions: 'Build.', model: 'gpt-5-mini', tools: [bash, agentTool(recall)] })
    const runner = new Runner({ modelProvider: provider })
    const answers = await Promise.all(
      names.map(async (name) => {
        const run = await runner.run(agent, [{ role: 'user', content: `Build ${name}.` }], { stream: how === 'streamed' })
        await run.completed
        return run
      }),
    )
    expect(answers.map(({ finalOutput }) => finalOutput)).toEqual(['done', 'done', 'done'])
    expect(JSON.stringify(answers[0]?.history)).toContain('apples 450')
    check(asked)
  })
})

interface Agents {
  readonly Agent: new (options: object) => object
  readonly Runner: new (
    options: object,
  ) => {
    run: (
      agent: object,
      input: readonly object[],
      options: { readonly stream: boolean },
    ) => Promise<{ finalOutput: unknown; history: unknown; completed?: Promise<void> }>
  }
  readonly tool: (options: object) => object
  readonly Usage: new (usage: object) => object
  readonly setTracingDisabled: (value: boolean) => void
}

describe.runIf(mastra !== null)('the adapter for Mastra', () => {
  it('trims three runs at once with one processor', async () => {
    const { Agent } = mastra as { Agent: MastraAgent }
    const { createTool } = (await loadTool('@mastra/core/tools')) as { createTool: (options: object) => object }
    const asked = new Map<string, (readonly unknown[])[]>()
    const { processor, recall } = trimForMastra()
    const bash = createTool({
      id: 'bash',
      description: 'Runs a command.',
      inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
      execute: async (input: unknown) => commandTo(input),
    })
    const model = { ...scriptedModel(asked), specificationVersion: 'v3' }
    const agent = new Agent({
      id: 'builder',
      name: 'Builder',
      instructions: 'Build.',
      model,
      tools: { bash, recall: createTool(recall) },
      inputProcessors: [processor],
    })
    const answers = await Promise.all(names.map((name) => agent.generate(`Build ${name}.`, { maxSteps: 10 })))
    expect(answers.map(({ text }) => text)).toEqual(['done', 'done', 'done'])
    check(asked)
  })
})

type MastraAgent = new (options: object) => { generate: (prompt: string, options: object) => Promise<{ text: string }> }

it('every adapter has at most a hundred lines of code', () => {
  const lines = (text: string) => text.split('\n').filter((line) => !/^\s*(?:\/[/*]|\*|$)/.test(line)).length
  const sizes = adapters.map((name) => lines(readFileSync(`${root}/packages/${name}/src/index.ts`, 'utf8')))
  expect(sizes.filter((size) => size < 10 || size > 100)).toEqual([])
})
