import module from 'node:module'
import { join } from 'node:path'
import { cacheFolder } from '../../config/home-folder.ts'
import type { HookedAgent } from './hook-agents.ts'

// The hook as a program for plugins: `node hook.mjs AGENT`. It ends with 0 in any case, because agents show an error otherwise.

const compilers = ['opt', 'maglev', 'sparkplug']
process.on('uncaughtException', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))
// For the short time it runs, optimising its code takes longer than it saves.
const engine = process.getBuiltinModule?.('node:v8')
for (const kind of compilers) engine?.setFlagsFromString(`--no-${kind}`)
// Compiled once, loaded by every call after that: a fourth less work.
const cache = cacheFolder(process.env)
if (cache !== null) module.enableCompileCache?.(join(cache, 'compiled'))
const { runHook } = await import('./run-hook.ts')
// An unknown agent's input cannot be read, and nothing is answered.
await runHook(process.argv[2] as HookedAgent, {
  stdin: process.stdin,
  environment: process.env,
  folder: process.cwd(),
  platform: process.platform,
  now: Date.now,
  write: (text) => void process.stdout.write(text),
  onLarge() {
    for (const kind of compilers) engine?.setFlagsFromString(`--${kind}`)
  },
})
