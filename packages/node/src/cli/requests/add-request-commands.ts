import { codecs } from '@plimsoll/core'
import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import type { CompactCommandOptions } from './compact-command.ts'
import type { ResumeOptions } from './resume-command.ts'
import type { ViewOptions } from './view-options.ts'

/** Adds the commands about one request: of a file, or the next one of a stored session. */
export function addRequestCommands(program: Command, io: CommandIo, strings: Strings): void {
  const { command, requestCommands, sessionCommands } = strings
  const { help } = requestCommands
  addCommand(program, 'view', command.view, command, [
    'plimsoll view',
    'plimsoll view chat.json --now 2026-01-31T10:00:00Z --root .',
    'plimsoll view - --json < request.json',
  ])
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
    .action(async (file: string | undefined, options: ViewOptions) =>
      (await import('./view-command.ts')).viewCommand(file, options, io),
    )
  addCommand(program, 'resume', help.resume, command, ['plimsoll resume last', 'plimsoll resume last --dialect anthropic --json'])
    .argument('<ID>', sessionCommands.help.id)
    .option('--now <ISO>', command.now)
    .option('--root <DIR>', help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--model <M>', help.model)
    .option('--dialect <NAME>', help.dialect(Object.keys(codecs).join(', ')))
    .option('--exact', command.exact)
    .option('--json', help.resumeJson)
    .option('--no-color', command.noColor)
    .action(async (id: string, options: ResumeOptions) => (await import('./resume-command.ts')).resumeCommand(id, options, io))
  addCommand(program, 'compact', help.compact, command, [
    'plimsoll compact last --preview',
    'plimsoll compact last --keep 3 --focus "the parser"',
    'plimsoll compact last --undo',
  ])
    .argument('<ID>', sessionCommands.help.id)
    .option('--preview', help.preview)
    .option('--undo', help.undo)
    .option('--fork', help.fork)
    .option('--keep <N>', help.keep)
    .option('--focus <TEXT>', help.focus)
    .option('--model <M>', help.writer)
    .option('--base-url <URL>', help.baseUrl)
    .option('--config <FILE>', command.config)
    .option('--json', help.compactJson)
    .option('--no-color', command.noColor)
    .action(async (id: string, options: CompactCommandOptions) =>
      (await import('./compact-command.ts')).compactCommand(id, options, io),
    )
}
