// Anthropic's own package, with its prompt cache: the marks (`cache_control`) stay where you set them, and cached content is edited
// only when that is worth it.
//
//   ANTHROPIC_API_KEY=… node examples/anthropic.ts
//
// ANTHROPIC_BASE_URL, which the package reads automatically, sets another server.
import Anthropic from '@anthropic-ai/sdk'
import { codecs, createConversation, economyPolicies, recallTool } from '@plimsoll/core'

const client = new Anthropic()
const model = process.env['ANTHROPIC_MODEL'] ?? 'claude-sonnet-5'

const system: Anthropic.TextBlockParam[] = [
  { type: 'text', text: 'You are a coding agent. Use the tools.', cache_control: { type: 'ephemeral' } },
]

// The full history, which only grows. Trimming affects only the requests.
const messages: Anthropic.MessageParam[] = [
  { role: 'user', content: 'Read the modules in src, run make, and say why the build fails.' },
]

const tools: Anthropic.Tool[] = [
  { name: 'bash', description: 'Runs a command.', input_schema: { type: 'object', properties: { command: { type: 'string' } } } },
  { name: 'read_file', description: 'Reads a file.', input_schema: { type: 'object', properties: { path: { type: 'string' } } } },
  // With this tool the model recalls trimmed content, unchanged.
  { name: recallTool.name, description: recallTool.description, input_schema: recallTool.inputSchema },
]

// `auto` is the default, shown here for clarity. `immediate` applies all edits at once, even to cached content.
const conversation = createConversation({ codec: codecs.anthropic, policies: economyPolicies, timing: 'auto' })

for (let step = 1; step <= 40; step += 1) {
  const { request, report } = conversation.next(
    { model, max_tokens: 4000, system, tools, messages: withCacheMark(messages) },
    { now: Date.now() },
  )
  const { tokensBefore, tokensAfter, waiting, rules } = report
  console.log(`request ${step}: ${tokensBefore} tokens, sent as ${tokensAfter}; ${waiting.length} edits pending`)
  for (const [policy, sum] of Object.entries(rules))
    console.log(`  ${policy}: ${sum.edits} edits, ${sum.tokensSaved} tokens less`)

  const answer = await client.messages.create(request)
  conversation.accepted(answer.usage)

  messages.push({ role: 'assistant', content: answer.content })
  const calls = answer.content.filter((block) => block.type === 'tool_use')
  if (calls.length === 0) {
    console.log(`answer: ${answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}`)
    break
  }
  messages.push({
    role: 'user',
    content: calls.map(({ id, name, input }) => ({ type: 'tool_result', tool_use_id: id, content: runTool(name, input) })),
  })
}

/** Moves the cache mark to the end of the conversation, so that everything before it is read from the cache next time. */
function withCacheMark(history: readonly Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  return history.map((message, index) => {
    if (index < history.length - 1 || message.role !== 'user' || typeof message.content === 'string') return message
    const content = message.content.map((block, place, { length }) =>
      place === length - 1 && block.type === 'tool_result' ? { ...block, cache_control: { type: 'ephemeral' as const } } : block,
    )
    return { ...message, content }
  })
}

/** Replace this with your own tools. */
function runTool(name: string, input: unknown): string {
  if (name === recallTool.name) return conversation.recall(input)
  if (name === 'read_file')
    return Array.from({ length: 120 }, (_, line) => `export const price${line} = ${line * 7} / ${JSON.stringify(input)}`).join(
      '\n',
    )
  const log = Array.from({ length: 2000 }, (_, line) => `compiled module ${line + 1} for ${JSON.stringify(input)}`)
  log[999] = 'src/cart.ts:12: error: quantity is not defined'
  return log.join('\n')
}
