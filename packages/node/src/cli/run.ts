import { readFileSync } from 'node:fs'
import { codecs, type PeopleStrings, peopleStrings } from '@plimsoll/core'
import { Command, CommanderError } from 'commander'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { environmentLocale } from './locale.ts'
import { cleanText } from './terminal-text.ts'
import { usageText } from './usage-text.ts'
import { viewCommand } from './view-command.ts'
import type { ViewOptions } from './view-options.ts'

/** Runs one command line and returns its exit code. Never throws and never ends the process. */
export async function run(words: readonly string[], io: CommandIo): Promise<0 | 1 | 2> {
  const strings = peopleStrings(environmentLocale(io.environment))
  try {
    const program = createProgram(io, strings)
    if (words.length === 0) program.outputHelp()
    else await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    return explain(error, io, strings)
  }
}

function createProgram(io: CommandIo, { command }: PeopleStrings): Command {
  const program = new Command('plimsoll')
    .description(command.program)
    .version(packageVersion(), '-V, --version', command.version)
    .helpOption('-h, --help', command.help)
    .helpCommand('help [command]', command.help)
    .exitOverride()
    .configureHelp({ styleTitle: (title) => titleIn(title, command), helpWidth: Math.min(100, io.stdout.columns ?? 80) })
    // What is wrong is said once, in the user's language, by `explain`.
    .configureOutput({ writeOut: io.stdout.write, writeErr: () => undefined })
  program
    .command('view')
    .description(command.view)
    .helpOption('-h, --help', command.help)
    .argument('[FILE]', command.file)
    .option('--now <ISO>', command.now)
    .option('--root <DIR>', command.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--model <M>', command.model)
    .option('--dialect <NAME>', command.dialect(Object.keys(codecs).join(', ')))
    .option('--conversation <N>', command.conversation)
    .option('--exact', command.exact)
    .option('--all', command.all)
    .option('--json', command.json)
    .option('--no-color', command.noColor)
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll view\n  plimsoll view chat.json --now 2026-01-31T10:00:00Z --root .\n  plimsoll view - --json < request.json`,
    )
    .action((file: string | undefined, options: ViewOptions) => viewCommand(file, options, io))
  return program
}

function explain(error: unknown, io: CommandIo, strings: PeopleStrings): 0 | 1 | 2 {
  const { command } = strings
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    io.stderr.write(`${command.error(usageText(error, command))}\n`)
    return 2
  }
  if (error instanceof CommandError) {
    io.stderr.write(`${command.error(error.message)}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  io.stderr.write(`${command.error(command.unexpected(cleanText(message)))}\n`)
  if ((io.environment['PLIMSOLL_DEBUG'] ?? '') !== '' && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`)
  return 1
}

function titleIn(title: string, { helpTitles }: PeopleStrings['command']): string {
  return Object.hasOwn(helpTitles, title) ? helpTitles[title as keyof typeof helpTitles] : title
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
