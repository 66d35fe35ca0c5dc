// A loop over fetch with only @plimsoll/core.
//
//   OPENAI_API_KEY=… node examples/hand-written-loop.ts
//
// OPENAI_BASE_URL sets another server with the chat completions API.
import { codecs, createConversation, economyPolicies, recallTool } from '@plimsoll/core'

const baseUrl = process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1'
const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini'

interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
  readonly tool_call_id?: string
}

interface ChatAnswer {
  readonly choices: readonly { readonly message: ChatMessage }[]
  readonly usage?: unknown
}

// The full history, which only grows. Trimming affects only the requests.
const messages: ChatMessage[] = [
  { role: 'system', content: 'You are a coding agent. Use the tools.' },
  { role: 'user', content: 'Run make. Why does the build fail?' },
]

const tools = [
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

  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env['OPENAI_API_KEY'] ?? ''}` },
    body: JSON.stringify(request),
  })
  if (!response.ok) throw new Error(`the provider answered ${response.status}: ${await response.text()}`)
  const answer = (await response.json()) as ChatAnswer
  conversation.accepted(answer.usage)

  const message = answer.choices[0]?.message
  if (message === undefined) throw new Error('the provider answered without a message')
  messages.push(message)
  if (message.tool_calls === undefined || message.tool_calls.length === 0) {
    console.log(`answer: ${message.content}`)
    break
  }
  for (const call of message.tool_calls) {
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
