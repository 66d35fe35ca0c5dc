import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import type { Strings } from '../strings/strings-for.ts'
import { environmentLocale, type Output } from './command-io.ts'
import { run } from './run.ts'

// The one place that ends the process: everything else returns or throws.

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// The AI SDK's remarks are for programmers, and would appear in the middle of the output.
globalThis.AI_SDK_LOG_WARNINGS = false

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has left (`| head`).
  if (error.code === 'EPIPE') process.exit(0)
  void endWith(({ command, session }) => command.notPrinted(session.reason(error.code ?? error.message)))
})
process.stderr.on('error', () => process.exit(1))

process.exitCode = await run(process.argv.slice(2), {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  stdin: standardInput(),
  isInputTerminal: isatty(0),
  environment: process.env,
  folder: currentFolder() ?? (await endWith(({ command }) => command.folderGone)),
  platform: process.platform,
  now: Date.now,
  interrupted,
  stopped,
  onSignal,
  background: (module) => void runInBackground(module),
})

async function runInBackground(module: URL): Promise<void> {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [fileURLToPath(module)], { detached: true, stdio: 'ignore', windowsHide: true })
  // Without it, figures are as old as they are.
  child.on('error', () => undefined).unref()
}

/** Null if another program has removed the folder. */
function currentFolder(): string | null {
  try {
    return process.cwd()
  } catch {
    return null
  }
}

/** Loads sentences only to end with one, which keeps the start quick. */
async function endWith(reason: (strings: Strings) => string): Promise<never> {
  const strings = (await import('../strings/strings-for.ts')).stringsFor(environmentLocale(process.env))
  process.stderr.write(`${strings.command.error(reason(strings))}\n`)
  process.exit(1)
}

function interrupted(): AbortSignal {
  const controller = new AbortController()
  process.once('SIGINT', () => controller.abort())
  return controller.signal
}

/** The second signal ends the process as usual. */
function stopped(): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    for (const signal of signals) process.off(signal, stop)
    controller.abort()
  }
  for (const signal of signals) process.on(signal, stop)
  return controller.signal
}

function onSignal(listener: (signal: (typeof signals)[number]) => void): () => void {
  const tell = (signal: NodeJS.Signals) => listener(signal as (typeof signals)[number])
  for (const signal of signals) process.on(signal, tell)
  return () => {
    for (const signal of signals) process.off(signal, tell)
  }
}

async function* standardInput(): AsyncIterable<Uint8Array> {
  // Node's stream of a folder is silently empty.
  if (fstatSync(0).isDirectory()) throw Object.assign(new Error('standard input is a folder'), { code: 'EISDIR' })
  yield* process.stdin
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY, columns: stream.isTTY ? stream.columns : null }
}
