import { escapeUnprintable } from '@plimsoll/core/text'
import { Command, CommanderError } from 'commander'
import { thrownText } from '../files/trouble.ts'
import { SessionError, sessionTroubleText } from '../session/session-error.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, environmentLocale, packageVersion } from './command-io.ts'
import { addCommands, withCommand } from './commands.ts'
import { cleanText, displayWidth, wrapText } from './terminal/text.ts'

/** Runs one command line and returns its exit code. Never throws and never ends the process. */
export async function run(words: readonly string[], io: CommandIo): Promise<number> {
  let strings = stringsFor(environmentLocale(io.environment))
  const speak = (configured: Strings) => {
    strings = configured
  }
  const meant = withCommand(words)
  let program: Command | null = null
  try {
    program = createProgram({ ...io, speak }, strings)
    await program.parseAsync(meant, { from: 'user' })
    return 0
  } catch (error) {
    return explain(error, commandIn(meant, program), program?.commands ?? [], io, strings)
  }
}

function createProgram(io: CommandIo, strings: Strings): Command {
  const { command } = strings
  const helpWidth = Math.min(100, io.stdout.columns ?? 80)
  const program = new Command('plimsoll')
    .description(command.program)
    .version(packageVersion(), '-V, --version', command.version)
    .helpOption('-h, --help', command.help)
    .helpCommand(false)
    // Options after a command belong to that command, here and in `sessions`.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({
      styleTitle: (title) => new Map(Object.entries(command.helpTitles)).get(title) ?? title,
      helpWidth,
      // The library counts every character as one column, and breaks lines only between words.
      displayWidth,
      boxWrap: (text, columns) =>
        text
          .split('\n')
          .flatMap((line) => wrapText(line, columns))
          .join('\n'),
    })
    // `explain` reports errors once, in the user's language.
    .configureOutput({ writeOut: io.stdout.write, writeErr: () => undefined })
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll\n  plimsoll serve\n  plimsoll chat\n  plimsoll -p "why does the test fail?"\n  plimsoll run -- claude\n  plimsoll view\n\n${wrapText(command.helpHint, helpWidth).join('\n')}`,
    )
  addCommands(program, io, strings)
  // The library's own help command ignores unknown commands.
  program
    .command('help')
    .description(command.help)
    .helpOption('-h, --help', command.help)
    .argument('[command]')
    .allowExcessArguments()
    .action(async (name: string | undefined) => {
      const wanted = name === undefined ? program : program.commands.find((known) => known.name() === name)
      if (wanted === undefined) await program.parseAsync([name ?? ''], { from: 'user' })
      else wanted.outputHelp()
    })
  return program
}

function commandIn(words: readonly string[], program: Command | null): string {
  let name = 'plimsoll'
  let known = program?.commands ?? []
  for (const word of words) {
    const found = known.find((command) => command.name() === word)
    if (found === undefined || word === 'help') break
    name += ` ${word}`
    known = found.commands
  }
  return name
}

function explain(error: unknown, name: string, known: readonly Command[], io: CommandIo, strings: Strings): number {
  const { command } = strings
  // The last safeguard before a terminal.
  const say = (text: string) => io.stderr.write(`${text.split('\n').map(escapeUnprintable).join('\n')}\n`)
  if (error instanceof EndedWith) return error.exitCode
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    say(command.error(usageText(error, name, command, known)))
    return 2
  }
  if (error instanceof CommandError) {
    say(command.error(error.message))
    return error.exitCode
  }
  if (error instanceof SessionError) {
    say(command.error(sessionTroubleText(error.trouble, strings.session)))
    return 1
  }
  say(command.error(command.unexpected(cleanText(thrownText(error)))))
  if ((io.environment['PLIMSOLL_DEBUG'] ?? '') !== '' && error instanceof Error) say(error.stack ?? '')
  return 1
}

/** Explains in the user's language what is wrong with a command line, with the nearest name that exists. */
function usageText({ code, message }: CommanderError, program: string, command: Strings['command'], known: readonly Command[]) {
  const name = cleanText(/'(.*?)'/s.exec(message)?.[1] ?? '')
  // A command under another one, such as `plimsoll sessions pin`.
  const parent = known.find(({ commands }) => commands.some((inner) => inner.name() === name))
  const inside = code === 'commander.unknownCommand' && parent !== undefined ? `plimsoll ${parent.name()} ${name}` : null
  const near = inside ?? /\(Did you mean (?:one of )?(.+?)\?\)/.exec(message)?.[1]
  const sentences = [
    command.sentence(problem(code, name, program, command) ?? cleanText(message.replace(/^error: /, ''))),
    ...(near === undefined ? [] : [command.didYouMean(cleanText(near))]),
    command.seeHelp(program),
  ]
  return sentences.join(command.betweenSentences)
}

function problem(code: string, name: string, program: string, command: Strings['command']): string | null {
  if (code === 'commander.unknownCommand') return command.unknownCommand(name)
  if (code === 'commander.unknownOption') return command.unknownOption(name)
  if (code === 'commander.optionMissingArgument') return command.missingValue(name)
  if (code === 'commander.missingArgument') return command.missingArgument(name)
  if (code !== 'commander.excessArguments') return null
  return program === 'plimsoll view' ? command.tooManyArguments : command.excessArguments
}
