import { resolve } from 'node:path'
import { type Entry, escapedPieces, type HeaderEntry, type Message, redactSecrets } from '@plimsoll/core'
import { nearest } from '../config/nearest.ts'
import { branchHeads } from '../session/branch-heads.ts'
import { portableLine, wholeEntry } from '../session/portable-log.ts'
import { readSession } from '../session/read-session.ts'
import { redactEntry } from '../session/redact-entry.ts'
import type { StoredSession } from '../session/session.ts'
import { cleanText } from './clean-text.ts'
import { CommandError } from './command-error.ts'
import type { CommandIo } from './command-io.ts'
import { type ExportedText, type ExportFormat, exportFormats, exportText } from './export-formats.ts'
import { grouped, sizeText } from './format-number.ts'
import { chooseSession, named } from './session-choice.ts'
import { type SessionContext, type SessionOptions, type Speak, sayNotices, sessionContext } from './session-context.ts'
import { writeText } from './terminal-text.ts'
import { writeOut } from './write-out.ts'

/** The options of `plimsoll export` as they were written. */
export interface ExportOptions extends SessionOptions {
  readonly format?: string
  readonly out?: string
  readonly force?: boolean
  readonly redact?: boolean
  readonly leaf?: string
}

/** Writes a branch with all its originals, or the whole log, so that it can be read elsewhere and nothing is missing. */
export async function exportCommand(word: string, given: ExportOptions, io: CommandIo, speak: Speak): Promise<void> {
  const { out, ...printed } = given
  // As for FILE elsewhere, - is the standard stream.
  const options: ExportOptions = out === '-' ? printed : given
  const context = sessionContext(options, io, speak)
  const { sessions, words } = context
  const format = formatOf(options, context)
  const session = await readSession(sessions, await chooseSession(sessions, word, words))
  try {
    if (options.leaf !== undefined && !session.heads().some(({ id }) => id === options.leaf)) {
      throw new CommandError(words.noSuchEntry(named(options.leaf)), 1)
    }
    const taken = createTaking(session, options)
    const exported = format === 'log' ? null : conversationText(session, format, taken, options, context)
    const pieces = exported === null ? logLines(session, taken, options) : piecesOf(exported, options.out !== undefined)
    await write(pieces, exported?.isJson ?? true, taken, options, context)
    sayNotices(io, noticesOn(exported, format, taken, options, context), options)
  } finally {
    await session.close()
  }
}

function formatOf({ format = 'openai-chat' }: ExportOptions, { strings, words }: SessionContext): ExportFormat {
  const known = exportFormats.find((name) => name === format)
  if (known !== undefined) return known
  const near = nearest(format, exportFormats)
  const text = words.badFormat(exportFormats.join(', '), cleanText(JSON.stringify(format)))
  throw new CommandError(near === null ? text : `${text}. ${strings.command.didYouMean(near)}`, 2)
}

/** Takes entries out of a session: whole, and without secrets where that is wanted. */
interface Taking {
  readonly take: (id: string) => Entry | null
  readonly clean: (header: HeaderEntry) => HeaderEntry
  readonly counts: () => { readonly messages: number; readonly secrets: number; readonly lost: number }
}

function createTaking(session: StoredSession, { redact }: ExportOptions): Taking {
  let messages = 0
  let secrets = 0
  let lost = 0
  const blank = (text: string): string => {
    const clean = redactSecrets(text)
    if (clean !== text) secrets += Math.max(1, marksIn(clean) - marksIn(text))
    return clean
  }
  const cleaned = (entry: Entry): Entry => (redact === true ? redactEntry(entry, blank) : entry)
  return {
    take(id) {
      const entry = session.entry(id)
      if (entry === null) {
        lost += 1
        return null
      }
      const whole = wholeEntry(entry, session)
      lost += whole.lost
      if (entry.type === 'message') messages += 1
      return cleaned(whole.entry)
    },
    clean: (header) => cleaned(header) as HeaderEntry,
    counts: () => ({
      messages,
      secrets,
      lost: lost + session.troubles().filter(({ kind }) => kind === 'blob' || kind === 'torn').length,
    }),
  }
}

