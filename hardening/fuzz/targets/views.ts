import { isDeepStrictEqual } from 'node:util'
import { applyEdits } from '../../../packages/core/src/edit.ts'
import { buildView } from '../../../packages/core/src/engine/build-view.ts'
import type { Message, Part } from '../../../packages/core/src/message.ts'
import { economyPolicies } from '../../../packages/core/src/policies/economy-policies.ts'
import { pairToolCalls } from '../../../packages/core/src/policies/pair-tool-calls.ts'
import { specPolicies } from '../../../packages/core/src/policies/spec-policies.ts'
import { checkView } from '../../../packages/core/src/results/invariants.ts'
import { holds, type Target } from '../target.ts'

const lists = [
  specPolicies,
  [pairToolCalls],
  [pairToolCalls, ...economyPolicies],
  [...specPolicies, ...economyPolicies.filter(({ name }) => !specPolicies.some((other) => other.name === name))],
] as const
const timings = ['immediate', 'economic', 'auto'] as const

/**
 * Views of conversations that no agent would write. A letter of the input is a message or a part of one: `u` and `s` are user and system
 * messages, `a` starts an assistant message, `c` with a digit is a call, `t` starts a tool message, `r` with a digit is a result, and so on.
 */
export const viewsTarget: Target = {
  name: 'views',
  form: 'text',
  choices: 4,
  longest: 120,
  slowness: 10,
  covers: ['packages/core/src/'],
  seeds: () => [
    'sUac1tr1aTu',
    'uac1c2tr1tr2aTUac3tr3ac3tr3aT',
    'uac1ac2tr2tr1tr1u',
    'tr1ac1tr9txac2p3u',
    'uac1trLaTuac1trLaTuac1trLaT',
    'sSuaRTc1c2tr1r2mMu',
    'uac1tbaTu',
    'Kuac1tr1aTKu',
    'uaW1tr1aW2tr2aW1tr1aTuuu',
  ],
  words: ['ac1tr1', 'ac2tr2', 'aT', 'uac3tr3', 'tx', 'p1', 'rL', 'aR', 'K', 'W1', 'ae1', 'L'],
  check({ text, choices: [which = 0, window = 0, when = 0, split = 0] }) {
    const messages = conversationOf(text)
    if (new Set(messages.map(({ id }) => id)).size < messages.length) return
    const policies = lists[which % lists.length] as (typeof lists)[number]
    const facts = {
      now: 10_000_000,
      root: '/home/sam',
      config: {
        context_window: window % 2 === 0 ? 200_000 : 200 + window,
        tool_output_limits: { default: { max_chars: 500, max_lines: 12 } },
      },
    }
    const timing = timings[when % timings.length] as (typeof timings)[number]
    const before = JSON.stringify(messages)
    const built = buildView({ messages, policies, facts, timing })
    holds(JSON.stringify(messages) === before, 'the input is not changed')
    const shape = new Set(checkView(messages).map(({ rule }) => rule))
    const problems = checkView(built.view).filter(({ rule }) => !ofTheInput.has(rule) || !shape.has(rule))
    holds(problems.length === 0, `the view is valid for a provider (${problems[0]?.rule})`)
    holds(isDeepStrictEqual(applyEdits(messages, built.edits), built.view), 'applying the edits gives the view')
    const next = buildView({
      messages,
      policies,
      facts,
      timing,
      edits: built.edits,
      ledger: built.ledger,
      sent: messages.at(-1)?.id ?? null,
    })
    holds(
      checkView(next.view).filter(({ rule }) => !ofTheInput.has(rule) || !shape.has(rule)).length === 0,
      'the next view is valid for a provider',
    )
    // As in a growing conversation: earlier decisions stay active.
    const at = split % (messages.length + 1)
    const first = buildView({ messages: messages.slice(0, at), policies, facts, timing })
    const grown = buildView({
      messages,
      policies,
      facts,
      timing,
      edits: first.edits,
      ledger: first.ledger,
      sent: messages[at - 1]?.id ?? null,
    })
    holds(
      checkView(grown.view).filter(({ rule }) => !ofTheInput.has(rule) || !shape.has(rule)).length === 0,
      'a grown view is valid for a provider',
    )
  },
}

