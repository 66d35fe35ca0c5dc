import fc from 'fast-check'
import type { Message, Part, ResultContent, ToolCallPart } from '../message.ts'

const base64 = 'iVBORw0KGgoAAAANSUhEUgAA09'.repeat(450)

/** The current time of the generated conversations. */
export const now = Date.UTC(2026, 0, 31, 12)

/**
 * Realistic conversations: several rounds with calls of many tools, repeated reads in different spellings, old and recent
 * commands, failures, images as base64, long logs; with or without times; and with all the damage of real logs:
 * missing, early, late, doubled and orphaned results, ids used again, results without an id.
 */
export const conversations: fc.Arbitrary<readonly Message[]> = fc
  .record({
    timed: fc.constantFrom('all', 'most', 'none'),
    rounds: fc.array(rounds(), { minLength: 1, maxLength: 14 }),
    damage: fc.boolean(),
  })
  .map(({ timed, rounds, damage }) => assemble(rounds, timed, damage))

interface Round {
  readonly said: string
  readonly steps: readonly Step[]
}

interface Step {
  readonly thought: string | null
  readonly calls: readonly {
    readonly tool: string
    readonly input: unknown
    readonly content: ResultContent
    readonly fate: Fate
    readonly flag: boolean
  }[]
  readonly minutes: number
}

type Fate = 'answered' | 'missing' | 'late' | 'early' | 'doubled' | 'no id' | 'orphan' | 'pending'

function rounds(): fc.Arbitrary<Round> {
  return fc.record({ said: fc.string({ maxLength: 40 }), steps: fc.array(steps(), { maxLength: 5 }) })
}

function steps(): fc.Arbitrary<Step> {
  return fc.record({
    thought: fc.option(fc.string({ maxLength: 30 })),
    calls: fc.array(exchanges(), { maxLength: 3 }),
    minutes: fc.integer({ min: -1, max: 12 }),
  })
}

function exchanges() {
  const fate = fc.oneof(
    { weight: 12, arbitrary: fc.constant<Fate>('answered') },
    { weight: 3, arbitrary: fc.constantFrom<Fate>('missing', 'late', 'early', 'doubled', 'no id', 'orphan', 'pending') },
  )
  return fc
    .record({
      kind: fc.constantFrom('command', 'read', 'search', 'picture', 'other'),
      fate,
      flag: fc.boolean(),
      text: texts(),
      path: paths(),
    })
    .map(({ kind, fate, flag, text, path }) => ({ fate, flag: flag && text.length % 7 === 0, ...describeCall(kind, path, text) }))
}

function describeCall(kind: string, path: string, text: string): { tool: string; input: unknown; content: ResultContent } {
  // Some API formats write every result as a list of texts.
  const plain: ResultContent = text.length % 4 === 1 ? { type: 'list', items: [{ type: 'text', text }] } : { type: 'text', text }
  switch (kind) {
    case 'command': {
      const failed = text.length % 5 === 0
      const json = JSON.stringify({ stdout: text, stderr: failed ? 'boom' : '', exitCode: failed ? 1 : 0 })
      return {
        tool: text.length % 2 === 0 ? 'terminal-execute' : 'Bash',
        input: { command: path },
        content: text.length % 3 === 0 ? plain : { type: 'text', text: json },
      }
    }
    case 'read':
      return {
        tool: text.length % 2 === 0 ? 'filesystem-read' : 'read_file',
        input: text.length % 2 === 0 ? { filePath: [path, 'b.ts'].slice(0, 1 + (text.length % 2)) } : { path },
        content: plain,
      }
    case 'search':
      return { tool: 'grep_search', input: JSON.stringify({ pattern: path }), content: plain }
    case 'picture':
      return {
        tool: 'image_generate',
        input: { prompt: path },
        content: { type: 'text', text: JSON.stringify({ success: true, metadata: { imagePath: path, imageBase64: base64 } }) },
      }
    default:
      return {
        tool: 'mcp__tracker__list',
        input: 'not json',
        content: {
          type: 'list',
          items: [
            { type: 'text', text },
            { type: 'media', mediaType: 'image/png', data: { url: path } },
          ],
        },
      }
  }
}

