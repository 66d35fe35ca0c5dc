import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { openTerminal, type TerminalOptions } from './testing/open-terminal.ts'

const strings = stringsFor('en').chat
const isBuilt = existsSync(new URL('../../../dist/cli/chat/terminal-mode.js', import.meta.url))

function open(options: Partial<TerminalOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-terminal-'))
  writeFileSync(join(folder, 'price.ts'), 'export const price = 1\n')
  writeFileSync(join(folder, 'my notes.md'), 'a note\n'.repeat(500))
  writeFileSync(join(folder, 'left-out.ts'), 'x')
  writeFileSync(join(folder, '.gitignore'), 'left-out.ts\n.state\n')
  const terminal = openTerminal({ args: ['chat', '--model', 'offline'], folder, ...options })
  onTestFinished(() => {
    terminal.end()
    rmSync(folder, { recursive: true, force: true })
  })
  return { ...terminal, folder, ready: () => terminal.shows(/ \d+k (?:tokens|词元)/) }
}

/** A key answers a question only after a pause in typing. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 600))

describe.runIf(isBuilt)('the interface in a terminal', () => {
  it('Q-51 R003-16 writes no log on the screen it draws, but into the file that standard error is redirected to', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-terminal-log-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const errors = join(folder, 'errors.log')
    for (const given of [{}, { errors }]) {
      const terminal = open({
        args: ['chat', '--model', 'offline', '--mode', 'auto'],
        environment: { PLIMSOLL_LOG: 'info' },
        columns: 200,
        ...given,
      })
      await terminal.ready()
      expect(terminal.everything().includes(stringsFor('en').command.logHidden)).toBe(!('errors' in given))
      terminal.type('run seq 1 9000\r')
      await terminal.shows('● Bash seq 1 9000')
      await terminal.rests()
      terminal.type('/quit\r')
      expect(await terminal.exit).toBe(0)
      expect(terminal.everything()).not.toMatch(/被截断|result_cut|trim_totals/)
    }
    // The terminal's cursor is restored through standard error too.
    const records = readFileSync(errors, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(records.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(['result_cut', 'trim_totals'])
  })

  it('runs a session of several turns: read, edit with permission, run, inspect, go back, quit and resume', async () => {
    const terminal = open()
    await terminal.ready()
    expect(terminal.screen()).toContain('offline model')
    terminal.type('read price.ts\r')
    await terminal.shows(/● Read price\.ts\n {2}└ 1 line/)

    terminal.type('edit price.ts: "price = 1" -> "price = 2"\r')
    await terminal.shows('Edit wants to change a file:')
    expect(terminal.screen()).toMatch(/-export const price = 1\n +\+export const price = 2/)
    await settle()
    terminal.type('y')
    await terminal.shows(/└ \+1 −1/)
    expect(readFileSync(join(terminal.folder, 'price.ts'), 'utf8')).toBe('export const price = 2\n')

    terminal.type('run echo one; echo two\r')
    await terminal.shows('Bash wants to run:')
    await settle()
    terminal.type('n')
    await terminal.shows('did not allow')
    await terminal.rests()

    terminal.type('/context\r')
    await terminal.shows(/in context: about/)
    await terminal.rests()
    terminal.type('\u001b')
    await terminal.shows(strings.againToRewind)
    terminal.type('\u001b')
    await terminal.shows(strings.rewindTitle)
    expect(terminal.screen()).toMatch(/❯ \d\d:\d\d {2}run echo one; echo two\n {2}\d\d:\d\d {2}edit price\.ts/)
    terminal.type('\r')
    await terminal.shows('Undone: “run echo one; echo two”')
    await terminal.shows('› run echo one; echo two')
    terminal.type('\u0015/quit\r')
    expect(await terminal.exit).toBe(0)
    await terminal.until(() => /plimsoll resume \S+/.test(terminal.everything()))
    const resume = /plimsoll resume (\S+)/.exec(terminal.everything())?.[1] ?? ''
    const again = openTerminal({ args: ['resume', resume], folder: terminal.folder })
    onTestFinished(again.end)
    await again.shows(`Session ${resume}: read price.ts`)
    await again.shows(/ \d+k (?:tokens|词元)/)
    again.type('\u0004')
    expect(await again.exit).toBe(0)
  })

  it('completes file names with their token counts and omits files that git ignores', async () => {
    const terminal = open()
    await terminal.ready()
    terminal.type('see @')
    await terminal.shows(/my notes\.md +\d[\d.]*k? tokens/)
    expect(terminal.screen()).not.toContain('left-out')
    terminal.type('not')
    await terminal.shows(/❯ my notes\.md/)
    terminal.type('\t')
    await terminal.shows('› see @"my notes.md"')
    terminal.type('\u0003')
    await terminal.shows(strings.placeholder)
  })

  it('stops a running command and shows its output so far', async () => {
    const terminal = open({ args: ['chat', '--model', 'offline', '--mode', 'auto'] })
    await terminal.ready()
    terminal.type('run echo begun; sleep 60\r')
    await terminal.shows('│ begun')
    terminal.type('\u001b')
    await terminal.shows('∙ stopped')
    terminal.type('read price.ts\r')
    await terminal.shows('● Read price.ts')
  })

  it('removes control sequences from tool output', async () => {
    const terminal = open({ args: ['chat', '--model', 'offline', '--mode', 'auto'] })
    await terminal.ready()
    terminal.type("run printf '\\033]0;owned\\007\\033[41mred\\033[2J\\n'\r")
    await terminal.shows('exit code 0')
    await terminal.shows(strings.placeholder)
    expect(terminal.written()).not.toMatch(/\u001b\]0;|\u001b\[41m/)
  })

  it('renders Chinese with double-width characters', async () => {
    const terminal = open({ environment: { LANG: 'zh_CN.UTF-8' } })
    await terminal.ready()
    expect(terminal.screen()).toContain('离线模型')
    terminal.type('你好')
    await terminal.shows('› 你好')
    await terminal.until(() => terminal.cursor().x === 6)
  })

  it('fits a tiny terminal and adapts to a new size', async () => {
    const terminal = open({ columns: 40, rows: 10 })
    await terminal.ready()
    terminal.type(`read price.ts and ${'a very long line '.repeat(20)}`)
    await terminal.shows('very long line')
    terminal.resize(100, 30)
    await terminal.shows(/offline model · .* · ask/)
    terminal.type('\r')
    await terminal.shows(/1 request|2 requests/)
  })

  it('writes no colours if they are turned off', async () => {
    const terminal = open({ environment: { NO_COLOR: '1' } })
    await terminal.ready()
    terminal.type('read price.ts\r')
    await terminal.shows('└ 1 line')
    expect(terminal.written()).not.toMatch(/\u001b\[\d*(?:;\d+)*m/)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('restores the terminal on %s', async (signal) => {
    const terminal = open()
    await terminal.ready()
    process.kill(terminal.pid, signal)
    await terminal.exit
    const written = terminal.written()
    expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
    expect(written.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(written.lastIndexOf('\u001b[?2004h'))
  })

  it('stores no session if nothing was sent', async () => {
    const terminal = open()
    await terminal.ready()
    terminal.type('\u0003')
    await terminal.shows(strings.againToQuit)
    terminal.type('\u0003')
    expect(await terminal.exit).toBe(0)
    expect(terminal.everything()).not.toContain('--resume')
  })
})
