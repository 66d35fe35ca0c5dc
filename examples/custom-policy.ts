// A custom policy in addition to the built-in ones: it removes download progress lines from command output.
// docs/writing-a-policy.md has the rules for policies.
//
//   OPENAI_API_KEY=… node examples/custom-policy.ts
import {
  codecs,
  createConversation,
  type Edit,
  economyPolicies,
  handleOf,
  type Policy,
  resultText,
  toolResults,
} from '@plimsoll/core'
import OpenAI from 'openai'

// A policy is a pure function: from messages and facts to edits. It changes nothing itself.
const hideProgress: Policy = {
  name: 'hide-progress',
  plan(messages, facts) {
    const edits: Edit[] = []
    for (const { kind, message, part, partIndex } of toolResults(messages, facts)) {
      if (kind !== 'terminal' || facts.pins?.includes(message.id) === true) continue
      const text = resultText(part)
      const lines = text.split('\n')
      const left = lines.filter((line) => !/^\s*\S{1,200} +\d{1,3}%$/.test(line))
      const hidden = lines.length - left.length
      if (hidden < 10) continue
      // `recall` needs only the handle to return the original.
      const note = `[${hidden} lines of progress left out; recall ${handleOf(text)}]`
      edits.push({
        id: `hide-progress:${message.id}.${partIndex}`,
        policy: 'hide-progress',
        kind: 'replace',
        message: message.id,
        part: partIndex,
        with: { ...part, content: { type: 'text', text: [...left, note].join('\n') } },
        why: `${hidden} lines of progress`,
      })
    }
    return edits
  },
}

// First, so that the built-in policies see its output.
const conversation = createConversation({ codec: codecs['openai-chat'], policies: [hideProgress, ...economyPolicies] })

const layers = ['base', 'node', 'app'].flatMap((layer) => Array.from({ length: 100 }, (_, percent) => `${layer} ${percent + 1}%`))
const messages: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'Pull the image. Did it work?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_pull', type: 'function', function: { name: 'bash', arguments: '{"command":"docker pull app"}' } }],
  },
  { role: 'tool', tool_call_id: 'call_pull', content: ['Pulling app', ...layers, 'Status: downloaded newer image'].join('\n') },
]

const { request, report } = conversation.next(
  { model: process.env['OPENAI_MODEL'] ?? 'gpt-5-mini', messages },
  { now: Date.now() },
)
console.log(`${report.tokensBefore} tokens, sent as ${report.tokensAfter}`)
for (const edit of report.edits) console.log(`  message ${edit.message}: ${edit.policy}, ${edit.why}`)
console.log(request.messages.at(-1)?.content)

const answer = await new OpenAI().chat.completions.create(request)
conversation.accepted(answer.usage)
console.log(`answer: ${answer.choices[0]?.message.content}`)
