import { escapeUnprintable } from '@plimsoll/core/text'
import { Command, CommanderError } from 'commander'
import { nearest } from '../config/nearest.ts'
import { thrownText } from '../files/problem.ts'
import { SessionError, sessionProblemText } from '../session/session-error.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { CommandError, type CommandIo, EndedWith, environmentLocale, packageVersion } from './command-io.ts'
import { addCommands, withCommand } from './commands.ts'
import { cleanText, displayWidth, wrapText } from './terminal/text.ts'

/** Parses one command line, runs its command and returns the exit code. Never throws and never ends the process. */
export async function runProgram(args: readonly string[], io: CommandIo): Promise<number> {
  let strings = stringsFor(environmentLocale(io.environment))
  const speak = (configured: Strings) => {
    strings = configured
  }
  const meant = withCommand(args)
  let program: Command | null = null
  try {
    program = createProgram({ ...io, speak }, strings)
    await program.parseAsync(meant, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof EndedWith) return error.exitCode
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    // Loaded only to report an error, which keeps the start quick.
    const { redactSecrets } = await import('../shared/redact/redact.ts')
    return explain(error, program === null ? null : commandIn(meant, program), { io, strings, redactSecrets })
  }
}

function createProgram(io: CommandIo, strings: Strings): Command {
  const { command } = strings
  const translated = (text: string) =>
    text.replaceAll(/\[(?:options|command)\]|^[A-Z]\w+:$/g, (word) => command.helpWords[word] ?? word)
  const helpWidth = Math.min(100, io.stdout.columns ?? 80)
  const program = new Command('plimsoll')
    .description(command.program)
    .version(packageVersion(), '-V, --version', command.version)
    .helpOption('-h, --help', command.help)
    .helpCommand(false)
    // Options after a command belong to that command.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({
      styleTitle: translated,
      styleUsage: translated,
      styleSubcommandTerm: translated,
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
    // The library puts a space after its first title, which has a full-width colon in Chinese.
    .configureOutput({ writeOut: (text) => io.stdout.write(text.replace('： ', '：')), writeErr: () => undefined })
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

/** The command that the arguments name; the program itself if they name none. */
function commandIn(args: readonly string[], program: Command): Command {
  let called = program
  for (const word of args) {
    const found = called.commands.find((command) => command.name() === word)
    if (found === undefined || word === 'help') break
    called = found
  }
  return called
}

interface Explaining {
  readonly io: CommandIo
  readonly strings: Strings
  readonly redactSecrets: (text: string) => string
}

function explain(error: unknown, called: Command | null, { io, strings, redactSecrets }: Explaining): number {
  const { command } = strings
  // The last safeguard before a terminal, and before a report of an error.
  const say = (text: string) => io.stderr.write(`${redactSecrets(text).split('\n').map(escapeUnprintable).join('\n')}\n`)
  if (error instanceof CommanderError && called !== null) {
    say(command.error(usageText(error, called, command)))
    return 2
  }
  if (error instanceof CommandError) {
    say(command.error(error.message))
    return error.exitCode
  }
  if (error instanceof SessionError) {
    say(command.error(sessionProblemText(error.problem, strings.session)))
    return 1
  }
  say(command.error(command.unexpected(cleanText(thrownText(error)))))
  if ((io.environment['PLIMSOLL_DEBUG'] ?? '') !== '' && error instanceof Error) say(error.stack ?? '')
  return 1
}

/** Explains in the user's language what is wrong with a command line, with the nearest name that exists. */
function usageText({ code, message }: CommanderError, called: Command, command: Strings['command']): string {
  // A group that also runs alone counts an unknown subcommand as an argument too many.
  const isCommand = code === 'commander.unknownCommand' || (code === 'commander.excessArguments' && called.commands.length > 0)
  const name = cleanText((isCommand ? called.args[0] : /'(.*?)'/s.exec(message)?.[1]) ?? '')
  const near = isCommand ? nearestCommand(name, called) : /\(Did you mean (?:one of )?(.{1,200}?)\?\)/.exec(message)?.[1]
  const said = isCommand ? command.unknownCommand(name) : problem(code, name, pathOf(called), command)
  const sentences = [
    command.sentence(said ?? cleanText(message.replace(/^error: /, ''))),
    ...(near === undefined ? [] : [command.didYouMean(cleanText(near))]),
    command.seeHelp(pathOf(called)),
  ]
  return sentences.join(command.betweenSentences)
}

function pathOf(called: Command): string {
  return called.parent === null ? called.name() : `${pathOf(called.parent)} ${called.name()}`
}

/** Also finds `plimsoll sessions pin` for `plimsoll pin`. */
function nearestCommand(word: string, { commands }: Command): string | undefined {
  const known = [...commands, ...commands.flatMap((group) => group.commands)]
  const names = known.map((command) => command.name())
  const found = known[names.indexOf(nearest(word, names) ?? '')]
  return found === undefined ? undefined : pathOf(found)
}

function problem(code: string, name: string, program: string, command: Strings['command']): string | null {
  // `resume` showed the next request once, with options.
  const unknownOption = program === 'plimsoll resume' ? command.resumeOption : command.unknownOption
  if (code === 'commander.unknownOption') return unknownOption(name)
  if (code === 'commander.optionMissingArgument') return command.missingValue(name)
  if (code === 'commander.missingArgument') return command.missingArgument(name)
  if (code !== 'commander.excessArguments') return null
  return program === 'plimsoll view' ? command.tooManyArguments : command.excessArguments
}
