import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import type { InspectOptions } from './inspect-command.ts'

/** Adds the command that shows what fills the window of one session. */
export function addInspectCommand(program: Command, io: CommandIo, { command, inspect, server }: Strings): void {
  const { help } = inspect
  addCommand(program, 'inspect', server.help.inspect, command, [
    'plimsoll inspect',
    'plimsoll inspect ~/.claude/projects/app/1f2e.jsonl --html session.html',
    'plimsoll inspect --last --under economy',
    'plimsoll inspect --last --open',
  ])
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
    .action(async (target: string | undefined, options: InspectOptions) =>
      (await import('./inspect-command.ts')).inspectCommand(target, options, io),
    )
}
