// Describes an unknown tool to Plimsoll in one row: policies go by the purpose of a tool, never by its name.
//
//   OPENAI_API_KEY=… node examples/custom-tool-row.ts
import { codecs, createConversation, specPolicies, type ToolRules } from '@plimsoll/core'
import OpenAI from 'openai'

// `fetch_document` reads, and its argument `doc` names what it reads, so repeated reads of one document are recognised.
const rows: readonly ToolRules[] = [
  { name: 'fetch_document', kind: 'file-read', about: (input) => (typeof input['doc'] === 'string' ? [input['doc']] : []) },
]

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Watch the price list. What is it now?' }]
for (let time = 1; time <= 7; time += 1) {
  const id = `call_fetch_${time}`
  const call = { name: 'fetch_document', arguments: '{"doc":"prices/today"}' }
  messages.push({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] })
  messages.push({ role: 'tool', tool_call_id: id, content: `as of ${time} o'clock: the price is ${90 + time} `.repeat(20) })
}

const model = process.env['OPENAI_MODEL'] ?? 'gpt-5-mini'
const policies = specPolicies
// The default placeholder for a trimmed result is the specification's, in Chinese.
const strings = { repeatedRead: '[an older copy: see the latest one below]' }

const unknown = createConversation({ codec: codecs['openai-chat'], policies }).next(
  { model, messages },
  { now: Date.now(), strings },
)
console.log(`without the row: ${unknown.report.tokensBefore} tokens, sent as ${unknown.report.tokensAfter}`)

const conversation = createConversation({ codec: codecs['openai-chat'], policies })
const { request, report } = conversation.next({ model, messages }, { now: Date.now(), strings, tools: rows })
console.log(`with the row: ${report.tokensBefore} tokens, sent as ${report.tokensAfter}`)
for (const edit of report.edits) console.log(`  message ${edit.message}: ${edit.policy}, ${edit.why}`)

const answer = await new OpenAI().chat.completions.create(request)
conversation.accepted(answer.usage)
console.log(`answer: ${answer.choices[0]?.message.content}`)
