import { stat } from 'node:fs/promises'
import type { ToolOutcome } from '@plimsoll/core'
import { z } from 'zod'
import { defineTool, failed, type ToolContext } from '../tool.ts'
import { longestTimer } from '../within.ts'
import { collectOutput } from './collect-output.ts'
import { watchOwnChanges } from './own-changes.ts'
import { runCommand } from './run-command.ts'
import { findShell, shellEnvironment } from './shell-environment.ts'

const input = z.object({
  command: z.string().min(1).describe('The command, as it would be typed into a shell. It may have several lines.'),
  timeout_seconds: z.number().positive().optional().describe('How long it may run, where the usual limit is too short.'),
  description: z.string().optional().describe('What it is for, in a few words.'),
})

/** Runs a command in the workspace, in a shell of its own. */
export const bashTool = defineTool({
  name: 'Bash',
  description:
    'Runs a command with bash in the folder of the workspace and gives back what it prints, with its exit code in the last line. ' +
    'Every call is a new shell: variables and cd do not carry over. There is no input and no terminal. ' +
    'Of long output the middle is left out and can be had back with recall. What still runs when the shell ends is ended; ' +
    'start a server that has to stay with setsid and its output in a file: setsid npm start > server.log 2>&1 &',
  input,
  access: 'run',
  isParallel: false,
  // A command can be anything, so saying yes to one says nothing about another.
  scope: 'call',
  // All of it: a permission that was given for one command must not hold for another that only begins like it.
  about: ({ command }) => command,
  preview: ({ command }) => Promise.resolve(command.includes('\n') ? command : null),
  run: runBash,
})

async function runBash({ command, timeout_seconds }: z.infer<typeof input>, context: ToolContext): Promise<ToolOutcome> {
  const { root, config, signal, now } = context
  signal.throwIfAborted()
  if (!(await isFolder(root)))
    return failed(`the folder of the workspace is gone: ${root}. Nothing was run; only the user can bring it back.`)
  const { timeout_seconds: usual, max_timeout_seconds: mostSeconds } = config.shell
  const seconds = Math.min(timeout_seconds ?? usual, mostSeconds)
  const environment = await shellEnvironment(context.environment)
  const shell = await findShell(environment)
  const noteOwnChanges = await watchOwnChanges(context.freshness, root)
  const collector = collectOutput(context)
  const started = now()
  try {
    const milliseconds = Math.min(seconds * 1000, longestTimer)
    const options = { shell, command, folder: root, environment, milliseconds, mostBytes, signal, onOutput: collector.write }
    const end = await runCommand(options)
    signal.throwIfAborted()
    return await collector.outcome(end, { durationMs: Math.max(0, now() - started), seconds, mostSeconds })
  } catch (error) {
    await collector.discard()
    signal.throwIfAborted()
    return failed(`the command could not be started: ${reasonOf(error, command)}`)
  } finally {
    await noteOwnChanges()
  }
}

/** A command that writes more is stopped: nobody will ever read it, and the disk belongs to others too. */
const mostBytes = 4_000_000_000

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

function reasonOf(error: unknown, command: string): string {
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) }
  if (code === 'E2BIG') return `it has ${command.length} characters, more than the system takes. Write it to a file and run that.`
  if (command.includes('\0')) return 'it has a NUL character, which no command can have.'
  return message
}
