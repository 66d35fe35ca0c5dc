import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { bashScript } from './bash-script.ts'
import { type CompletedCommand, completionTree } from './completion-tree.ts'
import { fishScript } from './fish-script.ts'
import { type CompletionShell, shellNames } from './shell-names.ts'
import { zshScript } from './zsh-script.ts'

/** Prints the script by which a shell completes the commands of a program. */
export function completionCommand(shell: string, program: Command, io: CommandIo, { completion }: Strings): void {
  const known = shellNames.find((name) => name === shell)
  if (known === undefined) throw new CommandError(completion.badShell(shellNames.join(', '), cleanText(JSON.stringify(shell))), 2)
  io.stdout.write(scripts[known](completionTree(program)))
}

const scripts: Readonly<Record<CompletionShell, (root: CompletedCommand) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
