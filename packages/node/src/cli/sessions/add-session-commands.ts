import { exportFormats } from '@plimsoll/core/session'
import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import type { RecallCommandOptions } from '../requests/recall-command.ts'
import type { SessionOptions } from '../settings.ts'
import type { ExportOptions } from './export-command.ts'
import type { ImportCommandOptions } from './import-command.ts'
import type { SessionsOptions } from './sessions-command.ts'
import type { ShowOptions } from './show-command.ts'

/** Adds the commands for stored sessions to the program. What a command works with is loaded when it is called. */
export function addSessionCommands(program: Command, io: CommandIo, strings: Strings): void {
  const { command, sessionCommands } = strings
  const { help } = sessionCommands
  const add = (parent: Command, name: string, description: string, ...examples: readonly string[]) =>
    addCommand(parent, name, description, command, examples).option('--no-color', command.noColor)

  const sessions = add(program, 'sessions', help.sessions, 'plimsoll sessions', 'plimsoll sessions rewind last 43')
    .helpCommand(false)
    // A word that is no subcommand is answered with the nearest one.
    .allowExcessArguments()
    .enablePositionalOptions()
    .option('--all', help.everySession)
    .option('--json', help.sessionsJson)
    .action(async (options: SessionsOptions, { args, commands }: Command) => {
      const names = commands.map((known) => known.name())
      await (await import('./sessions-command.ts')).sessionsCommand(args, names, options, io)
    })
  add(sessions, 'rm', help.remove, 'plimsoll sessions rm 20261115-054440-k3f9x2')
    .argument('<ID...>', help.fullId)
    .action(async (ids: readonly string[], options: SessionOptions) =>
      (await import('./change-commands.ts')).removeCommand(ids, options, io),
    )
  add(sessions, 'rewind', help.rewind, 'plimsoll sessions rewind last 43')
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.rewindMessage)
    .action(async (id: string, message: string, options: SessionOptions) =>
      (await import('./change-commands.ts')).rewindCommand(id, message, options, io),
    )
  add(sessions, 'fork', help.fork, 'plimsoll sessions fork last', 'plimsoll sessions fork last 43')
    .argument('<ID>', help.id)
    .argument('[MESSAGE]', help.forkMessage)
    .action(async (id: string, message: string | undefined, options: SessionOptions) =>
      (await import('./change-commands.ts')).forkCommand(id, message, options, io),
    )
  add(sessions, 'pin', help.pin, 'plimsoll sessions pin last 16')
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.message)
    .action(async (id: string, message: string, options: SessionOptions) =>
      (await import('./change-commands.ts')).pinCommand(id, message, options, io),
    )
  add(sessions, 'unpin', help.unpin, 'plimsoll sessions unpin last 16')
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.message)
    .action(async (id: string, message: string, options: SessionOptions) =>
      (await import('./change-commands.ts')).unpinCommand(id, message, options, io),
    )
  add(sessions, 'restore', help.restore, 'plimsoll sessions restore last trim-repeated-reads:7')
    .argument('<ID>', help.id)
    .argument('<EDIT>', help.edit)
    .action(async (id: string, edit: string, options: SessionOptions) =>
      (await import('./change-commands.ts')).restoreCommand(id, edit, options, io),
    )

  add(
    program,
    'import',
    help.import,
    'plimsoll import chat.json',
    'plimsoll import ~/.claude/projects/app/1f2e.jsonl --title "the cart"',
  )
    .argument('<FILE>', help.file)
    .option('--conversation <N>', help.conversation)
    .option('--title <TEXT>', help.title)
    .option('--all', help.everyConversation)
    .option('--json', help.importJson)
    .action(async (file: string, options: ImportCommandOptions) =>
      (await import('./import-command.ts')).importCommand(file, options, io),
    )

  add(program, 'show', help.show, 'plimsoll show last', 'plimsoll show last 16', 'plimsoll show last --branches')
    .argument('<ID>', help.id)
    .argument('[MESSAGE]', help.shownMessage)
    .option('--all', help.everyRow)
    .option('--branches', help.branches)
    .option('--json', help.showJson)
    .action(async (id: string, message: string | undefined, options: ShowOptions) =>
      (await import('./show-command.ts')).showCommand(id, message, options, io),
    )

  add(program, 'recall', help.recall, 'plimsoll recall 498536d7cce3 --lines 1-40', 'plimsoll recall --query "winter time"')
    .argument('[HANDLE]', help.handle)
    .option('--session <ID>', help.session)
    .option('--id <ID>', help.messageId)
    .option('--tool <NAME>', help.tool)
    .option('--about <TEXT>', help.about)
    .option('--query <TEXT>', help.query)
    .option('--lines <A-B>', help.lines)
    .option('--characters <A-B>', help.characters)
    .option('--pattern <RE>', help.pattern)
    .option('--budget <N>', help.budget)
    .option('--json', help.recallJson)
    .action(async (handle: string | undefined, options: RecallCommandOptions) =>
      (await import('../requests/recall-command.ts')).recallCommand(handle, options, io),
    )

  add(program, 'export', help.export, 'plimsoll export last --out copy.json', 'plimsoll export last --format markdown --redact')
    .argument('<ID>', help.id)
    .option('--format <NAME>', help.format(exportFormats.join(', ')))
    .option('--out <FILE>', help.out)
    .option('--force', help.force)
    .option('--redact', help.redact)
    .option('--leaf <ENTRY>', help.leaf)
    .action(async (id: string, options: ExportOptions) => (await import('./export-command.ts')).exportCommand(id, options, io))
}
