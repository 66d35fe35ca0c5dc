// The AI SDK runs the loop itself and calls `prepareStep` before each request.
//
//   OPENAI_API_KEY=… node examples/ai-sdk.ts
//
// OPENAI_BASE_URL, which the provider's package reads automatically, sets another server.
import { openai } from '@ai-sdk/openai'
import { codecs, createConversation, economyPolicies, recallTool } from '@plimsoll/core'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'

const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini'
const conversation = createConversation({ codec: codecs['ai-sdk'], policies: economyPolicies, model })

const { text } = await generateText({
  model: openai.chat(model),
  instructions: 'You are a coding agent. Use the tools.',
  messages: [{ role: 'user', content: 'Run make. Why does the build fail?' }],
  stopWhen: stepCountIs(20),

  prepareStep({ stepNumber, instructions, initialMessages, responseMessages }) {
    // The next step gets the `messages` that a step returns, so the full history must be assembled each time.
    const messages = [...initialMessages, ...responseMessages]
    const { request, report } = conversation.next({ instructions, messages }, { now: Date.now() })
    console.log(`request ${stepNumber + 1}: ${report.tokensBefore} tokens, sent as ${report.tokensAfter}`)
    for (const edit of report.edits) console.log(`  message ${edit.message}: ${edit.why}`)
    return { messages: request.messages }
  },
  onStepEnd({ usage }) {
    conversation.accepted(usage)
  },

  tools: {
    // Replace these with your own tools.
    bash: tool({
      description: 'Runs a command.',
      inputSchema: jsonSchema<{ command: string }>({ type: 'object', properties: { command: { type: 'string' } } }),
      execute() {
        const log = Array.from({ length: 2000 }, (_, line) => `compiled module ${line + 1}`)
        log[999] = 'src/cart.ts:12: error: quantity is not defined'
        return log.join('\n')
      },
    }),
    read_file: tool({
      description: 'Reads a file.',
      inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
      execute: () => Array.from({ length: 120 }, (_, line) => `export const price${line} = ${line * 7} / quantity`).join('\n'),
    }),
    // With this tool the model recalls trimmed content, unchanged.
    [recallTool.name]: tool({
      description: recallTool.description,
      inputSchema: jsonSchema(recallTool.inputSchema),
      execute: (input) => conversation.recall(input),
    }),
  },
})

console.log(`answer: ${text}`)