function marksIn(text: string): number {
  return text.split('[REDACTED:').length - 1
}

function conversationText(
  session: StoredSession,
  format: Exclude<ExportFormat, 'log'>,
  taken: Taking,
  { leaf }: ExportOptions,
  { strings }: SessionContext,
): ExportedText {
  const messages: Message[] = []
  let model: string | null = null
  for (const { type, id } of branchHeads(session, leaf)) {
    const entry = type === 'message' || type === 'request' || type === 'note' ? taken.take(id) : null
    if (entry?.type === 'message') messages.push(entry.message)
    if (entry?.type === 'request') model = entry.model
    // What another agent's log said about it.
    if (entry?.type === 'note' && entry.code === 'imported') model ??= textOf(entry.data?.['model'])
  }
  const { title = null } = taken.clean(headerOf(session))
  try {
    return exportText(messages, format, { title, model: model ?? 'unknown' })
  } catch (error) {
    // The text would be longer than one can be.
    if (error instanceof RangeError) throw new CommandError(strings.trouble.tooLargeToPrint(session.id), 1)
    throw error
  }
}

/** The first entry, without reading the conversation; a log that lost it has one made up. */
function headerOf(session: StoredSession): HeaderEntry {
  const [first] = session.heads()
  const entry = first === undefined ? null : session.entry(first.id)
  return entry?.type === 'header' ? entry : session.state().header
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** The whole log with all its branches, or one branch of it. */
function* logLines(session: StoredSession, taken: Taking, { leaf }: ExportOptions): Generator<string> {
  const header = headerOf(session)
  yield `${portableLine(taken.clean(header))}\n`
  const heads = leaf === undefined ? session.heads() : branchHeads(session, leaf)
  let before = header.id
  for (const { id, type } of heads) {
    const entry = type === 'header' ? null : taken.take(id)
    if (entry === null) continue
    // A branch alone has no gaps, whatever was skipped on the way.
    yield `${portableLine(leaf === undefined ? entry : { ...entry, parentId: before })}\n`
    before = id
  }
}

function piecesOf({ text, isJson }: ExportedText, isFile: boolean): Iterable<string> {
  return isJson && !isFile ? escapedLine(text) : [text]
}

function* escapedLine(text: string): Generator<string> {
  yield* escapedPieces(text.trimEnd())
  yield '\n'
}

async function write(
  pieces: Iterable<string>,
  isJson: boolean,
  taken: Taking,
  { out, force }: ExportOptions,
  { io, words, strings }: SessionContext,
): Promise<void> {
  if (out !== undefined) {
    const path = resolve(io.folder, out)
    const size = await writeOut(path, pieces, force === true, { words, session: strings.session })
    const { messages } = taken.counts()
    io.stdout.write(`${words.exported(cleanText(out), sizeText(size), words.messages(messages, grouped(messages)))}\n`)
    return
  }
  for (const piece of pieces) {
    if (!isJson) writeText(piece, io.stdout)
    else if (io.stdout.isTerminal) for (const safe of escapedLine(piece)) io.stdout.write(safe)
    else io.stdout.write(piece)
  }
}

function noticesOn(
  exported: ExportedText | null,
  format: ExportFormat,
  taken: Taking,
  { redact }: ExportOptions,
  { words }: SessionContext,
): readonly string[] {
  const { secrets, lost } = taken.counts()
  const { thoughts = 0, media = 0 } = exported?.leftOut ?? {}
  const what = [...(thoughts > 0 ? [words.thoughts(grouped(thoughts))] : []), ...(media > 0 ? [words.media(grouped(media))] : [])]
  return [
    ...(redact === true ? [words.redacted(grouped(secrets))] : []),
    ...what.map((left) => words.leftOutOfFormat(left, format)),
    ...(lost > 0 ? [words.notWhole(grouped(lost))] : []),
  ]
}
