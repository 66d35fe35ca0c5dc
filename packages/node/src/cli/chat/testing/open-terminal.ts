import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { stringsFor } from '../../../strings/strings-for.ts'

/** The program in a virtual terminal. */
export interface TestTerminal {
  readonly pid: number
  /** The text on the screen, without trailing blanks. */
  readonly screen: () => string
  /** The same with everything that was scrolled away. */
  readonly everything: () => string
  readonly cursor: () => { readonly x: number; readonly y: number }
  readonly type: (keys: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Waits until the screen shows a text. */
  readonly shows: (text: string | RegExp) => Promise<void>
  readonly until: (isSo: () => boolean) => Promise<void>
  /** Waits until nothing is running that Escape would stop. */
  readonly rests: () => Promise<void>
  /** Every byte that the program wrote. */
  readonly written: () => string
  readonly exit: Promise<number>
  readonly end: () => void
}

export interface TerminalOptions {
  readonly args: readonly string[]
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly columns?: number
  readonly rows?: number
  /** A file for its standard error. Default: the terminal. */
  readonly errors?: string
  /** Node and the command that it runs. Default: this Node and the built command. */
  readonly program?: readonly [node: string, command: string]
}

const binary = fileURLToPath(new URL('../../../../bin/plimsoll.js', import.meta.url))

/** Starts the program in a pseudo-terminal, far from the machine's own configuration and keys. */
export function openTerminal(options: TerminalOptions): TestTerminal {
  const {
    args,
    folder,
    environment = {},
    columns = 80,
    rows = 24,
    errors,
    program: command = [process.execPath, binary],
  } = options
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true })
  const shell = ['/bin/sh', '-c', 'exec "$@" 2>"$0"', errors ?? '']
  const [program = '', ...all] = [...(errors === undefined ? [] : shell), ...command, ...args]
  const child = spawn(program, all, {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      TERM: 'xterm-256color',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      HOME: folder,
      XDG_STATE_HOME: `${folder}/.state`,
      XDG_CONFIG_HOME: `${folder}/.config`,
      LANG: 'C',
      PLIMSOLL_LOG: 'silent',
      ...environment,
    },
  })
  let written = ''
  child.onData((data) => {
    written += data
    terminal.write(data)
  })
  // A terminal answers questions about itself.
  terminal.onData((data) => child.write(data))
  const { promise: exit, resolve } = Promise.withResolvers<number>()
  let hasEnded = false
  child.onExit(async ({ exitCode }) => {
    hasEnded = true
    // The last output may arrive after the end, and the terminal needs time to draw it.
    for (let length = -1; length !== written.length; await wait(100)) length = written.length
    terminal.write('', () => resolve(exitCode))
  })
  const lines = (start: number) => {
    const { active } = terminal.buffer
    return Array.from(
      { length: active.length - start },
      (_, index) => active.getLine(start + index)?.translateToString(true) ?? '',
    )
      .join('\n')
      .trimEnd()
  }
  const screen = () => lines(terminal.buffer.active.baseY)
  async function until(isSo: () => boolean): Promise<void> {
    const deadline = Date.now() + 120_000
    while (!isSo()) {
      if (Date.now() > deadline) throw new Error(`not seen in time; the screen is\n${lines(0)}`)
      await wait(20)
    }
  }
  return {
    pid: child.pid,
    screen,
    everything: () => lines(0),
    cursor: () => ({ x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY }),
    type: (keys) => child.write(keys),
    resize(width, height) {
      child.resize(width, height)
      terminal.resize(width, height)
    },
    shows: (text) => until(() => (typeof text === 'string' ? screen().includes(text) : text.test(screen()))),
    until,
    rests: () => until(() => !screen().split('\n').some(isAtWork)),
    written: () => written,
    exit,
    end() {
      if (!hasEnded) child.kill('SIGKILL')
    },
  }
}

/** The first lines of the screen name the key as well. */
function isAtWork(line: string): boolean {
  return line.includes(stringsFor('en').chat.escStops) && !line.startsWith('/help')
}
