import {
  generateText,
  jsonSchema,
  type LanguageModelUsage,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import { aiSdkModels } from '../../packages/node/src/gateway/testing/ai-sdk-models.ts'
import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'
import { type Client, type ClientAnswers, type ClientCall, maxRounds } from './client.ts'
import { runTool, task } from './task.ts'

type Provider = keyof ReturnType<typeof aiSdkModels>

/** The AI SDK, which runs the tool loop itself, with each of its providers. */
export const aiSdkClients: readonly Client[] = (
  [
    ['openai', 'openai-chat'],
    ['openai-responses', 'openai-responses'],
    ['openai-compatible', 'openai-chat'],
    ['anthropic', 'anthropic'],
    ['google', 'gemini'],
  ] as const satisfies readonly (readonly [Provider, WireDialect])[]
).map(([provider, dialect]) => ({ name: `ai-sdk ${provider}`, dialect, run: (call) => run(provider, call) }))

async function run(provider: Provider, { url, key, isStreamed, signal, onPiece }: ClientCall): Promise<ClientAnswers> {
  const calls: string[] = []
  const question = {
    model: aiSdkModels(url, key)[provider],
    instructions: task.system,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: task.question },
          { type: 'file', data: task.image, mediaType: 'image/png' },
        ],
      },
    ] satisfies ModelMessage[],
    tools: toolSet(calls),
    stopWhen: stepCountIs(maxRounds),
    maxRetries: 0,
    // Otherwise the provider would keep the history, and requests would not contain it.
    providerOptions: { openai: { store: false } },
    ...(signal === undefined ? {} : { abortSignal: signal }),
  }
  if (!isStreamed) {
    const { steps } = await generateText(question)
    return answersOf(steps, calls)
  }
  const failures: unknown[] = []
  const stream = streamText({
    ...question,
    onError: ({ error }) => {
      failures.push(error)
    },
  })
  for await (const piece of stream.textStream) if (piece !== '') onPiece?.()
  // A failed stream ends normally and only reports the error.
  if (failures.length > 0) throw failures[0] as Error
  return answersOf(await stream.steps, calls)
}

function answersOf(
  steps: readonly { readonly text: string; readonly usage: LanguageModelUsage }[],
  calls: readonly string[],
): ClientAnswers {
  return { text: steps.map(({ text }) => text).join(''), calls, usage: steps.map(({ usage }) => usage) }
}

function toolSet(calls: string[]): ToolSet {
  const tools: ToolSet = {}
  for (const { name, description, argument } of task.tools) {
    tools[name] = tool({
      description,
      inputSchema: jsonSchema<Readonly<Record<string, string>>>({
        type: 'object',
        properties: { [argument]: { type: 'string' } },
        required: [argument],
        additionalProperties: false,
      }),
      execute: (input) => {
        calls.push(`${name} ${JSON.stringify(input)}`)
        return runTool(name, input)
      },
    })
  }
  return tools
}
