import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import type { CommandIo } from './command-io.ts'
import { run } from './run.ts'
import { displayWidth } from './terminal/text.ts'
import { runCaptured } from './testing/run-captured.ts'

async function runBroken(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: false,
    columns: null,
  })
  const io: CommandIo = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('[]')
      },
    },
    environment: { HOME: '/nonexistent', ...environment },
    folder: '/nonexistent',
    platform: 'linux',
    now: () => {
      throw new Error('the clock\u001b[31m has stopped')
    },
  }
  return { code: await run(['view', '-'], io), ...written }
}

describe('an unexpected error', () => {
  it('prints one sentence that asks for a report, without a stack', async () => {
    expect(await runBroken({})).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${stringsFor('en').command.unexpected('the clock has stopped')}\n`,
    })
  })

  it('prints the stack with PLIMSOLL_DEBUG', async () => {
    const { code, stdout, stderr } = await runBroken({ PLIMSOLL_DEBUG: '1' })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/\n\s+at .*view-command/)
  })
})

describe('an invalid command line', () => {
  const { command } = stringsFor('en')
  const help = command.seeHelp('plimsoll')
  const unknown = (word: string) => `error: ${command.unknownCommand(word)}.`
  const time = 'error: --now: expected a time such as 2026-01-31T10:00:00Z, got'
  it.each([
    [['help', 'nosuch'], `${unknown('nosuch')} ${help}`],
    [['help', 'veiw'], `${unknown('veiw')} ${command.didYouMean('plimsoll view')} ${help}`],
    [['nosuch'], `${unknown('nosuch')} ${help}`],
    [['pin'], `${unknown('pin')} ${command.didYouMean('plimsoll sessions pin')} ${help}`],
    [
      ['gateway', '--port', '7000', 'saving'],
      `${unknown('saving')} ${command.didYouMean('plimsoll gateway savings')} ${command.seeHelp('plimsoll gateway')}`,
    ],
    [['gateway', 'nosuch'], `${unknown('nosuch')} ${command.seeHelp('plimsoll gateway')}`],
    [
      ['sessions', 'rmm', '1'],
      `${unknown('rmm')} ${command.didYouMean('plimsoll sessions rm')} ${command.seeHelp('plimsoll sessions')}`,
    ],
    [['--frob'], `error: ${command.unknownOption('--frob')}. ${help}`],
    [['view', '--frob'], `error: ${command.unknownOption('--frob')}. ${command.seeHelp('plimsoll view')}`],
    [['view', '--now', '2026-02-31T00:00:00Z'], `${time} "2026-02-31T00:00:00Z"`],
    [['view', '--now', '2026-02-29'], `${time} "2026-02-29"`],
    [['view', '--now', '2026-00-10'], `${time} "2026-00-10"`],
    [['view', '--now', '1 May'], `${time} "1 May"`],
  ])('is refused: %j', async (args, sentence) =>
    expect(await runCaptured(args)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` }),
  )

  it('is refused in the user’s language', async () =>
    expect((await runCaptured(['help', 'nosuch'], { environment: { LANG: 'zh_CN.UTF-8' } })).stderr).toBe(
      `错误：${stringsFor('zh').command.unknownCommand('nosuch')}。${stringsFor('zh').command.seeHelp('plimsoll')}\n`,
    ))

  it('reports errors in the configured language once the configuration is read', async () =>
    expect((await runCaptured(['view', 'nope'], { environment: { PLIMSOLL_LOCALE: 'zh' } })).stderr).toBe(
      `错误：${stringsFor('zh').problem.notFound('nope')}\n`,
    ))
})

describe('help', () => {
  it.each([[['help']], [['--help']], [['help', '--help']]])('is printed for %j', async (args) => {
    const { code, stdout, stderr } = await runCaptured(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Usage: plimsoll /)
  })

  it.each(['en_US.UTF-8', 'zh_CN.UTF-8'])('fits the terminal for every command (%s)', async (locale) => {
    const surroundings = { terminal: 80, environment: { LANG: locale } }
    const names = ['', 'overview', 'view', 'chat', 'sessions', 'import', 'show', 'recall', 'export', 'resume', 'compact']
    for (const name of names) {
      const { stdout } = await runCaptured([...(name === '' ? [] : [name]), '--help'], surroundings)
      expect(stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([])
      expect(stdout).toContain('--help')
    }
  })

  it('says how to start', async () =>
    expect((await runCaptured(['--help'])).stdout).toMatch(
      /\nExamples:\n {2}plimsoll\n {2}plimsoll serve\n {2}plimsoll chat\n {2}plimsoll -p /,
    ))

  it('prints the help of view for help view', async () =>
    expect((await runCaptured(['help', 'view'])).stdout).toBe((await runCaptured(['view', '--help'])).stdout))

  it('a leap day is a day', async () => expect((await runCaptured(['view', '--now', '2024-02-29'])).code).toBe(0))
})
