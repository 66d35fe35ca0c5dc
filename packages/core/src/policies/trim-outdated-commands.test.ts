import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, expectEdits, outcome, result } from '../testing/messages.ts'
import { trimOutdatedCommands } from './trim-outdated-commands.ts'

const outdated = '此命令返回内容已过时'
const minute = 60_000
const build = JSON.stringify({ stdout: 'Building project...\nDone in 3.2s', stderr: '', exitCode: 0 })
const failure = JSON.stringify({ stdout: '', stderr: "Error: Cannot find module 'xxx'", exitCode: 1 })
/** A time of day on an arbitrary day, in milliseconds. */
const at = (clock: string) => Date.parse(`2026-01-31T${clock}Z`)

const command = (id: string, text: string, time: string) =>
  exchange(id, 'terminal-execute', { command: 'npm run build' }, text, { at: at(time) })
const read = (id: string, time: string) =>
  exchange(id, 'filesystem-read', { filePath: `${id}.ts` }, 'File content: ...', { at: at(time) })
/** Five newer results of another tool, so that what stands before is not among the recent ones. */
const fiveNewer = (time: string) => Array.from({ length: 5 }, (_, index) => read(`newer${index}`, time)).flat()

describe('the examples of the source document', () => {
  it.each<[string, readonly Message[], string, Record<string, string>]>([
    [
      'R000-21 example 1: 20 minutes old, success, five newer results',
      [...command('m', build, '01:00:00'), ...fiveNewer('01:19:00')],
      '01:20:00',
      { m: outdated },
    ],
    ['R000-22 example 2: the same but among the recent 5', command('m', build, '01:00:00'), '01:20:00', {}],
    ['R000-23 example 3: an old error', [...command('m', failure, '01:00:00'), ...fiveNewer('01:19:00')], '01:20:00', {}],
    ['R000-24 example 4: 5 minutes old', [...command('m', build, '01:30:00'), ...fiveNewer('01:34:00').slice(2)], '01:35:00', {}],
    ['R000-26 example 6: another tool, 30 minutes old', [...read('m', '00:30:00'), ...fiveNewer('00:59:00')], '01:00:00', {}],
    [
      'R000-27 example 7: 15 minutes and a millisecond',
      [...command('m', build, '00:44:59.999'), ...fiveNewer('00:59:00')],
      '01:00:00.000',
      { m: outdated },
    ],
    [
      'R000-28 example 8: exactly 15 minutes',
      [...command('m', build, '00:45:00.000'), ...fiveNewer('00:59:00')],
      '01:00:00.000',
      {},
    ],
  ])('%s', (_name, messages, now, expected) => {
    expectEdits(trimOutdatedCommands, messages, { now: at(now) }, expected)
  })

  // Newest first, as the document prints it; the same list the other way round must give the same answer.
  const mixed = [
    read('1', '01:55:00'),
    command('2', build, '01:50:00'),
    command('3', build, '01:45:00'),
    command('4', failure, '01:40:00'),
    command('5', build, '01:35:00'),
    command('6', build, '01:30:00'),
    command('7', build, '01:20:00'),
    command('8', build, '00:50:00'),
    read('9', '00:40:00'),
    command('10', failure, '00:30:00'),
  ]

  it('R000-25 example 5: of ten mixed results exactly the 7th and 8th are trimmed, because an error takes none of the 5 places', () => {
    expectEdits(trimOutdatedCommands, mixed.flat(), { now: at('02:00:00') }, { '7': outdated, '8': outdated })
  })

  it('R000-36 the order in the list does not matter, only the timestamps do', () => {
    expectEdits(trimOutdatedCommands, mixed.toReversed().flat(), { now: at('02:00:00') }, { '7': outdated, '8': outdated })
  })
})

