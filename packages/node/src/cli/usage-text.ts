import type { Command, CommanderError } from 'commander'
import type { Strings } from '../strings/strings-for.ts'
import { cleanText } from './terminal/clean-text.ts'

/**
 * Says in the user's language what is wrong with a command line, with the nearest name that exists and where to look. `known` are the
 * program's commands: one that stands under another of them is named whole.
 */
export function usageText(
  { code, message }: CommanderError,
  program: string,
  command: Strings['command'],
  known: readonly Command[],
): string {
  const name = cleanText(/'(.*?)'/s.exec(message)?.[1] ?? '')
  const inside = code === 'commander.unknownCommand' ? whole(name, known) : null
  const near = inside ?? /\(Did you mean (?:one of )?(.+?)\?\)/.exec(message)?.[1]
  const sentences = [
    command.sentence(problem(code, name, program, command) ?? cleanText(message.replace(/^error: /, ''))),
    ...(near === undefined ? [] : [command.didYouMean(cleanText(near))]),
    command.seeHelp(program),
  ]
  return sentences.join(command.betweenSentences)
}

/** A command that stands under another one, with all of its words: `plimsoll sessions pin`. */
function whole(name: string, known: readonly Command[]): string | null {
  const parent = known.find(({ commands }) => commands.some((inner) => inner.name() === name))
  return parent === undefined ? null : `plimsoll ${parent.name()} ${name}`
}

function problem(code: string, name: string, program: string, command: Strings['command']): string | null {
  switch (code) {
    case 'commander.unknownCommand':
      return command.unknownCommand(name)
    case 'commander.unknownOption':
      return command.unknownOption(name)
    case 'commander.optionMissingArgument':
      return command.missingValue(name)
    case 'commander.excessArguments':
      return program === 'plimsoll view' ? command.tooManyArguments : command.excessArguments
    case 'commander.missingArgument':
      return command.missingArgument(name)
    default:
      return null
  }
}
