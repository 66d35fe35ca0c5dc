import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../session-context.ts'
import type { OverviewOptions } from './overview-command.ts'

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