describe('the four conditions', () => {
  const old = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const now = at('02:00:00')

  it('R000-1 R000-7 R000-8 R000-9 R000-10 R000-11 R000-38 all four hold: the content becomes the one line', () => {
    expectEdits(trimOutdatedCommands, old, { now }, { m: outdated })
  })

  it('R000-13 R000-15 R000-14 each one alone keeps the result in full', () => {
    expectEdits(trimOutdatedCommands, command('m', build, '01:00:00'), { now }, {})
    expectEdits(trimOutdatedCommands, [...command('m', build, '01:46:00'), ...fiveNewer('01:59:00')], { now }, {})
    expectEdits(trimOutdatedCommands, [...command('m', failure, '01:00:00'), ...fiveNewer('01:59:00')], { now }, {})
  })

  it("R000-16 never trims other tools, even if their text looks like a command's", () => {
    for (const tool of ['filesystem-read', 'filesystem-edit', 'ace-tools', 'Grep']) {
      const messages = [...exchange('m', tool, { filePath: 'a' }, build, { at: at('01:00:00') }), ...fiveNewer('01:59:00')]
      expectEdits(trimOutdatedCommands, messages, { now }, {})
    }
  })

  it('R000-18 the call itself is left alone, so the command can be run again', () => {
    const edits = trimOutdatedCommands.plan(deepFreeze(old), { now })
    expect(edits.map((edit) => edit.kind === 'replace' && edit.message)).toEqual(['m'])
  })

  it('R000-12 role, time and call id stay, only the content changes', () => {
    const [edit] = trimOutdatedCommands.plan(old, { now })
    expect(edit).toMatchObject({
      kind: 'replace',
      message: 'm',
      part: 0,
      with: { type: 'tool-result', callId: 'call-m', tool: null },
    })
  })

  it('Q-46 the terminal tools of other agents are the same kind', () => {
    for (const tool of ['Bash', 'exec_command', 'run_shell_command', 'bash', 'execute_command', 'local_shell']) {
      const messages = [...exchange('m', tool, { command: 'ls' }, 'a.ts\nb.ts', { at: at('01:00:00') }), ...fiveNewer('01:59:00')]
      expectEdits(trimOutdatedCommands, messages, { now }, { m: outdated })
    }
  })

  it('without a clock nothing is old', () => expectEdits(trimOutdatedCommands, old, {}, {}))
})

describe('whose result it is', () => {
  const now = at('02:00:00')
  const bare = (text: string) => [result('m', null, text, { at: at('01:00:00') }), ...fiveNewer('01:59:00')]

  it('R000-30 R000-31 treats an unnamed result as a command if it looks like one', () => {
    expectEdits(trimOutdatedCommands, bare('{"stdout":"hello","stderr":"","exitCode":0}'), { now }, { m: outdated })
    expectEdits(trimOutdatedCommands, bare('{"stdout":"Build completed"}'), { now }, { m: outdated })
    expectEdits(trimOutdatedCommands, bare('File content: ...'), { now }, {})
    expectEdits(trimOutdatedCommands, bare('{"path":"/path/to/file"}'), { now }, {})
    expectEdits(trimOutdatedCommands, bare(''), { now }, {})
  })

  it('R000-31 a command that printed nothing has nothing to trim', () => {
    expectEdits(trimOutdatedCommands, [...command('m', '', '01:00:00'), ...fiveNewer('01:59:00')], { now }, {})
  })

  it('Q-5 a file that contains "stdout": is not a command when the call says it is a file', () => {
    const messages = [
      ...exchange('m', 'filesystem-read', { filePath: 'log.json' }, build, { at: at('01:00:00') }),
      ...fiveNewer('01:59:00'),
    ]
    expectEdits(trimOutdatedCommands, messages, { now }, {})
  })
})

