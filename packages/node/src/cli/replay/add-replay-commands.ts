import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../settings.ts'
import type { OverviewOptions } from './overview-command.ts'
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

/** Adds the command that `plimsoll` alone runs. */
export function addOverviewCommand(program: Command, io: CommandIo, { command, overview }: Strings, speak: Speak): void {
  program
    .command('overview')
    .description(overview.help)
    .helpOption('-h, --help', command.help)
    .option('--json', overview.json)
    .option('--no-color', command.noColor)
    .addHelpText('after', `\n${command.examples}\n  plimsoll\n  plimsoll --json`)
    .action(async (options: OverviewOptions) => {
      const { overviewCommand } = await import('./overview-command.ts')
      await overviewCommand(options, io, speak)
    })
}

/** `plimsoll`, `plimsoll --json` and `plimsoll --no-color` are `plimsoll overview` with the same options. */
export function withOverview(words: readonly string[]): readonly string[] {
  const [first] = words
  if (words.every((word) => word === '--')) return ['overview']
  return first === '--json' || first === '--no-color' ? ['overview', ...words] : words
}
