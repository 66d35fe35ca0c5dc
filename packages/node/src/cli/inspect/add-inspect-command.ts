import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../settings.ts'
import type { InspectOptions } from './inspect-command.ts'

/** Adds the command that shows what fills the window of one session. */
export function addInspectCommand(program: Command, io: CommandIo, { command, inspect, server }: Strings, speak: Speak): void {
  const { help } = inspect
  program
    .command('inspect')
    .description(server.help.inspect)
    .helpOption('-h, --help', command.help)
    .argument('[PATH|SESSION]', help.target)
    .option('--conversation <N>', command.conversation)
    .option('--last', help.last)
    .option('--html <FILE>', help.html)
    .option('--force', help.force)
    .option('--open', help.open)
    .option('--no-redact', help.noRedact)
    .option('--under <SET>', help.under)
    .option('--policies <P>', help.policies)
    .option('--json', help.json)
    .option('--no-color', command.noColor)
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll inspect\n  plimsoll inspect ~/.claude/projects/app/1f2e.jsonl --html session.html\n  plimsoll inspect --last --under economy\n  plimsoll inspect --last --open`,
    )
    .action(async (target: string | undefined, options: InspectOptions) => {
      const { inspectCommand } = await import('./inspect-command.ts')
      await inspectCommand(target, options, io, speak)
    })
}
