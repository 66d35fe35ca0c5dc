import { policyNames } from '@plimsoll/core/policies'
import type { Argument, Command, Option } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { type CommandIo, oneOf } from '../command-io.ts'
import { dialects, exportFormats } from '../commands.ts'
import { shellNames, shells, wiredAgents } from '../gateway/agent-wiring.ts'
import { bashScript, fishScript, zshScript } from './completion-scripts.ts'

/** Prints the script by which a shell completes the commands of a program. */
export function completionCommand(shell: string, program: Command, io: CommandIo, { completion }: Strings): void {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  const known = oneOf(shell, shellNames, (given, names) => completion.badShell(names, given))
  io.stdout.write(scripts[known](completionTree(program)))
}

export interface CompletedCommand {
  readonly path: readonly string[]
  readonly description: string
  readonly commands: readonly CompletedCommand[]
  readonly options: readonly CompletedOption[]
  /** In order; the last one stands for all that follow if it may be repeated. */
  readonly values: readonly CompletedValue[]
}

export type CompletedOption = ReturnType<typeof optionsOf>[number]

/** The possible values in a place: these words, files, folders, sessions, or anything. */
export interface CompletedValue {
  readonly kind: WordKind
  readonly words: readonly string[]
  readonly isRepeated: boolean
}

function completionTree(program: Command, path: readonly string[] = []): CompletedCommand {
  return {
    path,
    description: program.description(),
    commands: program.commands.map((command) => completionTree(command, [...path, command.name()])),
    options: optionsOf(program),
    values:
      path.join(' ') === 'help'
        ? [
            {
              kind: 'words',
              words: program.parent?.commands.flatMap((known) => (known.name() === 'help' ? [] : known.name())) ?? [],
              isRepeated: false,
            },
          ]
        : program.registeredArguments.map((argument) => argumentValue(argument, path)),
  }
}

function optionsOf(command: Command) {
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
  return { kind, words: option.argChoices ?? wordsOf(kind), isRepeated: false }
}

function argumentValue(argument: Argument, path: readonly string[]): CompletedValue {
  const name = argument.name()
  const kind = path[0] === 'run' ? 'command' : (argumentKinds[name] ?? 'any')
  const words = kind === 'agent' ? wiredAgents : (argument.argChoices ?? wordsOf(kind))
  return { kind, words, isRepeated: argument.variadic }
}

/** Ids of sessions are loaded during completion. */
type WordKind = PlaceKind | keyof typeof wordLists
type PlaceKind = 'any' | 'words' | 'file' | 'folder' | 'command' | 'agent' | 'session' | 'file-or-session'

function wordsOf(kind: WordKind): readonly string[] {
  return Object.hasOwn(wordLists, kind) ? wordLists[kind as keyof typeof wordLists] : []
}

const wordLists = {
  policies: ['spec', 'digests', 'economy', ...policyNames],
  mode: ['read-only', 'ask', 'accept-edits', 'auto'],
  trim: ['observe', 'safe', 'spec', 'economy'],
  dialect: Object.keys(dialects),
  format: Object.keys(exportFormats),
  reasoning: ['none', 'low', 'medium', 'high'],
  'env-shell': shells,
  shell: shellNames,
  'log-level': ['debug', 'info', 'warn', 'silent'],
} as const

const optionKinds: Readonly<Record<string, WordKind>> = {
  '--config': 'file',
  '--root': 'folder',
  '--out': 'file',
  '--html': 'file',
  '--policies': 'policies',
  '--under': 'policies',
  '--mode': 'mode',
  '--trim': 'trim',
  '--dialect': 'dialect',
  '--format': 'format',
  '--reasoning': 'reasoning',
  '--shell': 'env-shell',
  '--log': 'log-level',
  '--resume': 'session',
  '--session': 'session',
}

/** By the names of arguments in the help. */
const argumentKinds: Readonly<Record<string, WordKind>> = {
  FILE: 'file',
  PATH: 'file',
  'PATH|SESSION': 'file-or-session',
  ID: 'session',
  AGENT: 'agent',
  SHELL: 'shell',
}
