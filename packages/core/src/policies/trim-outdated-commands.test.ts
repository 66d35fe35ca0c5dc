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
/** Five newer results of another tool, so that earlier ones are not among the recent 5. */
const fiveNewer = (time: string) => Array.from({ length: 5 }, (_, index) => read(`newer${index}`, time)).flat()

describe('trim-outdated-commands, the examples of the source document', () => {
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

  // Newest first, as in the document; the reversed list must give the same answer.
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

  it('R000-25 example 5: of ten mixed results exactly the 7th and 8th are trimmed, because errors do not count among the 5', () => {
    expectEdits(trimOutdatedCommands, mixed.flat(), { now: at('02:00:00') }, { '7': outdated, '8': outdated })
  })

  it('R000-36 sorts by timestamp, not by the order in the list', () => {
    expectEdits(trimOutdatedCommands, mixed.toReversed().flat(), { now: at('02:00:00') }, { '7': outdated, '8': outdated })
  })
})

describe('trim-outdated-commands, the four conditions', () => {
  const old = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const now = at('02:00:00')

  it('R000-1 R000-7 R000-8 R000-9 R000-10 R000-11 R000-38 replaces the content with the line if all four hold', () => {
    expectEdits(trimOutdatedCommands, old, { now }, { m: outdated })
  })

  it('R000-13 R000-15 R000-14 keeps the result in full if one of them fails', () => {
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

  it('R000-18 leaves the call alone, so that the command can be run again', () => {
    const edits = trimOutdatedCommands.plan(deepFreeze(old), { now })
    expect(edits.map((edit) => edit.kind === 'replace' && edit.message)).toEqual(['m'])
  })

  it('R000-12 changes only the content: role, time and call id stay', () => {
    const [edit] = trimOutdatedCommands.plan(old, { now })
    expect(edit).toMatchObject({
      kind: 'replace',
      message: 'm',
      part: 0,
      with: { type: 'tool-result', callId: 'call-m', tool: null },
    })
  })

  it('Q-46 trims the terminal tools of other agents too', () => {
    for (const tool of ['Bash', 'exec_command', 'run_shell_command', 'bash', 'execute_command', 'local_shell']) {
      const messages = [...exchange('m', tool, { command: 'ls' }, 'a.ts\nb.ts', { at: at('01:00:00') }), ...fiveNewer('01:59:00')]
      expectEdits(trimOutdatedCommands, messages, { now }, { m: outdated })
    }
  })

  it('trims nothing without a clock', () => expectEdits(trimOutdatedCommands, old, {}, {}))
})

describe('trim-outdated-commands, the tool of a result', () => {
  const now = at('02:00:00')
  const bare = (text: string) => [result('m', null, text, { at: at('01:00:00') }), ...fiveNewer('01:59:00')]

  it('R000-30 R000-31 treats an unnamed result as a command if it looks like one', () => {
    expectEdits(trimOutdatedCommands, bare('{"stdout":"hello","stderr":"","exitCode":0}'), { now }, { m: outdated })
    expectEdits(trimOutdatedCommands, bare('{"stdout":"Build completed"}'), { now }, { m: outdated })
    expectEdits(trimOutdatedCommands, bare('File content: ...'), { now }, {})
    expectEdits(trimOutdatedCommands, bare('{"path":"/path/to/file"}'), { now }, {})
    expectEdits(trimOutdatedCommands, bare(''), { now }, {})
  })

  it('R000-31 does not trim a command that printed nothing', () => {
    expectEdits(trimOutdatedCommands, [...command('m', '', '01:00:00'), ...fiveNewer('01:59:00')], { now }, {})
  })

  it('Q-5 does not trim a file that contains "stdout": if its call is a file read', () => {
    const messages = [
      ...exchange('m', 'filesystem-read', { filePath: 'log.json' }, build, { at: at('01:00:00') }),
      ...fiveNewer('01:59:00'),
    ]
    expectEdits(trimOutdatedCommands, messages, { now }, {})
  })
})

describe('trim-outdated-commands, time and order', () => {
  const now = at('02:00:00')

  it('R000-6 Q-11 ignores a result without a time in a log that has times', () => {
    const untimed = Array.from({ length: 6 }, (_, index) => exchange(`u${index}`, 'terminal-execute', {}, build)).flat()
    const messages = [
      ...command('m', build, '01:00:00'),
      ...command('n', build, '01:00:01'),
      ...fiveNewer('01:59:00').slice(0, 8),
      ...untimed,
    ]
    expectEdits(trimOutdatedCommands, messages, { now }, { m: outdated })
  })

  it('Q-11 treats the later of equal times as newer', () => {
    const messages = Array.from({ length: 6 }, (_, index) => command(`m${index}`, build, '01:00:00')).flat()
    expectEdits(trimOutdatedCommands, messages, { now }, { m0: outdated })
  })

  it('Q-11 treats a time in the future as recent', () => {
    expectEdits(trimOutdatedCommands, [...command('m', build, '03:00:00'), ...fiveNewer('03:01:00')], { now }, {})
  })

  it("Q-11 uses the host's first-seen times if the API format has none, else nothing is old", () => {
    const messages = Array.from({ length: 7 }, (_, index) => exchange(`m${index}`, 'Bash', {}, 'ok')).flat()
    expectEdits(trimOutdatedCommands, messages, { now }, {})
    const firstSeen = (id: string) => (id === 'm0' ? now - 16 * minute : now)
    expectEdits(trimOutdatedCommands, messages, { now, firstSeen }, { m0: outdated })
  })
})

describe('trim-outdated-commands, settings', () => {
  const now = at('02:00:00')
  const messages = [...command('a', build, '01:00:00'), ...command('b', build, '01:40:00'), ...command('c', build, '01:58:00')]

  it('R000-39 takes minutes and the number of recent results from the settings', () => {
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

  it('Q-31 names the command and its handle in the actionable style', () => {
    const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
    const text = outcome(trimOutdatedCommands.plan(list, { now, config: { placeholder_style: 'actionable' } }))['m']
    expect(text).toMatch(/^此命令返回内容已过时 \[terminal-execute: npm run build; recall [0-9a-f]{12}\]$/)
  })

  it('Q-52 uses a replaced string', () => {
    const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
    expectEdits(trimOutdatedCommands, list, { now, strings: { outdatedCommand: 'outdated' } }, { m: 'outdated' })
  })
})

describe('trim-outdated-commands, protected results', () => {
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

it('trim-outdated-commands returns the same edit for the next request', () => {
  const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const [first] = trimOutdatedCommands.plan(list, { now: at('02:00:00') })
  const [second] = trimOutdatedCommands.plan([...list, ...read('later', '02:00:00')], { now: at('02:01:00') })
  expect(second).toBe(first)
})

it('trim-outdated-commands proposes nothing for its own view', () => {
  const list = [...command('m', build, '01:00:00'), ...fiveNewer('01:59:00')]
  const facts = { now: at('02:00:00') }
  expect(trimOutdatedCommands.plan(applyEdits(list, trimOutdatedCommands.plan(list, facts)), facts)).toEqual([])
})
