import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codecs, type Message } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import { countParts } from '../../files/parse-conversations.ts'
import type { Outcome } from '../../files/problem.ts'
import { readText } from '../../files/read-text.ts'
import { logLines } from '../../logs/log-lines.ts'
import { type ReadLog, type ReadSession, skippedSentences } from '../../logs/log-reader.ts'
import { readLog, readLogText } from '../../logs/read-log.ts'
import { createCompleteSession } from '../../session/create-session.ts'
import type { WriteOptions } from '../../session/open-session.ts'
import { BlobsBesideError, isLogHeader, restoreSession } from '../../session/restore-session.ts'
import { modelLanguage } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { numberOf } from '../requests/view-options.ts'
import { type SessionContext, type SessionOptions, sessionContext, writing } from '../settings.ts'
import { problemText } from '../terminal/problem-text.ts'
import { type Progress, startProgress } from '../terminal/screen.ts'
import { cleanText, cutToWidth, displayWidth, fitWidth, grouped, wrapText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'

interface ImportCommandOptions extends SessionOptions {
  readonly conversation?: string
  readonly title?: string
  readonly all?: boolean
}

export async function importCommand(file: string, options: ImportCommandOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const { strings } = context
  const wanted = numberOf(options, strings)
  const name = file === '-' ? strings.view.standardInput : cleanText(file) || JSON.stringify(file)
  const input: Input = { file, name, path: resolve(io.folder, file), text: await standardText(file, name, context) }
  const progress = startProgress(io.stderr, strings.sessionCommands.reading(name))
  const imported = await importFile(input, wanted, options, context, progress).finally(progress.end)
  if (options.json === true) writeJson(imported, name, strings, io.stdout)
  else io.stdout.write(importScreen(imported, context))
}

interface Input {
  readonly file: string
  readonly name: string
  readonly path: string
  readonly text: string | null
}

async function standardText(file: string, name: string, { io, strings }: SessionContext): Promise<string | null> {
  if (file === '') throw new CommandError(strings.problem.notFound(name), 1)
  if (file !== '-') return null
  const read = await readText(io.stdin)
  if (read.problem !== undefined) throw new CommandError(problemText(read.problem, name, strings.problem), 1)
  return read.value
}

async function importFile(
  input: Input,
  wanted: number | null,
  options: ImportCommandOptions,
  context: SessionContext,
  progress: Progress,
): Promise<Imported> {
  if (await isOwnLog(input)) return importOwnLog(input, options, context)
  const { name } = input
  const { io, sessions, strings } = context
  const read: Outcome<ReadLog> = input.text === null ? await readLog(input.path) : await readLogText(input.text)
  if (read.problem !== undefined) throw new CommandError(problemText(read.problem, name, strings.problem), 1)
  const log = read.value
  const chosen = chosenOf(log, wanted, options.all === true, name, context)
  const all = chosen.reduce((sum, { messages }) => sum + messages.length, 0)
  const imported: ImportedConversation[] = []
  // Nothing is stored while the file is read, so Ctrl-C may end the process until here.
  const signal = io.interrupted?.()
  let before = 0
  for (const conversation of chosen) {
    const done = before
    const storing = importConversation(sessions, conversation, log, {
      title: options.title,
      ...writing(context),
      strings: modelLanguage(context.settings.config),
      progress: (stored) => progress.say(strings.sessionCommands.storing(grouped(done + stored), grouped(all))),
      signal,
    })
    const stored = await storing.catch((error: unknown) => {
      throw signal?.aborted === true ? new CommandError(strings.sessionCommands.importStopped(imported.length), 1) : error
    })
    imported.push(stored)
    before += conversation.messages.length
  }
  return { format: log.format, sessions: imported, skipped: log.skipped }
}

/** Each message and part takes far more memory than its text, and a real conversation has a few thousand. */
const maxParts = 300_000

function chosenOf({ sessions }: ReadLog, wanted: number | null, all: boolean, name: string, { strings }: SessionContext) {
  const { problem } = strings
  const held = sessions.length
  if (held > 1 && wanted === null && !all)
    throw new CommandError(strings.sessionCommands.severalConversations(name, grouped(held)), 2)
  const one = sessions[(wanted ?? 1) - 1]
  if (wanted !== null && one === undefined) throw new CommandError(problem.noSuchConversation(name, wanted, held), 1)
  const meant = wanted === null && all ? sessions : one === undefined ? [] : [one]
  const chosen = meant.filter(({ messages }) => messages.length > 0)
  if (chosen.length === 0) throw new CommandError(strings.sessionCommands.nothingToImport(name), 1)
  if (chosen.some(({ messages }) => countParts(messages, maxParts) > maxParts)) {
    throw new CommandError(problem.tooManyParts(name, grouped(maxParts)), 1)
  }
  return chosen
}

async function importOwnLog({ name, path, text }: Input, { title }: ImportCommandOptions, context: SessionContext) {
  const { sessions, strings } = context
  const lines = logLines(text === null ? createReadStream(path, { highWaterMark: 1 << 20 }) : [Buffer.from(text)])
  try {
    const restored = await restoreSession(sessions, lines, { ...writing(context), ...(title === undefined ? {} : { title }) })
    const { skipped, ...session } = restored
    return { format: 'plimsoll', sessions: [{ ...session, usages: 0, abandoned: 0, sidechains: 0 }], skipped }
  } catch (error) {
    if (error instanceof BlobsBesideError) throw new CommandError(strings.sessionCommands.blobsBeside(name), 1)
    throw error
  }
}

/** A header is a few hundred bytes. */
const headerLength = 1 << 16

async function isOwnLog({ path, text }: Input): Promise<boolean> {
  const start = text?.slice(0, headerLength) ?? (await startOf(path))
  return isLogHeader(start.replace(/^\ufeff/, '').split('\n', 1)[0] ?? '')
}

/** A file that cannot be read is not a log of ours; the next reader reports why. */
async function startOf(path: string): Promise<string> {
  try {
    const handle = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headerLength), 0, headerLength, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}

interface Imported {
  readonly format: string
  readonly sessions: readonly ImportedConversation[]
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
}

function importScreen({ format, sessions, skipped }: Imported, { strings, screen }: SessionContext): string {
  const { paint, columns } = screen
  const { sessionCommands } = strings
  const wrapped = (text: string) => wrapText(text, columns - 2).map((line) => paint('dim', ` ${line}`))
  const lines: string[] = []
  for (const { id, title, messages, usages, abandoned, sidechains } of sessions) {
    const count = sessionCommands.messages(messages, grouped(messages))
    lines.push(...wrapText(sessionCommands.imported(count, id), columns).map((line) => paint('bold', line)))
    if (title !== null) lines.push(` ${cutToWidth(cleanText(title), columns - 1)}`)
    const facts = [
      sessionCommands.importedFormat(format),
      ...(usages === 0 ? [] : [sessionCommands.importedUsages(grouped(usages))]),
    ]
    lines.push(...wrapped(facts.join('; ')))
    if (abandoned + sidechains > 0) lines.push(...wrapped(sessionCommands.importedRest(abandoned, sidechains)))
  }
  for (const sentence of skippedSentences(skipped, strings.view, cleanText))
    lines.push(...wrapText(sentence, columns - 2).map((line) => ` ${line}`))
  const latest = sessions.at(-1)?.id ?? 'last'
  const commands = [
    { command: `plimsoll show ${latest}`, does: sessionCommands.tryShow },
    { command: `plimsoll show ${latest} --next`, does: sessionCommands.tryNextRequest },
    { command: `plimsoll resume ${latest}`, does: strings.requestCommands.help.resume },
    { command: 'plimsoll recall --query "…"', does: sessionCommands.tryRecall },
  ]
  const widest = Math.max(...commands.map(({ command }) => displayWidth(command)))
  const beside = commands.every(({ does }) => widest + displayWidth(does) + 6 <= columns)
  lines.push('', sessionCommands.tryNext)
  for (const { command, does } of commands)
    lines.push(beside ? `  ${fitWidth(command, widest)}  ${paint('dim', does)}` : `  ${command}`)
  return `${lines.join('\n')}\n`
}

interface ImportOptions extends WriteOptions {
  readonly strings: ReturnType<typeof modelLanguage>
  readonly title: string | undefined
  /** Receives the number of stored messages. */
  readonly progress: (stored: number) => void
  /** Ends the work and leaves nothing of the session. */
  readonly signal?: AbortSignal | undefined
}

type ImportedConversation = Awaited<ReturnType<typeof importConversation>>

const groupSize = 200

/**
 * Stores a conversation of a log as a new session, in full or not at all. The provider's counts become notes, not requests: the
 * log does not have what was sent, so an estimate compared with them would mislead.
 */
async function importConversation(
  sessions: string,
  conversation: ReadSession,
  log: ReadLog,
  { title, progress, signal, ...write }: ImportOptions,
) {
  const { root, id: from, model, compactions } = conversation
  const facts = { format: log.format, ...(from === null ? {} : { id: from }), ...(model === undefined ? {} : { model }) }
  const left = { compactions, sidechains: conversation.sidechains, abandoned: conversation.abandoned }
  const origin: NewEntry = { type: 'note', code: 'imported', data: { ...facts, ...left, skipped: log.skipped.length } }
  const given = title ?? conversation.title ?? undefined
  const options = { ...write, ...(root === undefined ? {} : { root }), ...(given === undefined ? {} : { title: given }) }
  const id = await createCompleteSession(sessions, options, async (session) => {
    let group: NewEntry[] = [origin]
    let stored = 0
    for (const entry of entriesOf(conversation, log.format)) {
      signal?.throwIfAborted()
      group.push(entry)
      if (entry.type === 'message') stored += 1
      if (group.length < groupSize) continue
      await session.append(group)
      group = []
      progress(stored)
    }
    await session.append(group)
  })
  const { messages, usages, abandoned, sidechains } = conversation
  return { id, title: given ?? null, messages: messages.length, usages: usages.length, abandoned, sidechains }
}

function* entriesOf({ messages, usages }: ReadSession, format: string): Generator<NewEntry> {
  const reported = new Map(usages.map((usage) => [usage.after, usage]))
  const idOf = createIds(format)
  for (const [index, message] of messages.entries()) {
    const id = idOf(message, index)
    yield { type: 'message', message: id === message.id ? message : { ...message, id } }
    const usage = reported.get(message.id)
    if (usage === undefined) continue
    const { model, cost, usage: tokens } = usage
    const data = {
      message: id,
      ...(model === null ? {} : { model }),
      usage: tokens,
      ...(cost === undefined ? {} : { cost }),
    }
    yield { type: 'note', code: 'reported-usage', data }
  }
}

/** Messages of a request have no ids, so they are numbered. Names that our own entries use are changed. */
function createIds(format: string): (message: Message, index: number) => string {
  const isRequest = Object.hasOwn(codecs, format)
  return ({ id }, index) => {
    if (isRequest) return `m${index + 1}`
    return /^e\d+$/.test(id) ? `message-${id}` : id
  }
}
