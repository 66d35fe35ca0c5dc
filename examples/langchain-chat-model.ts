// A chat model for LangChain over the `openai` package, so that the example needs no more packages than the repository has.
// In your project, use `import { ChatOpenAI } from '@langchain/openai'` instead.
import { BaseChatModel, type BaseChatModelCallOptions, type BindToolsInput } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, type StandardMessageStructure, ToolMessage } from '@langchain/core/messages'
import type { ChatResult } from '@langchain/core/outputs'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import OpenAI from 'openai'

interface CallOptions extends BaseChatModelCallOptions {
  readonly tools?: OpenAI.ChatCompletionFunctionTool[]
}

/** A model with OpenAI's chat completions API. */
export class OpenAIChat extends BaseChatModel<CallOptions> {
  readonly model: string
  readonly client = new OpenAI()

  constructor(model: string) {
    super({})
    this.model = model
  }

  override _llmType(): string {
    return 'openai'
  }

  override bindTools(tools: BindToolsInput[]) {
    return this.withConfig({ tools: tools.map((each) => convertToOpenAITool(each) as OpenAI.ChatCompletionFunctionTool) })
  }

  override async _generate(messages: BaseMessage[], { tools }: this['ParsedCallOptions']): Promise<ChatResult> {
    const completion = await this.client.chat.completions.create({
      model: this.model,
      messages: messages.map(chatMessage) as unknown as OpenAI.ChatCompletionMessageParam[],
      ...(tools === undefined ? {} : { tools }),
    })
    const text = completion.choices[0]?.message.content ?? ''
    const calls = (completion.choices[0]?.message.tool_calls ?? []).filter((call) => call.type === 'function')
    const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0, prompt_tokens_details } = completion.usage ?? {}
    const message = new AIMessage<StandardMessageStructure>({
      content: text,
      tool_calls: calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, args: JSON.parse(input) })),
      usage_metadata: {
        input_tokens: prompt_tokens,
        output_tokens: completion_tokens,
        total_tokens,
        input_token_details: { cache_read: prompt_tokens_details?.cached_tokens ?? 0 },
      },
    })
    return { generations: [{ text, message }] }
  }
}

/** A LangChain message in the format of OpenAI's chat completions. */
function chatMessage(message: BaseMessage): Readonly<Record<string, unknown>> {
  const { content } = message
  if (ToolMessage.isInstance(message)) return { role: 'tool', content, tool_call_id: message.tool_call_id }
  if (!AIMessage.isInstance(message)) return { role: message.type === 'human' ? 'user' : message.type, content }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}
