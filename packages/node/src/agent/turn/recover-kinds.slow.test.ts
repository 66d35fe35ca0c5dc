import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { classifyFailure, type Message } from '@plimsoll/core'
import type { FailureKind } from '@plimsoll/core/wire'
import { afterEach, describe, expect, it } from 'vitest'
import { otherBodies, overflowBodies, reservationBodies } from '../../../../core/src/testing/failure-bodies.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { ask, endAll, fine, type Result, refused } from '../testing/asking.ts'
import { TurnError } from './model-error.ts'

afterEach(endAll)

const image = { type: 'media', mediaType: 'image/png', data: 'iVBORw0KGgo'.repeat(9000) } as const
/** Long, with a call that was interrupted, a signed thought and images: something for every remedy. */
const messages: readonly Message[] = [
  ...longConversation(),
  { id: 'shown', role: 'user', parts: [{ type: 'text', text: 'Look at these.' }, image, image, image] },
  {
    id: 'thought',
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'x' } } },
      { type: 'text', text: 'I see.' },
    ],
  },
  { id: 'last', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
]

/** The notifications of each kind's remedy, and the error code if there is no remedy. */
const remedies: Readonly<Record<FailureKind, readonly string[]>> = {
  overflow: ['error CONTEXT_LENGTH_EXCEEDED recovering true', 'history_compressed'],
  tpm_single_request: ['error CONTEXT_LENGTH_EXCEEDED recovering true', 'history_compressed'],
  output_reservation: ['answer_shortened'],
  payload_bytes: ['media_dropped'],
  image_limit: ['media_dropped'],
  orphan_tool: ['pairs_repaired'],
  rate_limit: ['retrying'],
  auth: [],
  other: [],
}

function remedyOf({ story }: Result): readonly string[] {
  // The sizes in these refusals are not those of this conversation, so its answer may look like one to another request.
  return story.filter((line) => !/^(?:view_built|compaction_|text |usage|silent_overflow)/.test(line))
}

interface Case {
  readonly name: string
  readonly status: number
  readonly body: unknown
  readonly kind: FailureKind
}

const known: readonly Case[] = [...overflowBodies, ...reservationBodies, ...otherBodies].flatMap(
  ([name, status, body, { kind }]) => (status === null || body instanceof Error ? [] : [{ name, status, body, kind }]),
)

// Optional: recorded error bodies next to the repository.
const file = fileURLToPath(new URL('../../../../../../shared/overflow/cases.json', import.meta.url))
const recorded: readonly Case[] = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Record<string, unknown>[]).map((one) => ({
      name: String(one['id']),
      status: Number(one['status']),
      body: one['body'],
      kind: kindOf(String(one['expect']), Number(one['status'])),
    }))
  : []

function kindOf(expected: string, status: number): FailureKind {
  if (expected === 'none') return status === 429 ? 'rate_limit' : 'other'
  return expected === 'payload_or_overflow' ? 'payload_bytes' : (expected as FailureKind)
}

/** One of each kind and status: another test covers which body is of which kind. */
function oneOfEach(cases: readonly Case[]): readonly Case[] {
  return [...new Map(cases.map((each) => [`${each.kind} ${each.status} ${hasRoom(each)}`, each])).values()]
}

describe('R002-1 Q-19b a refusal is answered by what it is about', () => {
  const recoverable = oneOfEach([...known, ...recorded]).filter(({ kind }) => kind !== 'auth' && kind !== 'other')
  it.each(recoverable)('$kind: $name', async ({ status, body, kind }) => {
    const result = await ask({ messages, answers: [refused(status, body), fine] })
    expect(result.asked?.answer.parts).toEqual([{ type: 'text', text: 'Fine.' }])
    expect(remedyOf(result)).toEqual(hasRoom({ status, body }) ? remedies[kind] : remedies.overflow)
    expect(result.server.requests).toHaveLength(2)
  })
})

/** Whether a refusal for want of room for the answer leaves room for a shorter one. */
function hasRoom({ status, body }: Pick<Case, 'status' | 'body'>): boolean {
  const { kind, limit, input, requested } = classifyFailure({ status, body })
  const counted = input ?? (requested === null ? null : requested - 8192)
  return kind !== 'output_reservation' || limit === null || counted === null || limit - counted >= 1024 + 128
}

describe('a refusal that nothing can be done about', () => {
  it.each([...known, ...recorded].filter(({ kind }) => kind === 'auth'))('$name', async ({ status, body }) => {
    const { error, server } = await ask({ messages, answers: [refused(status, body), fine] })
    expect(error).toBeInstanceOf(TurnError)
    expect((error as TurnError).error).toMatchObject({
      code: 'KEY_REFUSED',
      suggestion: 'Check the key in OPENAI_API_KEY and its permissions.',
    })
    expect(server.requests).toHaveLength(1)
  })

  const others = [...known, ...recorded].filter(({ kind, status }) => kind === 'other' && status >= 400 && status < 500)
  it.each(others)('$name', async ({ status, body }) => {
    const result = await ask({
      messages,
      answers: [refused(status, body)],
      config: { models: { test: { window: 200_000, output_limit: 64_000 } } },
    })
    const names = isAboutAnswer(body) && status !== 402 ? ['answer_shortened'] : []
    expect((result.error as TurnError).error.code).toBe('MODEL_REFUSED')
    expect(remedyOf(result)).toEqual(names)
    expect(result.server.requests).toHaveLength(1 + names.length)
  })
})

describe('a refusal of images that are not there', () => {
  it('is told, and not answered with the same request', async () => {
    const { error, server, story } = await ask({ answers: [refused(400, { error: { message: 'Too many images' } }), fine] })
    expect((error as TurnError).error.code).toBe('IMAGES_REFUSED')
    expect(story).toEqual(['view_built'])
    expect(server.requests).toHaveLength(1)
  })
})

/** Whether a refusal names a limit of the answer alone, which can be obeyed. */
function isAboutAnswer(body: unknown): boolean {
  return /max_tokens|maximum tokens/.test(JSON.stringify(body))
}
