import { isDeepStrictEqual } from 'node:util'
import { applyEdits, type Edit } from '../../../packages/core/src/edit.ts'
import { patchValue } from '../../../packages/core/src/text/patch.ts'
import { createBodyReader } from '../../../packages/node/src/gateway/planner/read-body.ts'
import { spliceableEdits } from '../../../packages/node/src/gateway/planner/splice-view.ts'
import { understandRequest } from '../../../packages/node/src/gateway/planner/understand-request.ts'
import { spliceBytes } from '../../../packages/node/src/gateway/relay/plan-request.ts'
import { wireDialects } from '../../../packages/node/src/store/gateway-record.ts'
import { exampleRequests } from '../seeds.ts'
import { holds, type Target } from '../target.ts'
import { requests } from './sample-requests.ts'

const reader = createBodyReader({ maxBodies: 8, maxBytes: 100_000 })

/** A request's body in the gateway: parsed with what is cached of earlier ones, and spliced. */
export const gatewayBodyTarget: Target = {
  name: 'gateway-body',
  form: 'json',
  choices: 2,
  longest: 6000,
  slowness: 2,
  covers: [
    'packages/node/src/gateway/planner/read-body.ts',
    'packages/node/src/gateway/planner/read-body.ts',
    'packages/node/src/gateway/planner/splice-view.ts',
    'packages/node/src/gateway/planner/understand-request.ts',
    'packages/core/src/wire/identity.ts',
    'packages/core/src/text/patch',
  ],
  seeds: () => [...requests, ...exampleRequests()],
  check({ text, choices: [which = 0, where = 0] }) {
    const bytes = Buffer.from(text)
    const dialect = wireDialects[which % wireDialects.length] as (typeof wireDialects)[number]
    const list = { anthropic: 'messages', 'openai-chat': 'messages', 'openai-responses': 'input', gemini: 'contents' }[dialect]
    const parsed = parse(bytes.toString())
    const fresh = createBodyReader().read(bytes, list, 'somebody')
    // With a parser that has read other bodies before.
    const known = reader.read(bytes, list, 'somebody')
    holds((fresh === null) === (known === null), 'earlier bodies do not affect the result')
    if (fresh === null || known === null) {
      holds(!isObject(parsed) || isDeep(text), 'every object is read')
      return
    }
    holds(isDeepStrictEqual(fresh.value, parsed), 'a body is parsed like JSON')
    holds(isDeepStrictEqual(known.value, parsed), 'a body is parsed like JSON after other bodies')
    const understood = understandRequest({ dialect, model: null, body: bytes }, 'somebody', reader)
    if ('code' in understood) return
    const { body, reading, messages } = understood
    const edits = someEdits(messages, where)
    if (edits.length === 0) return
    const { splices, edits: possible } = spliceableEdits({ body, reading, messages }, edits)
    holds(splices !== null, 'all edits are placed')
    const spliced = spliceBytes(bytes, splices ?? [])
    holds(spliced !== null, 'splices are in order')
    const view = applyEdits(messages, possible)
    const wanted = patchValue(
      parsed,
      reading.patches(reading.messages.map((message, index) => ({ ...message, parts: view[index]?.parts ?? message.parts }))),
    )
    holds(
      isDeepStrictEqual(throughJson(JSON.parse((spliced ?? bytes).toString())), throughJson(wanted)),
      'the parsed splice equals the edited value',
    )
  },
}

function someEdits(messages: Parameters<typeof applyEdits>[0], where: number): readonly Edit[] {
  return messages.flatMap((message, index) =>
    message.parts.flatMap((part, place): readonly Edit[] =>
      part.type === 'tool-result' && (where >> (index % 8)) % 2 === 0
        ? [
            {
              id: `e${index}-${place}`,
              policy: 'test',
              kind: 'replace',
              message: message.id,
              part: place,
              with: { ...part, content: { type: 'text', text: 'short "\u2028\ud83d\ude00' } },
              why: 'tried',
            },
          ]
        : [],
    ),
  )
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether brackets nest deeper than in any request. Also counts those in strings, which only weakens the law. */
function isDeep(text: string): boolean {
  let depth = 0
  let most = 0
  for (const character of text) {
    if (character === '[' || character === '{') most = Math.max(most, (depth += 1))
    if (character === ']' || character === '}') depth -= 1
  }
  return most > 100
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}
