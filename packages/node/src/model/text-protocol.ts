import type { Message, Part } from '@plimsoll/core'
import { isRecord, parseReact, reactText } from '@plimsoll/core/text'
import type { ModelAnswer, ModelRequest, ToolOffer } from './model-client.ts'
import type { CallOptions } from './model-prompt.ts'
import { sayingSomething } from './stream-answer.ts'

/** A request for a model that knows nothing of tools: they are described to it, and the conversation is one text. */
export function textRequest({ messages, tools, maxOutputTokens }: ModelRequest): Omit<CallOptions, 'abortSignal'> {
  const start = messages.findIndex((message) => message.role !== 'system' || message.summary === true)
  const head = messages.slice(0, start < 0 ? messages.length : start)
  const system = [...head.map(textOf), protocolText(tools)].filter((text) => text !== '').join('\n\n')
  return {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: reactText(messages.slice(head.length)) }] },
    ],
    maxOutputTokens,
    // What a tool answers is not for the model to make up.
    stopSequences: ['\n[tool]', '\nObservation:'],
  }
}

/**
 * The answer to such a request as parts: what it thought, what it said, and the tools it asks for, with ids made from `seed`. What
 * it made up about their results is left out.
 */
export function textAnswer({ parts: given, finish, usage }: ModelAnswer, seed: string): ModelAnswer {
  const written = given.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const thoughts = given.filter((part) => part.type === 'reasoning')
  const { thought, actions, finish: answer, malformed } = parseReact(written)
  const calls = [...actions, ...(actions.length === 0 && answer === null ? malformed.map(asCall) : [])]
  const parts: Part[] = [...thoughts]
  const isThought = calls.length > 0 || answer !== null
  if (thought !== null) parts.push({ type: isThought && beginsAsThought(written) ? 'reasoning' : 'text', text: thought })
  if (answer !== null && answer !== '') parts.push({ type: 'text', text: answer })
  calls.forEach(({ tool, input }, index) => parts.push({ type: 'tool-call', callId: `call_${seed}_${index}`, tool, input }))
  if (finish === 'length' || finish === 'content-filter') return { parts, finish, usage }
  return sayingSomething({ parts, finish: calls.length > 0 ? 'tool-calls' : finish, usage })
}

function beginsAsThought(text: string): boolean {
  return /^\s*(?:\[assistant\]\s*)?\*{0,2}thought\*{0,2}\s{0,5}[:：]/i.test(text.slice(0, 200))
}

function protocolText(tools: readonly ToolOffer[]): string {
  return [
    'You work step by step. The conversation is one text; each turn begins with its role in brackets: [user], [assistant], [tool], [system] or [summary]. Answer with your next step only, in this form:',
    'Thought: what you think and why',
    'Action: ToolName[{"argument": "value"}]',
    'The argument of a tool is one JSON object in square brackets. Several Action lines may follow one Thought when none needs the result of another. Stop after your actions: what the tools answer comes as [tool] turns, which you never write yourself. When the task is done, answer the user with:',
    'Thought: why nothing is left to do',
    'Action: Finish[your answer to the user]',
    tools.length === 0 ? 'There are no tools.' : `Tools:\n${tools.map(toolText).join('\n')}`,
  ].join('\n')
}

function toolText({ name, description, inputSchema }: ToolOffer): string {
  return `- ${name}: ${description.trim()}\n  Arguments, as JSON Schema: ${JSON.stringify(schemaFields(inputSchema))}`
}

/** What a model needs of a schema in order to write arguments. */
function schemaFields({ properties, required, ...rest }: ToolOffer['inputSchema']): unknown {
  if (!isRecord(properties)) return { properties, required, ...rest }
  return { properties, ...(Array.isArray(required) && required.length > 0 ? { required } : {}) }
}

/** A line that should have been an action: what it names is called with what it says, so that the model is told what is wrong. */
function asCall(line: string): { readonly tool: string; readonly input: unknown } {
  const [, tool, input] = /[:：]\*{0,2}\s*([\w.-]{1,64})\s*(.{0,200})/.exec(line) ?? []
  return { tool: tool ?? 'Action', input: input ?? line }
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
