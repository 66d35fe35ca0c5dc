import { isDeepStrictEqual } from 'node:util'
import { defaultConfig } from '../../../packages/core/src/policies.ts'
import { compactRequest } from '../../../packages/node/src/gateway/compaction/compact-request.ts'
import { repeatedBody } from '../../../packages/node/src/gateway/keep-alive/repeated-body.ts'
import { holds, type Target } from '../target.ts'

/** What a client asks the gateway to do beside relaying: to compact, with items of earlier answers, and to repeat a request. */
export const compactionItemsTarget: Target = {
  name: 'compaction-items',
  form: 'json',
  choices: 2,
  longest: 6000,
  slowness: 2,
  covers: ['packages/node/src/gateway/compaction/', 'packages/node/src/gateway/keep-alive/repeated-body.ts'],
  seeds: () => [
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"context_management":{"edits":[{"type":"clear_tool_uses_20250919"},{"type":"compact_20260112","pause_after_compaction":true,"trigger":{"type":"input_tokens","value":50000},"instructions":"tests"}]}}',
    '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"compaction","content":"# Summary\\nrecall 0123456789ab"},{"type":"text","text":"b"}]},{"role":"user","content":"c"}],"context_management":{"edits":[{"type":"compact_20260112"}]}}',
    '{"model":"m","input":[{"role":"user","content":"a"},{"type":"compaction","encrypted_content":"plimsoll:x"},{"type":"function_call","call_id":"k","name":"ls","arguments":"{}"},{"type":"function_call_output","call_id":"k","output":"x"}],"context_management":[{"type":"compaction","compact_threshold":1000}]}',
    '{"model":"m","max_tokens":9,"tools":[{"name":"ls"},{"type":"web_search_20260209","name":"s"}],"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"a"}]}',
  ],
  words: ['compact_20260112', 'compaction', 'encrypted_content', 'compact_threshold', 'mcp_servers', 'container', 'max_tokens'],
  check({ text: given, choices: [which = 0, kind = 0] }) {
    const body = Buffer.from(given)
    // A body has no unpaired surrogates.
    const text = body.toString()
    const dialect = which % 2 === 0 ? 'anthropic' : 'openai-responses'
    const asked = {
      dialect,
      kind: (['generate', 'compact', 'count'] as const)[kind % 3] ?? 'generate',
      isManagedUpstream: false,
    } as const
    const found = compactRequest({ ...asked, mode: 'safe', body, at: 1_700_000_000_000 }, defaultConfig)
    holds(compactRequest({ ...asked, mode: 'observe', body, at: 0 }, defaultConfig) === null, 'observe compacts nothing')
    if (found !== null) {
      const [before, after] = [objectIn(text), objectIn(Buffer.from(found.body).toString())]
      holds(before !== null && after !== null, 'what is sent is an object')
      const list = dialect === 'anthropic' ? 'messages' : 'input'
      const others = (value: object) => Object.entries(value).filter(([key]) => key !== list && key !== 'context_management')
      holds(isDeepStrictEqual(others(before ?? {}), others(after ?? {})), 'only the list and what was asked for change')
      const once = compactRequest({ ...asked, mode: 'safe', body: Buffer.from(text), at: 1_700_000_000_000 }, defaultConfig)
      holds(isDeepStrictEqual(once, found), 'the same request is compacted in the same way')
    }
    const again = repeatedBody(body)
    if (again === null) return
    const [before, after] = [objectIn(text), objectIn(again.toString())]
    holds(isDeepStrictEqual({ ...before, max_tokens: 1 }, after), 'a repeated request differs in its limit alone')
    holds(
      !/"type"\s*:\s*"(?:web_|code_|mcp)/.test(JSON.stringify(after?.['tools'] ?? [])),
      'no tool of the provider is asked again',
    )
    const names = topNames(text)
    const read = ['tools', 'messages', 'mcp_servers', 'container', 'context_management', 'thinking']
    holds(
      read.every((name) => names.filter((each) => each === name).length < 2),
      'no field that was judged is there twice',
    )
  },
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}

/** The names of the fields of an object as they are written, in order, with repetitions. */
function topNames(text: string): readonly string[] {
  const names: string[] = []
  let depth = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && /^\s*:/.test(text.slice(index + token.length))) names.push(JSON.parse(token) as string)
  }
  return names
}
