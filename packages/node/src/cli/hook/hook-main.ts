import { readFileSync, readSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder } from '../../config/home-folder.ts'
import { readOwnFile, replaceFile } from '../../files/memory-file.ts'
import type { HookedAgent } from './hook-agents.ts'
import type { runHook } from './run-hook.ts'

// The hook as a program, for plugins and for `plimsoll hook AGENT`: `node hook.cjs AGENT`. It ends with 0 in any case, because agents show an error otherwise. Agents wait for it after every
// tool, and most of its time would be loading: it reads and writes without streams, and loads the rest of itself compiled.

process.on('uncaughtException', () => process.exit(0))
void main()

async function main(): Promise<void> {
  const path = join(import.meta.dirname, 'run-hook.cjs')
  const code = `(function (exports, require, load) {${readFileSync(path, 'utf8')}\n})`
  const folder = cacheFolder(process.env)
  const file = folder === null ? null : join(folder, 'hook', `compiled-${basename(import.meta.dirname)}`)
  const found = file === null ? null : readCompiled(file, code)
  const script = new Script(code, {
    filename: path,
    ...(found === null ? {} : { cachedData: found.data }),
  })
  const loaded: { runHook?: typeof runHook } = {}
  script.runInThisContext()(
    loaded,
    (name: string) => process.getBuiltinModule(name),
    // A script loaded this way cannot import.
    (name: string) => import(name),
  )

  // For the short time it runs, optimising its code takes longer than it saves. Changed only now: what Node has compiled itself is not used with other flags.
  const compilers = ['opt', 'maglev', 'sparkplug']
  const engine = process.getBuiltinModule('node:v8')
  const optimise = (how: '' | 'no-') => {
    for (const kind of compilers) engine.setFlagsFromString(`--${how}${kind}`)
  }
  let hasAnswered = false
  optimise('no-')
  // An unknown agent's input cannot be read, and nothing is answered.
  await loaded.runHook?.(process.argv.at(-1) as HookedAgent, {
    stdin: { [Symbol.iterator]: standardInput },
    environment: process.env,
    folder: process.cwd(),
    platform: process.platform,
    now: Date.now,
    write(text) {
      writeAll(Buffer.from(text))
      hasAnswered = true
    },
    onLarge: () => optimise(''),
  })
  optimise('')
  // After an answer, it has all functions that one needs.
  if (file !== null && (found === null || script.cachedDataRejected === true || (hasAnswered && !found.isWhole))) {
    const data = script.createCachedData()
    replaceFile(file, Buffer.concat([Buffer.from(`${headOf(code, data)} ${hasAnswered ? 'whole' : 'part'}\n`), data]))
  }
}

/** V8 checks its own version, but neither the code nor that the data is intact. */
function headOf(code: string, data: Uint8Array): string {
  const { crc32 } = process.getBuiltinModule('node:zlib')
  return `plimsoll hook 1 ${process.arch} ${crc32(code)} ${crc32(data)}`
}

function readCompiled(from: string, code: string): { readonly data: Buffer; readonly isWhole: boolean } | null {
  const bytes = readOwnFile(from)
  const end = bytes?.indexOf('\n') ?? -1
  if (bytes === null || end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const data = bytes.subarray(end + 1)
  return head.startsWith(headOf(code, data)) ? { data, isWhole: head.endsWith(' whole') } : null
}

function* standardInput(): Generator<Uint8Array> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536)
    const bytes = patiently(() => readSync(0, chunk))
    if (bytes === 0) return
    yield chunk.subarray(0, bytes)
  }
}

function writeAll(bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += patiently(() => writeSync(1, bytes, from))
}

/** Tries again while a pipe of the agent's, which may not wait, is empty or full. 0 at the end of a pipe on Windows. */
function patiently(work: () => number): number {
  for (;;) {
    try {
      return work()
    } catch (error) {
      const { code: problem } = error as NodeJS.ErrnoException
      if (problem === 'EOF') return 0
      if (problem !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
