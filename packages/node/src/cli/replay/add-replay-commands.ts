import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import type { OverviewOptions } from './overview-command.ts'
import type { ReplayOptions } from './replay-command.ts'

/** Adds the command that `plimsoll` alone runs, and the one that replays recorded sessions. */
export function addReplayCommands(program: Command, io: CommandIo, { command, overview, replay }: Strings): void {
  const { help } = replay
  addCommand(program, 'overview', overview.help, command, ['plimsoll', 'plimsoll --json'])
    .option('--json', overview.json)
    .option('--no-color', command.noColor)
    .action(async (options: OverviewOptions) => (await import('./overview-command.ts')).overviewCommand(options, io))
  addCommand(program, 'replay', help.replay, command, [
    'plimsoll replay ~/.claude/projects',
    'plimsoll replay logs --policies economy,spec --prices r.05 --html replay.html',
  ])
    .argument('<PATH...>', help.path)
    .option('--policies <P>', help.policies)
    .option('--prices <P>', help.prices)
    .option('--sessions <N>', help.sessions)
    .option('--html <FILE>', help.html)
    .option('--force', help.force)
    .option('--json', help.json)
    .option('--no-color', command.noColor)
    .action(async (paths: readonly string[], options: ReplayOptions) =>
      (await import('./replay-command.ts')).replayCommand(paths, options, io),
    )
}

/** `plimsoll`, `plimsoll --json` and `plimsoll --no-color` are `plimsoll overview` with the same options. */
export function withOverview(words: readonly string[]): readonly string[] {
  const [first] = words
  if (words.every((word) => word === '--')) return ['overview']
  return first === '--json' || first === '--no-color' ? ['overview', ...words] : words
}
