import { codecs } from '@plimsoll/core'
import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../settings.ts'
import type { CompactCommandOptions } from './compact-options.ts'
import type { ResumeOptions } from './resume-command.ts'

/** Adds the commands about the next request of a stored session. */
export function addRequestCommands(program: Command, io: CommandIo, strings: Strings, speak: Speak): void {
  const { command, requestCommands, sessionCommands } = strings
  const { help } = requestCommands
  program
    .command('resume')
    .description(help.resume)
    .helpOption('-h, --help', command.help)
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
    .addHelpText('after', `\n${command.examples}\n  plimsoll resume last\n  plimsoll resume last --dialect anthropic --json`)
    .action(async (id: string, options: ResumeOptions) => {
      const { resumeCommand } = await import('./resume-command.ts')
      await resumeCommand(id, options, io, speak)
    })
  program
    .command('compact')
    .description(help.compact)
    .helpOption('-h, --help', command.help)
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
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll compact last --preview\n  plimsoll compact last --keep 3 --focus "the parser"\n  plimsoll compact last --undo`,
    )
    .action(async (id: string, options: CompactCommandOptions) => {
      // What talks to providers takes longer to load than most commands take to run.
      const { compactCommand } = await import('./compact-command.ts')
      await compactCommand(id, options, io, speak)
    })
}