/** Rules about invalid messages, which no policy repairs. */
const ofTheInput = new Set(['unique-message-ids', 'calls-in-assistant-messages', 'results-in-tool-messages'])

const roles: Readonly<Record<string, Message['role']>> = {
  u: 'user',
  U: 'user',
  s: 'system',
  S: 'system',
  a: 'assistant',
  t: 'tool',
  K: 'user',
}
const tools = ['Bash', 'Read', 'Grep', 'Edit', 'Write', 'LS', 'TodoWrite', 'unknown', 'WebFetch', 'Glob']
const longText = Array.from({ length: 25 }, (_, index) => `${index}\tconst value${index} = compute(${index})`).join('\n')
const binary = 'iVBORw0KGgoAAAANSUhEUgAA09'.repeat(450)

function conversationOf(text: string): readonly Message[] {
  const list: {
    readonly id: string
    readonly role: Message['role']
    readonly parts: Part[]
    readonly at?: number
    readonly summary?: true
  }[] = []
  for (let index = 0; index < text.length; index += 1) {
    const sign = text[index] as string
    const role = Object.hasOwn(roles, sign) ? roles[sign] : undefined
    if (role !== undefined) {
      const parts: Part[] =
        role === 'user' || role === 'system'
          ? [{ type: 'text', text: sign === sign.toUpperCase() ? longText : `said ${index}` }]
          : []
      list.push({
        id: `m${list.length}`,
        role,
        parts,
        ...(index % 3 === 0 ? {} : { at: index * 60_000 }),
        ...(sign === 'K' ? { summary: true as const } : {}),
      })
      continue
    }
    const message = list.at(-1)
    const part = message === undefined ? null : partOf(sign, text[index + 1] ?? '0', index)
    if (message !== undefined && part !== null && (message.role === 'assistant' || message.role === 'tool')) {
      if (part.type === 'tool-result' && message.role !== 'tool') continue
      if (part.type !== 'tool-result' && message.role !== 'assistant') continue
      message.parts.push(part)
    }
  }
  return list
}

function partOf(sign: string, next: string, index: number): Part | null {
  const number = Number.isInteger(Number(next)) ? Number(next) : 0
  const tool = tools[number % tools.length] as string
  const callId = `call-${next}`
  switch (sign) {
    case 'T':
      return { type: 'text', text: `answer ${index}` }
    case 'R':
      return { type: 'reasoning', text: 'a thought '.repeat(number + 1) }
    case 'm':
      return { type: 'media', mediaType: 'image/png', data: 'x' }
    case 'c':
      return { type: 'tool-call', callId, tool, input: { file_path: 'src/a.ts', command: `npm run ${number}` } }
    case 'W':
      return { type: 'tool-call', callId, tool: 'Write', input: JSON.stringify({ file_path: 'src/a.ts', content: longText }) }
    case 'p':
      return { type: 'tool-call', callId, tool, input: 'not json', pending: true }
    case 'r':
      return {
        type: 'tool-result',
        callId,
        tool: number % 2 === 0 ? tool : null,
        content: { type: 'text', text: number > 4 ? longText : `result ${index}` },
      }
    case 'L':
      return {
        type: 'tool-result',
        callId: 'call-1',
        tool: 'Read',
        content: {
          type: 'list',
          items: [
            { type: 'text', text: longText },
            { type: 'media', mediaType: 'image/png', data: binary },
          ],
        },
      }
    case 'b':
      return { type: 'tool-result', callId: 'call-1', tool, content: { type: 'text', text: binary } }
    case 'e':
      return { type: 'tool-result', callId, tool, content: { type: 'json', value: { error: 'no', deep: [[[]]] } }, isError: true }
    case 'x':
      return { type: 'tool-result', callId: null, tool: null, content: { type: 'text', text: 'nobody asked' } }
    default:
      return null
  }
}
