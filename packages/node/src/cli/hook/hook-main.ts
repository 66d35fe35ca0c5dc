import { hookedAgents } from './hook-agents.ts'
import { runHook } from './run-hook.ts'

// The hook as a program of one file, for plugins: `node hook.js AGENT`. It ends with 0 in any case, because agents show an error otherwise.

const agent = hookedAgents.find((name) => name === process.argv[2])
process.on('uncaughtException', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))
if (agent !== undefined)
  await runHook(agent, {
    stdin: process.stdin,
    environment: process.env,
    folder: process.cwd(),
    platform: process.platform,
    now: Date.now,
    write: (text) => void process.stdout.write(text),
  })
