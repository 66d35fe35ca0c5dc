import { readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf, type Message, recall } from '@plimsoll/core'
import { foldSegment, planCompaction, writeSummary } from '@plimsoll/core/compaction'
import { answerRecall, type NewEntry, transcriptOf } from '@plimsoll/core/session'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { openSession, readSession } from './open-session.ts'
import { recallSourceOf } from './recall-source.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plimsoll-recall-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const log = Array.from({ length: 400 }, (_, index) => `step ${index}: fine`).join('\n')
const huge = Array.from({ length: 60_000 }, (_, index) => `row ${index} of a very long listing`).join('\n')
const image = `data:image/png;base64,${Buffer.from(Array.from({ length: 9000 }, (_, index) => (index * 7919) % 256)).toString('base64')}`

function round(number: number, command: string, text: string): readonly Message[] {
  const id = `call-${number}`
  return [
    { id: `u${number}`, role: 'user', parts: [{ type: 'text', text: `Do number ${number}.` }] },
    { id: `a${number}`, role: 'assistant', parts: [{ type: 'tool-call', callId: id, tool: 'Bash', input: { command } }] },
    {
      id: `t${number}`,
      role: 'tool',
      parts: [{ type: 'tool-result', callId: id, tool: 'Bash', content: { type: 'text', text } }],
    },
    { id: `d${number}`, role: 'assistant', parts: [{ type: 'text', text: `Did number ${number}.` }] },
  ]
}

const messages = [
  ...round(1, 'make', log),
  ...round(2, 'list everything', huge),
  ...round(3, 'screenshot', image),
  ...[4, 5, 6].flatMap((number) => round(number, `step ${number}`, `small ${number}`)),
]

/** Writes the messages and folds the old ones, as a compaction does; the session is closed again. */
async function store() {
  const session = await createSession(folder)
  await session.append(messages.map((message): NewEntry => ({ type: 'message', message })))
  const segment = planCompaction(session.state().messages, { keepRounds: 2, minMessages: 3 })
  if (segment === null) throw new Error('expected something to fold')
  const fold = foldSegment(segment, writeSummary(segment, {}), {})
  if (fold === null) throw new Error('expected a fold')
  await session.append([{ type: 'edits', apply: [fold] }])
  await session.close()
  return { id: session.id, segment, fold }
}

/** Reads the session again, as another process would. */
async function ask<Answer>(id: string, question: (source: ReturnType<typeof recallSourceOf>) => Answer): Promise<Answer> {
  const session = await readSession(folder, id)
  try {
    return question(recallSourceOf(session))
  } finally {
    await session.close()
  }
}

describe('a stored session is a source of originals', () => {
  it.each([
    ['a small result', 'small 4'],
    ['a folded result', log],
    ['a result that lives outside the log', huge],
    ['an image', image],
    ['what the user said', 'Do number 1.'],
  ])('Q-9 %s comes back bit for bit after folding and opening again', async (_, text) => {
    const { id } = await store()
    expect(await ask(id, (source) => recall({ handle: handleOf(text) }, source).text)).toBe(text)
  })

  it('a fold is recalled as the transcript that its summary names, even after it was undone', async () => {
    const { id, segment, fold } = await store()
    const transcript = transcriptOf(segment.messages)
    const named = /recall ([0-9a-f]{12})\]$/.exec(JSON.stringify(fold.into?.parts[0]).replace(/"}$/, ''))?.[1] ?? ''
    expect(handleOf(transcript)).toBe(named)
    expect(await ask(id, (source) => recall({ handle: named }, source).text)).toBe(transcript)
    const session = await openSession(folder, id)
    await session.append([{ type: 'edits', withdraw: [fold.id] }])
    await session.close()
    expect(await ask(id, (source) => recall({ handle: named }, source).text)).toBe(transcript)
  })

  it('rewound messages can still be recalled', async () => {
    const { id } = await store()
    const session = await openSession(folder, id)
    await session.append([{ type: 'rewind', parentId: 't4', left: session.state().leaf }])
    await session.close()
    expect(await ask(id, (source) => recall({ tool: 'Bash', about: 'step 6' }, source).text)).toBe('small 6')
  })

  it('a lost or damaged blob is reported, and its extract stays', async () => {
    const { id } = await store()
    const blobs = join(folder, id, 'blobs')
    for (const name of readdirSync(blobs)) writeFileSync(join(blobs, name), 'damaged')
    const answer = await ask(id, (source) => recall({ handle: handleOf(huge) }, source))
    expect(answer).toMatchObject({ kind: 'missing', reason: 'lost-blob' })
    expect(answer.text).toContain('An extract is left: recall message t2 by its id')
    const left = await ask(id, (source) => recall({ id: 't2', lines: [1, 2] }, source))
    expect(left).toMatchObject({ kind: 'found', text: 'row 0 of a very long listing\nrow 1 of a very long listing' })
    await rm(blobs, { recursive: true })
    expect(await ask(id, (source) => recall({ handle: handleOf(huge) }, source))).toMatchObject({ reason: 'lost-blob' })
  })

  it('the model reads lines and matches of blobs, and a catastrophic pattern is refused', async () => {
    const { id } = await store()
    const handle = handleOf(huge)
    const answers = await ask(id, (source) =>
      [{ lines: '59999-60000' }, { pattern: '^row 4{5} ' }, { pattern: '(' }].map((narrow) =>
        answerRecall({ handle, ...narrow }, source, {}),
      ),
    )
    expect(answers).toEqual([
      `[lines 59999-60000 of 60000; handle ${handle}]\nrow 59998 of a very long listing\nrow 59999 of a very long listing`,
      `[lines 44445-44445 of 60000; handle ${handle}]\n44445: row 44444 of a very long listing`,
      'The pattern "(" cannot be used: Invalid regular expression: /(/: Unterminated group. It has to be a JavaScript regular expression.',
    ])
  })

  it('a search covers folded messages', async () => {
    const { id } = await store()
    const answer = await ask(id, (source) => recall({ query: 'row 41234', budget: 300 }, source))
    expect(answer.kind === 'spans' && answer.spans[0]).toMatchObject({ original: { message: 't2', handle: handleOf(huge) } })
    expect(answer.text).toContain('row 41234 of a very long listing')
  })
})
