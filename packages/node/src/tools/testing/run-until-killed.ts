import { findShell } from '../command/bash-tool.ts'
import { runCommand } from '../command/run-command.ts'

// Runs a command as the agent does, until it ends or this process is killed: `node run-until-killed.ts FOLDER COMMAND`.

const [folder = '', command = ''] = process.argv.slice(2)
await runCommand({
  shell: await findShell(process.env),
  command,
  folder,
  environment: process.env,
  milliseconds: 600_000,
  maxBytes: 1_000_000,
  signal: new AbortController().signal,
  onOutput: () => undefined,
})