function paths(): fc.Arbitrary<string> {
  return fc.constantFrom('a.ts', './a.ts', '/project/a.ts', 'src/../a.ts', 'b.ts', 'deep/c.ts')
}

function texts(): fc.Arbitrary<string> {
  const short = fc.string({ unit: 'binary', maxLength: 60 })
  const error = fc.constantFrom('Error: ENOENT: no such file', 'Error: boom', `Error: ${'long '.repeat(2500)}`)
  const long = fc
    .record({ lines: fc.integer({ min: 90, max: 1200 }), width: fc.integer({ min: 0, max: 60 }), hit: fc.nat(1200) })
    .map(({ lines, width, hit }) =>
      Array.from({ length: lines }, (_, index) =>
        index === hit ? 'FAIL src/tax.test.ts: expected 41 to equal 42' : `src/a.ts:${index}: ${'x'.repeat(width)}`,
      ).join('\n'),
    )
  const payload = fc.constantFrom(
    base64,
    `data:image/png;base64,${base64}`,
    JSON.stringify({ output: base64 }),
    'x'.repeat(12_000),
  )
  return fc.oneof(
    { weight: 6, arbitrary: short },
    { weight: 2, arbitrary: error },
    { weight: 3, arbitrary: long },
    { weight: 1, arbitrary: payload },
  )
}

function assemble(rounds: readonly Round[], timed: string, damage: boolean): readonly Message[] {
  const messages: Message[] = []
  const late: Message[] = []
  const steps = rounds.flatMap((round) => round.steps).length
  let clock = now - steps * 4 * 60_000
  let count = 0
  const add = (role: Message['role'], parts: readonly Part[], list = messages) => {
    count += 1
    const untimed = timed === 'none' || (timed === 'most' && count % 6 === 0)
    list.push({ id: `m${count}`, role, parts, ...(untimed ? {} : { at: clock }) })
  }
  add('system', [{ type: 'text', text: 'You are careful.' }])
  for (const { said, steps } of rounds) {
    add('user', [{ type: 'text', text: said }])
    for (const { thought, calls, minutes } of steps) {
      clock += minutes * 60_000
      // Some agents restart the numbering of calls in every message.
      const named = calls.map((call, index) => ({
        ...call,
        fate: damage ? call.fate : 'answered',
        callId: damage && minutes === 0 ? `call_${index}` : `call_${count}_${index}`,
      }))
      const result = ({ callId, content, flag }: (typeof named)[number]): Part => ({
        type: 'tool-result',
        callId,
        tool: null,
        content,
        ...(flag ? { isError: true } : {}),
      })
      for (const call of named) if (call.fate === 'early') add('tool', [result(call)])
      const parts: Part[] = thought === null ? [] : [{ type: 'reasoning', text: thought }]
      for (const { tool, input, callId, fate } of named) {
        if (fate === 'orphan') continue
        parts.push({
          type: 'tool-call',
          callId,
          tool,
          input,
          ...(fate === 'pending' ? { pending: true } : {}),
        } satisfies ToolCallPart)
      }
      add('assistant', parts.length === 0 ? [{ type: 'text', text: 'done' }] : parts)
      for (const call of named) {
        if (call.fate === 'answered' || call.fate === 'doubled' || call.fate === 'orphan') add('tool', [result(call)])
        if (call.fate === 'doubled') add('tool', [result(call)])
        if (call.fate === 'no id') add('tool', [{ ...result(call), callId: null } as Part])
        if (call.fate === 'late') add('tool', [result(call)], late)
      }
    }
    messages.push(...late.splice(0))
  }
  return messages
}
