import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../session-context.ts'
import type { ReplayOptions } from './replay-command.ts'

/** Adds the command that replays recorded sessions. */
export function addReplayCommand(program: Command, io: CommandIo, strings: Strings, speak: Speak): void {
  const { command, replay } = strings
  const { help } = replay
  program
    .command('replay')
    .description(help.replay)
    .helpOption('-h, --help', command.help)
    .argument('<PATH...>', help.path)
    .option('--policies <P>', help.policies)
    .option('--prices <P>', help.prices)
    .option('--sessions <N>', help.sessions)
    .option('--html <FILE>', help.html)
    .option('--force', help.force)
    .option('--json', help.json)
    .option('--no-color', command.noColor)
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll replay ~/.claude/projects\n  plimsoll replay logs --policies economy,spec --prices r.05 --html replay.html`,
    )
    .action(async (paths: readonly string[], options: ReplayOptions) => {
      const { replayCommand } = await import('./replay-command.ts')
      await replayCommand(paths, options, io, speak)
    })
}
