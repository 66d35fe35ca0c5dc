import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { z } from 'zod'
import { codeOf, thrownText } from '../../files/problem.ts'
import type { Environment } from '../../model/server-access.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { defineTool, type Freshness, failed, type ToolContext } from '../tool.ts'
import { inParallel, maxTimer } from '../work-limits.ts'
import { collectOutput } from './collect-output.ts'
import { runCommand } from './run-command.ts'

const input = z.object({
  command: z.string().min(1).describe('The command, as it would be typed into a shell. It may have several lines.'),
  timeout_seconds: z.number().positive().optional().describe('How long it may run, where the usual limit is too short.'),
  description: z.string().optional().describe('What it is for, in a few words.'),
})

export const bashTool = defineTool({
  name: 'Bash',
  description:
    'Runs a command with bash in the folder of the workspace and gives back what it prints, with its exit code in the last line. ' +
    'Every call is a new shell: variables and cd do not carry over. There is no input and no terminal. ' +
    'The middle of long output is omitted and can be recalled. Processes that still run when the shell ends are stopped; ' +
    'start a server that has to stay with setsid and its output in a file: setsid npm start > server.log 2>&1 &',
  input,
  access: 'run',
  isParallel: false,
  // A command can be anything, so allowing one says nothing about another.
  scope: 'call',
  // All of it: a permission that was given for one command must not hold for another that only starts like it.
  about: ({ command }) => command,
  preview: ({ command }) => Promise.resolve(command.includes('\n') ? command : null),
  run: runBash,
})

async function runBash({ command, timeout_seconds }: z.infer<typeof input>, context: ToolContext): Promise<ToolOutcome> {
  const { root, config, signal, now } = context
  signal.throwIfAborted()
  if ((await stat(root).catch(() => null))?.isDirectory() !== true)
    return failed(`the folder of the workspace is gone: ${root}. Nothing was run; only the user can bring it back.`)
  const { timeout_seconds: usual, max_timeout_seconds: maxSeconds } = config.shell
  const seconds = Math.min(timeout_seconds ?? usual, maxSeconds)
  const environment = await shellEnvironment(context.environment)
  const shell = await findShell(environment)
  const noteOwnChanges = await watchOwnChanges(context.freshness, root)
  const collector = collectOutput(context)
  const started = now()
  try {
    const milliseconds = Math.min(seconds * 1000, maxTimer)
    const options = { shell, command, folder: root, environment, milliseconds, maxBytes, signal, onOutput: collector.write }
    const end = await runCommand(options)
    signal.throwIfAborted()
    return await collector.outcome(end, { durationMs: Math.max(0, now() - started), seconds, maxSeconds })
  } catch (error) {
    await collector.discard()
    signal.throwIfAborted()
    return failed(`the command could not be started: ${reasonOf(error, command)}`)
  } finally {
    await noteOwnChanges()
  }
}

const maxBytes = 4_000_000_000

function reasonOf(error: unknown, command: string): string {
  if (codeOf(error) === 'E2BIG')
    return `it has ${command.length} characters, more than the system takes. Write it to a file and run that.`
  return command.includes('\0') ? 'it has a NUL character, which no command can have.' : thrownText(error)
}

async function shellEnvironment(environment: Environment): Promise<Environment> {
  // Loaded here: the providers bring their libraries with them, which would slow down the start.
  const { providers } = await import('../../model/providers.ts')
  // A model wrote the command, perhaps after reading a page that wants them: `env` must not show the keys that pay for it.
  const hidden = new Set([...providers.flatMap(({ keys }) => keys), 'FORCE_COLOR'])
  const kept = Object.entries(environment).filter(([name]) => !hidden.has(name))
  return { ...Object.fromEntries(kept), PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'dumb', NO_COLOR: '1' }
}

export async function findShell({ PATH = '' }: Environment): Promise<readonly [program: string, flag: string]> {
  for (const folder of [...PATH.split(delimiter), '/bin', '/usr/bin', '/usr/local/bin']) {
    const program = join(folder, 'bash')
    const isThere = folder.startsWith('/') && (await access(program, constants.X_OK).catch(() => false)) !== false
    if (isThere) return [program, '-c']
  }
  return ['sh', '-c']
}

/** Files that change while a command runs were changed by the agent. Call the returned function after the command. */
async function watchOwnChanges(freshness: Freshness, root: string): Promise<() => Promise<void>> {
  const timesOf = (files: readonly { readonly path: string }[]) =>
    inParallel(files, async ({ path }) => (await stat(resolve(root, path)).catch(() => null))?.mtimeMs ?? null, { atOnce: 64 })
  const known = freshness.known()
  const before = await timesOf(known)
  const watched = known.filter(({ mtime }, index) => before[index] === mtime)
  return async () => {
    const after = await timesOf(watched)
    for (const [index, { path, mtime }] of watched.entries()) {
      const time = after[index] ?? null
      if (time !== null && time !== mtime) freshness.wrote(path, time)
    }
  }
}
