import type { PeopleStrings } from '@plimsoll/core'
import type { CommanderError } from 'commander'
import { cleanText } from './clean-text.ts'

/** Says in the user's language what is wrong with a command line, with the nearest name that exists and where to look. */
export function usageText({ code, message }: CommanderError, program: string, command: PeopleStrings['command']): string {
  const name = cleanText(/'(.*?)'/s.exec(message)?.[1] ?? '')
  const near = /\(Did you mean (?:one of )?(.+?)\?\)/.exec(message)?.[1]
  const sentences = [
    command.sentence(problem(code, name, program, command) ?? cleanText(message.replace(/^error: /, ''))),
    ...(near === undefined ? [] : [command.didYouMean(cleanText(near))]),
    command.seeHelp(program),
  ]
  return sentences.join(' ')
}

function problem(code: string, name: string, program: string, command: PeopleStrings['command']): string | null {
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
