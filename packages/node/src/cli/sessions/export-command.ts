import { resolve } from 'node:path'
import { type ExportFormat, exportFormats } from '@plimsoll/core/session'
import { nearest } from '../../config/nearest.ts'
import { exportSession, type SessionExport } from '../../session/export-session.ts'
import type { StoredSession } from '../../session/session.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { type SessionContext, type SessionOptions, sayNotices, sessionContext } from '../settings.ts'
import { cleanText, grouped, quotedText, sizeText, writeText } from '../terminal/text.ts'
import { escapedLine, writeOut } from '../terminal/write-out.ts'
import { named, withStored } from './session-choice.ts'

interface ExportOptions extends SessionOptions {
  readonly format?: string
  readonly out?: string
  readonly force?: boolean
  readonly redact?: boolean
  readonly leaf?: string
  readonly escape?: boolean
}

/** Writes a branch with all its originals, or the whole log, so that it can be read elsewhere in full. */
export async function exportCommand(word: string, given: ExportOptions, io: CommandIo): Promise<void> {
  const { out, ...printed } = given
  // As for FILE elsewhere, - is the standard stream.
  const options: ExportOptions = out === '-' ? printed : given
  const context = await sessionContext(options, io)
  const { strings } = context
  const format = formatOf(options, context)
  await withStored(word, context, async (session) => {
    if (options.leaf !== undefined && !session.heads().some(({ id }) => id === options.leaf)) {
      throw new CommandError(strings.sessionCommands.noSuchEntry(named(options.leaf)), 1)
    }
    const taken = exported(session, format, options, context)
    await write(taken, format, options, context)
    sayNotices(io, noticesOn(taken, format, options, context), options)
  })
}

function formatOf({ format = 'openai-chat' }: ExportOptions, { strings }: SessionContext): ExportFormat {
  const known = exportFormats.find((name) => name === format)
  if (known !== undefined) return known
  const near = nearest(format, exportFormats)
  const text = strings.sessionCommands.badFormat(exportFormats.join(', '), quotedText(format))
  throw new CommandError(near === null ? text : `${text}. ${strings.command.didYouMean(near)}`, 2)
}

function exported(session: StoredSession, format: ExportFormat, options: ExportOptions, { strings }: SessionContext) {
  try {
    return exportSession(session, { format, redact: options.redact, leaf: options.leaf })
  } catch (error) {
    // The text would be longer than a string can be.
    if (error instanceof RangeError) throw new CommandError(strings.problem.tooLargeToPrint(session.id), 1)
    throw error
  }
}

async function write(
  { pieces, isJson, counts }: SessionExport,
  format: ExportFormat,
  { out, force, escape }: ExportOptions,
  { io, strings }: SessionContext,
): Promise<void> {
  if (out !== undefined) {
    const path = resolve(io.folder, out)
    const size = await writeOut(path, pieces, force === true, strings)
    const { messages } = counts()
    const count = strings.sessionCommands.messages(messages, grouped(messages))
    io.stdout.write(`${strings.sessionCommands.exported(cleanText(out), sizeText(size), count)}\n`)
    return
  }
  // Programs read the lines of a log unchanged; a terminal must not.
  const isSafe = io.stdout.isTerminal || escape === true
  const isEscaped = isSafe || format !== 'log'
  for (const piece of pieces) {
    if (!isJson) writeText(piece, io.stdout, isSafe)
    else if (isEscaped) for (const safe of escapedLine(piece.trimEnd())) io.stdout.write(safe)
    else io.stdout.write(piece)
  }
}

function noticesOn(
  { counts, leftOut }: SessionExport,
  format: ExportFormat,
  { redact }: ExportOptions,
  { strings }: SessionContext,
): readonly string[] {
  const { secrets, lost } = counts()
  const { thoughts, media } = leftOut
  const what = [
    ...(thoughts > 0 ? [strings.sessionCommands.thoughts(grouped(thoughts))] : []),
    ...(media > 0 ? [strings.sessionCommands.media(grouped(media))] : []),
  ]
  return [
    ...(redact === true ? [strings.sessionCommands.redacted(grouped(secrets))] : []),
    ...what.map((left) => strings.sessionCommands.leftOutOfFormat(left, format)),
    ...(lost > 0 ? [strings.sessionCommands.notWhole(grouped(lost))] : []),
  ]
}
