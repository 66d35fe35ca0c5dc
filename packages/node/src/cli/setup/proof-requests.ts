import type { WireDialect } from '../../store/wire-dialect.ts'

/** A request that proves something: its bytes, and where in them the long result stands. */
export interface ProofRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Bytes before and behind the text that may become another; null where nothing may. */
  readonly around: { readonly before: number; readonly behind: number } | null
}

/** A tiny request in a dialect, written as no library would write it: whoever reads and writes it again is found out. */
export function tinyRequest(dialect: WireDialect): ProofRequest {
  return { ...wayTo(dialect), body: Buffer.from(tiny[dialect]), around: null }
}

/** A request whose last message is a long answer of a tool, never sent before. */
export function longRequest(dialect: WireDialect, id: string): ProofRequest {
  const [before, behind] = long[dialect](id)
  const parts = [Buffer.from(before), Buffer.from(longText), Buffer.from(behind)]
  const [first, , last] = parts
  return {
    ...wayTo(dialect),
    body: Buffer.concat(parts),
    around: { before: first?.byteLength ?? 0, behind: last?.byteLength ?? 0 },
  }
}

/** What an upstream answers in a dialect: a word, and what it cost. */
export function proofAnswer(path: string): string {
  if (path.includes('/messages'))
    return '{"id":"msg_1","type":"message","role":"assistant","model":"doctor","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","usage":{"input_tokens":9,"output_tokens":1}}'
  if (path.includes('/chat/completions'))
    return '{"id":"c_1","object":"chat.completion","model":"doctor","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}'
  if (path.includes('/responses'))
    return '{"id":"r_1","object":"response","status":"completed","model":"doctor","output":[],"usage":{"input_tokens":9,"output_tokens":1,"total_tokens":10}}'
  return '{"candidates":[{"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10}}'
}

/** Without anything that JSON has to escape. */
const longText = Array.from({ length: 2000 }, (_, line) => `line ${line} of a long answer`).join(' / ')

function wayTo(dialect: WireDialect): Pick<ProofRequest, 'path' | 'headers'> {
  return { path: paths[dialect], headers: { 'content-type': 'application/json', ...keys[dialect] } }
}

const paths: Readonly<Record<WireDialect, string>> = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  gemini: '/v1beta/models/doctor:generateContent',
}

const keys: Readonly<Record<WireDialect, Readonly<Record<string, string>>>> = {
  anthropic: { 'x-api-key': 'doctor', 'anthropic-version': '2023-06-01' },
  'openai-chat': { authorization: 'Bearer doctor' },
  'openai-responses': { authorization: 'Bearer doctor' },
  gemini: { 'x-goog-api-key': 'doctor' },
}

const tiny: Readonly<Record<WireDialect, string>> = {
  anthropic: '{ "max_tokens":1 ,\n\t"model":"doctor","messages":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] }\n',
  'openai-chat': '{ "messages":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] ,\n\t"model":"doctor" }\n',
  'openai-responses': '{ "input":[{"content":"h\\u00e9 \\/ \u00e9","role":"user"}] ,\n\t"model":"doctor" }\n',
  gemini: '{ "contents":[{"parts":[{"text":"h\\u00e9 \\/ \u00e9"}],"role":"user"}] }\n',
}

const long: Readonly<Record<WireDialect, (id: string) => readonly [before: string, behind: string]>> = {
  anthropic: (id) => [
    `{ "model":"doctor" ,"max_tokens":1,"messages":[{"role":"user","content":"${id}"},{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"Bash","input":{"command":"seq 1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"`,
    '" } ]}] }\n',
  ],
  'openai-chat': (id) => [
    `{ "model":"doctor" ,"messages":[{"role":"user","content":"${id}"},{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","type":"function","function":{"name":"Bash","arguments":"{\\"command\\":\\"seq 1\\"}"}}]},{"role":"tool","tool_call_id":"${id}","content":"`,
    '" } ] }\n',
  ],
  'openai-responses': (id) => [
    `{ "model":"doctor" ,"input":[{"role":"user","content":"${id}"},{"type":"function_call","call_id":"${id}","name":"Bash","arguments":"{\\"command\\":\\"seq 1\\"}"},{"type":"function_call_output","call_id":"${id}","output":"`,
    '" } ] }\n',
  ],
  gemini: (id) => [
    `{ "contents":[{"role":"user","parts":[{"text":"${id}"}]},{"role":"model","parts":[{"functionCall":{"id":"${id}","name":"Bash","args":{"command":"seq 1"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"${id}","name":"Bash","response":{"output":"`,
    '" } }}]}] }\n',
  ],
}
