// The official `openai` package in a loop with tools.
//
//   OPENAI_API_KEY=… node examples/openai.ts
//
// OPENAI_BASE_URL, which the package reads automatically, sets another server.
import { codecs, createConversation, economyPolicies, recallTool } from '@plimsoll/core'
import OpenAI from 'openai'

const client = new OpenAI()
const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini'

// The full history, which only grows. Trimming affects only the requests.
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'system', content: 'You are a coding agent. Use the tools.' },
  { role: 'user', content: 'Run make. Why does the build fail?' },
]

const tools: OpenAI.ChatCompletionFunctionTool[] = [
  { name: 'bash', description: 'Runs a command.', parameters: { type: 'object', properties: { command: { type: 'string' } } } },
  { name: 'read_file', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  // With this tool the model recalls trimmed content, unchanged.
  { name: recallTool.name, description: recallTool.description, parameters: recallTool.inputSchema },
].map((definition) => ({ type: 'function', function: definition }))

const conversation = createConversation({ codec: codecs['openai-chat'], policies: economyPolicies })

for (let step = 1; step <= 20; step += 1) {
  const { request, report } = conversation.next({ model, messages, tools }, { now: Date.now() })
  console.log(`request ${step}: ${report.tokensBefore} tokens, sent as ${report.tokensAfter}`)
  for (const edit of report.edits) console.log(`  message ${edit.message}: ${edit.why}`)

  const answer = await client.chat.completions.create(request)
  conversation.accepted(answer.usage)

  const message = answer.choices[0]?.message
  if (message === undefined) throw new Error('the provider answered without a message')
  messages.push(message)
  if (message.tool_calls === undefined || message.tool_calls.length === 0) {
    console.log(`answer: ${message.content}`)
    break
  }
  for (const call of message.tool_calls) {
    if (call.type !== 'function') continue
    messages.push({ role: 'tool', tool_call_id: call.id, content: runTool(call.function.name, call.function.arguments) })
  }
}

/** Replace this with your own tools. */
function runTool(name: string, input: string): string {
  if (name === recallTool.name) return conversation.recall(input)
  if (name === 'read_file')
    return Array.from({ length: 120 }, (_, line) => `export const price${line} = ${line * 7} / quantity`).join('\n')
  const log = Array.from({ length: 2000 }, (_, line) => `compiled module ${line + 1}`)
  log[999] = 'src/cart.ts:12: error: quantity is not defined'
  return log.join('\n')
}
