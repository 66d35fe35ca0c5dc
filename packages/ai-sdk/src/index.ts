/** Plimsoll for the AI SDK. @packageDocumentation */
import { codecs, economyPolicies, handleOf, type Policy, type Report, recallTool } from '@plimsoll/core'
import { conversations } from '@plimsoll/core/hosts'
import { jsonSchema, type LanguageModelMiddleware, type Tool, tool } from 'ai'

export interface TrimContextOptions {
  /** Default: `economyPolicies`. */
  readonly policies?: readonly Policy[]
  /** Called with what each request shows, and why. */
  readonly onReport?: (report: Report) => void
}

export interface TrimmedContext {
  readonly middleware: LanguageModelMiddleware
  readonly recall: Tool<Readonly<Record<string, unknown>>, string>
}

/** The parts of a call of the model that are needed here. */
type Call = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['params']
type Model = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['model']

/**
 * Trims every request of a model, and gives a tool with which the model recalls what was trimmed. One middleware serves any number of conversations at
 * once. They are told apart by `providerOptions: { plimsoll: { conversation: 'ID' } }`, or else by their first messages.
 *
 * @example
 * const { middleware, recall } = trimContext()
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware })
 * await generateText({ model, tools: { recall, …yours }, prompt })
 */
export function trimContext({ policies = economyPolicies, onReport }: TrimContextOptions = {}): TrimmedContext {
  const all = conversations({ codec: codecs['ai-sdk'], policies })

  /** If anything fails, the request goes out as it is: an adapter must not end a user's call. */
  function prepare(params: Call, model: Model) {
    try {
      const conversation = all.of(`${model.modelId} ${keyOf(params)}`)
      const { request, report, sent } = conversation.next({ model: model.modelId, messages: params.prompt }, { now: Date.now() })
      onReport?.(report)
      return { params: { ...params, prompt: request.messages }, accepted: (usage: unknown) => conversation.accepted(usage, sent) }
    } catch {
      return { params, accepted: () => undefined }
    }
  }

  const middleware: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    async wrapGenerate({ params, model }) {
      const prepared = prepare(params, model)
      const result = await model.doGenerate(prepared.params)
      prepared.accepted(result.usage)
      return result
    },
    async wrapStream({ params, model }) {
      const prepared = prepare(params, model)
      const result = await model.doStream(prepared.params)
      const watched = new TransformStream<Streamed, Streamed>({
        transform(part, out) {
          if (part.type === 'finish') prepared.accepted(part.usage)
          out.enqueue(part)
        },
      })
      return { ...result, stream: result.stream.pipeThrough(watched) }
    },
  }
  const recall = tool({
    description: recallTool.description,
    inputSchema: jsonSchema<Readonly<Record<string, unknown>>>(recallTool.inputSchema),
    execute: (input) => all.recall(input),
  })
  return { middleware, recall }
}

type Streamed = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

function keyOf({ prompt, providerOptions }: Call): string {
  const named = providerOptions?.['plimsoll']?.['conversation']
  return typeof named === 'string' ? named : handleOf(JSON.stringify(prompt.slice(0, 2)))
}
