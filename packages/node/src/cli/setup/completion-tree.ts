import type { Argument, Command, Option } from 'commander'
import { wiredAgents } from '../gateway/agent-wiring.ts'
import { argumentKinds, optionKinds, type WordKind, wordLists } from './word-kinds.ts'

/** A command as a shell has to know it. */
export interface CompletedCommand {
  /** The words that lead to it, `plimsoll` left out. */
  readonly path: readonly string[]
  readonly description: string
  readonly commands: readonly CompletedCommand[]
  readonly options: readonly CompletedOption[]
  /** What its arguments are, in order; the last one stands for all that follow where it may be given often. */
  readonly values: readonly CompletedValue[]
}

/** An option. */
export interface CompletedOption {
  readonly names: readonly string[]
  readonly description: string
  /** Null where it takes no value. */
  readonly value: CompletedValue | null
}

/** What may stand in a place: some of these words, files, folders, sessions, or whatever. */
export interface CompletedValue {
  readonly kind: WordKind
  readonly words: readonly string[]
  readonly isRepeated: boolean
}

/** The tree of commands with all that can be completed, from the one that the program itself goes by. */
export function completionTree(program: Command, path: readonly string[] = []): CompletedCommand {
  return {
    path,
    description: program.description(),
    commands: program.commands.map((command) => completionTree(command, [...path, command.name()])),
    options: optionsOf(program),
    values:
      path.join(' ') === 'help'
        ? [helpValue(program)]
        : program.registeredArguments.map((argument) => argumentValue(argument, path)),
  }
}

function optionsOf(command: Command): readonly CompletedOption[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      names: [option.short, option.long].flatMap((name) => name ?? []),
      description: option.description,
      value: option.required || option.optional ? optionValue(option) : null,
    }))
}

function optionValue(option: Option): CompletedValue {
  const kind = optionKinds[option.long ?? ''] ?? 'any'
  return { kind, words: option.argChoices ?? wordLists[kind] ?? [], isRepeated: false }
}

function argumentValue(argument: Argument, path: readonly string[]): CompletedValue {
  const name = argument.name()
  const kind = path[0] === 'run' ? 'command' : (argumentKinds[name] ?? 'any')
  const words = kind === 'agent' ? wiredAgents : (argument.argChoices ?? wordLists[kind] ?? [])
  return { kind, words, isRepeated: argument.variadic }
}

function helpValue(command: Command): CompletedValue {
  const words = command.parent?.commands.map((known) => known.name()).filter((name) => name !== 'help') ?? []
  return { kind: 'words', words, isRepeated: false }
}
