import type { PeopleStrings } from '@plimsoll/core'
import type { Command } from 'commander'
import type { CommandIo } from './command-io.ts'
import { type ExportOptions, exportCommand } from './export-command.ts'
import { exportFormats } from './export-formats.ts'
import { type ImportCommandOptions, importCommand } from './import-command.ts'
import { pinCommand, restoreCommand, unpinCommand } from './pin-command.ts'
import { recallCommand } from './recall-command.ts'
import type { RecallCommandOptions } from './recall-request.ts'
import { removeCommand } from './remove-command.ts'
import { forkCommand, rewindCommand } from './rewind-command.ts'
import type { SessionOptions, Speak } from './session-context.ts'
import { type SessionsOptions, sessionsCommand } from './sessions-command.ts'
import { type ShowOptions, showCommand } from './show-command.ts'

/** Adds the commands for stored sessions to the program. */
export function addSessionCommands(program: Command, io: CommandIo, strings: PeopleStrings, speak: Speak): void {
  const { command, sessionCommands } = strings
  const { help } = sessionCommands
  const add = (parent: Command, name: string, description: string) =>
    parent
      .command(name)
      .description(description)
      .helpOption('-h, --help', command.help)
      .allowExcessArguments(false)
      .option('--no-color', command.noColor)

  addChanges(
    add(program, 'sessions', help.sessions)
      .helpCommand(false)
      // A word that is no subcommand is answered with the nearest one.
      .allowExcessArguments()
      .enablePositionalOptions()
      .option('--all', help.everySession)
      .option('--json', help.sessionsJson),
    { add, io, speak, help },
  )

  add(program, 'import', help.import)
    .argument('<FILE>', help.file)
    .option('--conversation <N>', help.conversation)
    .option('--title <TEXT>', help.title)
    .option('--all', help.everyConversation)
    .option('--json', help.importJson)
    .action((file: string, options: ImportCommandOptions) => importCommand(file, options, io, speak))

  add(program, 'show', help.show)
    .argument('<ID>', help.id)
    .argument('[MESSAGE]', help.shownMessage)
    .option('--all', help.everyRow)
    .option('--branches', help.branches)
    .option('--json', help.showJson)
    .action((id: string, message: string | undefined, options: ShowOptions) => showCommand(id, message, options, io, speak))

  add(program, 'recall', help.recall)
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
    .action((handle: string | undefined, options: RecallCommandOptions) => recallCommand(handle, options, io, speak))

  add(program, 'export', help.export)
    .argument('<ID>', help.id)
    .option('--format <NAME>', help.format(exportFormats.join(', ')))
    .option('--out <FILE>', help.out)
    .option('--force', help.force)
    .option('--redact', help.redact)
    .option('--leaf <ENTRY>', help.leaf)
    .action((id: string, options: ExportOptions) => exportCommand(id, options, io, speak))
}

interface Adding {
  readonly add: (parent: Command, name: string, description: string) => Command
  readonly io: CommandIo
  readonly speak: Speak
  readonly help: PeopleStrings['sessionCommands']['help']
}

/** The list, and what changes a session. */
function addChanges(sessions: Command, { add, io, speak, help }: Adding): void {
  sessions.action(
    (options: SessionsOptions, { args, commands }: Command) =>
    sessionsCommand(args, commands.map((known) => known.name()), options, io, speak), // biome-ignore format: one idea
  )
  add(sessions, 'rm', help.remove)
    .argument('<ID...>', help.fullId)
    .action((ids: readonly string[], options: SessionOptions) => removeCommand(ids, options, io, speak))
  add(sessions, 'rewind', help.rewind)
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.rewindMessage)
    .action((id: string, message: string, options: SessionOptions) => rewindCommand(id, message, options, io, speak))
  add(sessions, 'fork', help.fork)
    .argument('<ID>', help.id)
    .argument('[MESSAGE]', help.forkMessage)
    .action((id: string, message: string | undefined, options: SessionOptions) => forkCommand(id, message, options, io, speak))
  add(sessions, 'pin', help.pin)
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.message)
    .action((id: string, message: string, options: SessionOptions) => pinCommand(id, message, options, io, speak))
  add(sessions, 'unpin', help.unpin)
    .argument('<ID>', help.id)
    .argument('<MESSAGE>', help.message)
    .action((id: string, message: string, options: SessionOptions) => unpinCommand(id, message, options, io, speak))
  add(sessions, 'restore', help.restore)
    .argument('<ID>', help.id)
    .argument('<EDIT>', help.edit)
    .action((id: string, edit: string, options: SessionOptions) => restoreCommand(id, edit, options, io, speak))
}
