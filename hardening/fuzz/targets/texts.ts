import { isDeepStrictEqual } from 'node:util'
import { parseSummary } from '../../../packages/core/src/compaction/parse-summary.ts'
import { shellCommands } from '../../../packages/core/src/compaction/shell-commands.ts'
import { parseReactTurns } from '../../../packages/core/src/testing/parse-react-turns.ts'
import { isNestedDeeper } from '../../../packages/core/src/text/json.ts'
import { parseReact } from '../../../packages/core/src/wire/dialects/parse-react.ts'
import { reactText } from '../../../packages/core/src/wire/dialects/react.ts'
import { closeJson, findJsonExcess } from '../../../packages/node/src/files/json-excess.ts'
import { findJsonFault } from '../../../packages/node/src/files/json-fault.ts'
import { mentionsIn } from '../../../packages/node/src/shared/mentions.ts'
import { redactSecrets } from '../../../packages/node/src/shared/redact/redact.ts'
import { holds, type Target } from '../target.ts'

/** Parsers of free text: secrets, steps, mentions, truncated or invalid JSON, summaries. */
export const textsTarget: Target = {
  name: 'texts',
  form: 'text',
  choices: 1,
  longest: 3000,
  covers: [
    'packages/node/src/shared/redact/',
    'packages/node/src/shared/mentions.ts',
    'packages/core/src/text/',
    'packages/core/src/text/json.ts',
    'packages/core/src/compaction/parse-summary.ts',
    'packages/core/src/compaction/shell-commands.ts',
    'packages/node/src/files/json-excess.ts',
    'packages/node/src/files/json-',
  ],
  seeds: () => [
    'password = "hunter2hunter2"\nAPI_KEY=abcdefghijklmnopqrstuvwxyz\nAuthorization: Bearer abc.def.ghi-jkl_mno',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\nhttps://user:pass@host/path?token=abcdef123456',
    'Thought: look\nAction: Read[{"path":"a[1].ts"}]\n\n[tool] {"status": "success", "data": "x"}\n\n[user] go',
    'Action: Finish[done]\n[assistant] Thought: x',
    'see @src/a.ts and @"with space.md", mail me@example.com @../x',
    '{"a":[1,{"b":"x\\"y"},[2,3',
    '[{"a":1},{"b":2},{"c":',
    '## Goal\n- fix\n## Files\n- a.ts\n```\ncode\n```\n',
    'cd /tmp && npm test | tee log; git commit -m "x" > out 2>&1',
  ],
  words: [
    'Action: ',
    'Thought: ',
    '[user] ',
    '[tool] ',
    'Finish[',
    '@"',
    'Bearer ',
    'sk-ant-',
    'ghp_',
    '\\n',
    '%3D',
    '\u001b[32m',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'password=',
    '## ',
  ],
  maxSteps: 2500,
  check({ text, choices: [cut = 0] }) {
    const redacted = redactSecrets(text)
    holds(redactSecrets(redacted) === redacted, 'redacting twice changes nothing more')
    mentionsIn(text)
    parseReact(text)
    parseReactTurns(text)
    parseSummary(text)
    shellCommands(text)
    checkReact(text)
    const isJson = parses(text)
    holds((findJsonFault(text) === null) === isJson, 'a fault is found exactly if the text is not JSON')
    if (isJson) {
      const depth = 1 + (cut % 6)
      holds(
        (findJsonExcess(text, { depth, values: 1e9 }) !== null) === isNestedDeeper(text, depth) || text.length <= depth,
        'two ways to measure depth agree',
      )
      const torn = text.slice(0, cut % (text.length + 1))
      const closed = closeJson(torn)
      if (closed !== null) holds(parses(closed), 'truncated JSON is closed correctly')
    } else closeJson(text)
  },
}

/** Text survives the text format. */
function checkReact(text: string): void {
  const written = reactText([
    { id: '1', role: 'user', parts: [{ type: 'text', text }] },
    { id: '2', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Read', input: { text } }] },
    { id: '3', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'text', text } }] },
    { id: '4', role: 'user', parts: [{ type: 'text', text: 'next' }] },
  ])
  const turns = parseReactTurns(written)
  holds(
    isDeepStrictEqual(
      turns.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    ),
    'no quoted text starts a new turn',
  )
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
