// LangChain's agent with the middleware of @plimsoll/langchain, which trims each request.
//
//   OPENAI_API_KEY=… node examples/langchain.ts
//
// OPENAI_BASE_URL sets another server.
import { trimContext } from '@plimsoll/langchain'
import { createAgent, tool } from 'langchain'
import { OpenAIChat } from './langchain-chat-model.ts'

const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini'
let step = 0

const agent = createAgent({
  model: new OpenAIChat(model),
  systemPrompt: 'You are a coding agent. Use the tools.',
  // Replace these with your own tools.
  tools: [
    tool(
      () => {
        const log = Array.from({ length: 2000 }, (_, line) => `compiled module ${line + 1}`)
        log[999] = 'src/cart.ts:12: error: quantity is not defined'
        return log.join('\n')
      },
      { name: 'bash', description: 'Runs a command.', schema: { type: 'object', properties: { command: { type: 'string' } } } },
    ),
    tool(() => Array.from({ length: 120 }, (_, line) => `export const price${line} = ${line * 7} / quantity`).join('\n'), {
      name: 'read_file',
      description: 'Reads a file.',
      schema: { type: 'object', properties: { path: { type: 'string' } } },
    }),
  ],
  middleware: [
    trimContext({
      model,
      onReport: (report) => {
        step += 1
        console.log(`request ${step}: ${report.tokensBefore} tokens, sent as ${report.tokensAfter}`)
        for (const edit of report.edits) console.log(`  message ${edit.message}: ${edit.why}`)
      },
    }),
  ],
})

const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Run make. Why does the build fail?' }] })
console.log(`answer: ${messages.at(-1)?.text}`)
