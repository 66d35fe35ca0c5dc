import type { TrimMode } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WireDialect } from '../../store/gateway-record.ts'
import { accepted, openPlanningBench, type PlanningBench, planned, relayed } from '../testing/planning.ts'

let bench: PlanningBench

beforeEach(async () => {
  bench = await openPlanningBench()
})

afterEach(() => bench.close())

const at = 1_700_000_000_000
const minute = 60_000
/** Lines with nothing in common, so that no shorter form says the same. */
const output = Array.from({ length: 300 }, (_, line) => ((line + 9) ** 5).toString(36)).join('\n')

/** How a client writes a user message, and a call with its result, under ids that every conversation has. */
interface Writing {
  readonly dialect: WireDialect
  readonly user: (text: string) => object
  readonly turn: (index: number, command: string, text: string) => readonly object[]
  readonly body: (messages: readonly object[]) => object
  readonly results: (body: Readonly<Record<string, unknown>>) => readonly string[]
}

const kimi: Writing = {
  dialect: 'openai-chat',
  user: (text) => ({ role: 'user', content: text }),
  turn(index, command, text) {
    const id = `functions.Bash:${index}`
    const call = { id, type: 'function', function: { name: 'Bash', arguments: JSON.stringify({ command }) } }
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: text },
    ]
  },
  body: (messages) => ({ model: 'kimi-k2', tools: [{ type: 'function', function: { name: 'Bash' } }], messages }),
  results: ({ messages }) =>
    (messages as readonly { role: string; content: string }[]).flatMap(({ role, content }) => (role === 'tool' ? [content] : [])),
}

interface GeminiContent {
  readonly parts: readonly { functionResponse?: { response: { output: string } } }[]
}

const gemini: Writing = {
  dialect: 'gemini',
  user: (text) => ({ role: 'user', parts: [{ text }] }),
  turn: (_, command, text) => [
    { role: 'model', parts: [{ functionCall: { name: 'run_shell_command', args: { command } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: { output: text } } }] },
  ],
  body: (contents) => ({ tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }], contents }),
  results: ({ contents }) =>
    (contents as readonly GeminiContent[]).flatMap(({ parts }) =>
      parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse.response.output])),
    ),
}

async function send({ dialect, body, results }: Writing, messages: readonly object[], time: number, mode: TrimMode) {
  const planner = bench.planner()
  const request = relayed(dialect, body(messages), mode, { at: time, model: 'some-model' })
  const sent = JSON.parse((await planned(planner, request)).toString()) as Readonly<Record<string, unknown>>
  planner.answered(accepted(request))
  await planner.rest()
  return results(sent)
}

/** A conversation that starts with a command and continues until its output is hidden because it is old. */
async function untilHidden(writing: Writing, mode: TrimMode): Promise<string> {
  const { user, turn } = writing
  const first = [user('what is new?'), ...turn(0, 'git status', output)]
  await send(writing, first, at, mode)
  const more = Array.from({ length: 8 }, (_, index) => turn(index + 1, `run ${index}`, `done ${index}`)).flat()
  await send(writing, [...first, ...more], at + 2000, mode)
  const end = [...first, ...more, ...turn(9, 'date', 'today'), user('go on')]
  const [hidden = ''] = await send(writing, end, at + 60 * minute, mode)
  const [again = ''] = await send(writing, [...end, ...turn(10, 'pwd', '/')], at + 61 * minute, mode)
  expect(again).toBe(hidden)
  return hidden
}

describe.each([
  ['ids that are counted from nought', kimi],
  ['no ids at all', gemini],
])('a server whose calls have %s', (_, writing) => {
  test.each(['spec', 'economy'] as const)(
    '%s: a result that is old in one conversation is shown in full in the next, whose model has never seen it',
    async (mode) => {
      expect(await untilHidden(writing, mode)).not.toBe(output)
      const next = [writing.user('and today?'), ...writing.turn(0, 'git status', output)]
      await send(writing, next.slice(0, 1), at + 120 * minute, mode)
      expect(await send(writing, next, at + 121 * minute, mode)).toEqual([output])
      const on = [...next, ...writing.turn(1, 'git log', 'a commit')]
      expect(await send(writing, on, at + 122 * minute, mode)).toEqual([output, 'a commit'])
    },
  )

  test('the age of a result comes from its own conversation, not from an earlier one with the same result', async () => {
    const { user, turn } = writing
    await send(writing, [user('what is new?'), ...turn(0, 'git status', output)], at, 'spec')
    const next = [user('and today?'), ...turn(0, 'git status', output)]
    await send(writing, next, at + 120 * minute, 'spec')
    const more = Array.from({ length: 8 }, (_unused, index) => turn(index + 1, `run ${index}`, `done ${index}`)).flat()
    await send(writing, [...next, ...more], at + 121 * minute, 'spec')
    // The cache is cold, so results older than a quarter of an hour may be hidden.
    const young = [...next, ...more, ...turn(9, 'date', 'today')]
    expect((await send(writing, young, at + 131 * minute, 'spec'))[0]).toBe(output)
    const old = [...young, ...turn(10, 'pwd', '/')]
    expect((await send(writing, old, at + 150 * minute, 'spec'))[0]).not.toBe(output)
  })

  test('a cut that depends on length alone is the same everywhere', async () => {
    const long = Array.from({ length: 3000 }, (_unused, line) => `line ${line} of it`).join('\n')
    const [cut = ''] = await send(writing, [writing.user('one'), ...writing.turn(0, 'make', long)], at, 'safe')
    expect(cut.length).toBeLessThan(long.length)
    expect(await send(writing, [writing.user('two'), ...writing.turn(0, 'make', long)], at + minute, 'safe')).toEqual([cut])
  })
})

test('lines that refer to earlier ones are shown in full once a client drops the earlier ones', async () => {
  const { user } = kimi
  // Ids that belong to one call only, so that decisions apply in every conversation.
  const turn = (index: number, command: string, text: string) =>
    JSON.parse(
      JSON.stringify(kimi.turn(index, command, text)).replaceAll('functions.Bash:', 'call_4f7a9c2e81b3d0a6'),
    ) as readonly object[]
  const listing = Array.from({ length: 80 }, (_, line) => `src/module-${line}/index.ts is in use by ${line} others`).join('\n')
  const first = [user('look'), ...turn(0, 'make check', listing)]
  await send(kimi, first, at, 'economy')
  const both = [...first, ...turn(1, 'make check', listing)]
  const [, repeated = ''] = await send(kimi, both, at + 1000, 'economy')
  expect(repeated).toContain('lines as shown above')
  expect((await send(kimi, [...both, ...turn(2, 'true', '')], at + 2000, 'economy'))[1]).toBe(repeated)
  const shortened = [user('This is a summary of what was said.'), ...turn(1, 'make check', listing)]
  expect(await send(kimi, shortened, at + 3000, 'economy')).toEqual([listing])
})