describe('time and order', () => {
  const now = at('02:00:00')

  it('R000-6 Q-11 in a log that has times, a result without one takes no part and no place', () => {
    const untimed = Array.from({ length: 6 }, (_, index) => exchange(`u${index}`, 'terminal-execute', {}, build)).flat()
    const messages = [
      ...command('m', build, '01:00:00'),
      ...command('n', build, '01:00:01'),
      ...fiveNewer('01:59:00').slice(0, 8),
      ...untimed,
    ]
    expectEdits(trimOutdatedCommands, messages, { now }, { m: outdated })
  })

  it('Q-11 equal times: the later in the log is the newer', () => {
    const messages = Array.from({ length: 6 }, (_, index) => command(`m${index}`, build, '01:00:00')).flat()
    expectEdits(trimOutdatedCommands, messages, { now }, { m0: outdated })
  })

  it('Q-11 a time in the future is fresh', () => {
    expectEdits(trimOutdatedCommands, [...command('m', build, '03:00:00'), ...fiveNewer('03:01:00')], { now }, {})
  })

  it("Q-11 uses the host's first-seen times if the API format has none, else nothing is old", () => {
    const messages = Array.from({ length: 7 }, (_, index) => exchange(`m${index}`, 'Bash', {}, 'ok')).flat()
    expectEdits(trimOutdatedCommands, messages, { now }, {})
    const firstSeen = (id: string) => (id === 'm0' ? now - 16 * minute : now)
    expectEdits(trimOutdatedCommands, messages, { now, firstSeen }, { m0: outdated })
  })
})

describe('settings', () => {
  const now = at('02:00:00')
  const messages = [...command('a', build, '01:00:00'), ...command('b', build, '01:40:00'), ...command('c', build, '01:58:00')]

  it('R000-39 minutes and the number of recent results are settings', () => {
    const config = { outdated_commands: { after_minutes: 1, keep_recent: 1 } }
    expectEdits(trimOutdatedCommands, messages, { now, config }, { a: outdated, b: outdated })
    expectEdits(
      trimOutdatedCommands,
      messages,
      { now, config: { outdated_commands: { after_minutes: 30, keep_recent: 0 } } },
      { a: outdated },
    )
  })

  it('Q-4 counts stderr as failure by default, only the exit code if configured', () => {
    const warned = JSON.stringify({ stdout: 'done', stderr: 'npm warn deprecated', exitCode: 0 })
    const list = [...command('m', warned, '01:00:00'), ...fiveNewer('01:59:00')]
    expectEdits(trimOutdatedCommands, list, { now }, {})
    expectEdits(trimOutdatedCommands, list, { now, config: { outdated_commands: { stderr_is_error: false } } }, { m: outdated })
  })

  it('Q-31 the actionable style says what was here and how to get it back', () => {
    const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
    const text = outcome(trimOutdatedCommands.plan(list, { now, config: { placeholder_style: 'actionable' } }))['m']
    expect(text).toMatch(/^此命令返回内容已过时 \[terminal-execute: npm run build; recall [0-9a-f]{12}\]$/)
  })

  it('Q-52 the string can be replaced', () => {
    const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
    expectEdits(trimOutdatedCommands, list, { now, strings: { outdatedCommand: 'outdated' } }, { m: 'outdated' })
  })
})

describe('what the model has not seen', () => {
  it('Q-47 keeps results after the last accepted message in full', () => {
    const seven = Array.from({ length: 7 }, (_, index) => result(`m${index}`, `call-m${index}`, build, { at: at('01:00:00') }))
    const asked = calls('ask', ...seven.map((_, index) => [`call-m${index}`, 'terminal-execute', {}] as const))
    expectEdits(trimOutdatedCommands, [asked, ...seven], { now: at('02:00:00'), sent: 'ask' }, {})
    expectEdits(trimOutdatedCommands, [asked, ...seven], { now: at('02:00:00') }, { m0: outdated, m1: outdated })
  })

  it('keeps a pinned result in full', () => {
    const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
    expectEdits(trimOutdatedCommands, list, { now: at('02:00:00'), pins: ['m'] }, {})
  })
})

it('the same messages give the very same edits, so that nothing is worked out twice', () => {
  const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const [first] = trimOutdatedCommands.plan(list, { now: at('02:00:00') })
  const [second] = trimOutdatedCommands.plan([...list, ...read('later', '02:00:00')], { now: at('02:01:00') })
  expect(second).toBe(first)
})

it('planned again on what it shows it proposes nothing', () => {
  const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const facts = { now: at('02:00:00') }
  expect(trimOutdatedCommands.plan(applyEdits(list, trimOutdatedCommands.plan(list, facts)), facts)).toEqual([])
})
