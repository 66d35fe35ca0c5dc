import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Codec, Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { countParts } from '../../files/held-request.ts'
import { type FoundConversation, parseConversations } from '../../files/parse-conversations.ts'
import { readText, readTextFile } from '../../files/read-text.ts'
import type { Outcome, Trouble } from '../../files/trouble.ts'
import type { ReadSession, SkippedEntry } from '../../logs/log-reader.ts'
import { readLog, readLogText } from '../../logs/read-log.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { troubleText } from '../terminal/trouble-text.ts'

/** One conversation out of a file. */
export interface ChosenConversation extends FoundConversation {
  /** What the file is called on screen. */
  readonly name: string
  /** How many conversations the file holds. */
  readonly count: number
  /** Which of them this is, from 1. */
  readonly number: number
  /** Where it comes from another agent's log. */
  readonly log?: LogConversation
}

/** Each message and part costs far more than its text, and a real conversation has a few thousand. */
const mostParts = 300_000

/** Reads a file, or standard input for `-`, and takes one conversation out of it. Throws `CommandError` where there is none. */
export async function findConversation(
  file: string,
  wanted: number | null,
  io: CommandIo,
  strings: Strings,
): Promise<ChosenConversation> {
  const name = nameOf(file, strings)
  const fail = (trouble: Trouble) => new CommandError(troubleText(trouble, name, strings.trouble), 1)
  // Resolved against a folder, no name at all would be the folder's.
  if (file === '') throw fail({ kind: 'not-found' })
  const path = file === '-' ? null : resolve(io.folder, file)
  const text = path === null ? await readText(io.stdin) : await readTextFile(path)
  const found = await conversationsIn(text, path)
  if (found.trouble !== undefined) throw fail(found.trouble)
  const number = wanted ?? 1
  const conversation = found.value[number - 1]
  if (conversation === undefined) throw fail({ kind: 'no-such-conversation', wanted: number, count: found.value.length })
  if (countParts(conversation.messages, mostParts) > mostParts) throw fail({ kind: 'too-many-parts', limit: mostParts })
  return { ...conversation, name, count: found.value.length, number }
}

type Found = FoundConversation & Pick<ChosenConversation, 'log'>

async function conversationsIn(text: Outcome<string>, path: string | null): Promise<Outcome<readonly Found[]>> {
  const found = text.trouble === undefined ? parseConversations(text.value) : text
  if (found.trouble === undefined ? found.value.some(hasRoles) : !mayBeLog.has(found.trouble.kind)) return found
  if (path === null && text.trouble !== undefined) return text
  const log = await logConversations(path === null ? { text: text.value ?? '' } : { path })
  if (log === null) return found
  if (log.length === 0) return { trouble: { kind: 'no-messages', came: 'a log in which nothing is said' } }
  return { value: log.map((conversation) => ({ ...conversation, log: conversation })) }
}

/** What is wrong with another agent's log when it is taken for a request: with a database, and with what is packed and cut off, too. */
const mayBeLog = new Set<Trouble['kind']>([
  'other-format',
  'not-json',
  'line-without-message',
  'no-messages',
  'too-deep',
  'not-utf8',
  'unreadable',
])

/** Some agents keep something else than messages under the same name. */
function hasRoles({ messages, isRequest }: FoundConversation): boolean {
  return isRequest === true || messages.length === 0 || messages.some((message) => isRecord(message) && 'role' in message)
}

function nameOf(file: string, { view }: Strings): string {
  if (file === '-') return view.standardInput
  const name = cleanText(file)
  return name.trim() === '' ? JSON.stringify(name) : name
}

/** A conversation out of another agent's log. There is no request to change, so the view itself is what is shown. */
interface LogConversation {
  readonly request: unknown
  readonly messages: readonly Message[]
  /** Reads `request`, which is the list of messages. */
  readonly codec: Codec
  readonly session: ReadSession
  readonly skipped: readonly SkippedEntry[]
}

/** Where a log is: a file, or what came on standard input. */
type LogSource = { readonly path: string; readonly text?: never } | { readonly text: string; readonly path?: never }

/** The conversations of another agent's log: none where nothing is said in it, and null where it is no log. */
async function logConversations({ path, text }: LogSource): Promise<readonly LogConversation[] | null> {
  const { value } = path === undefined ? await readLogText(text, { isWhole: true }) : await readLog(path, { isWhole: true })
  if (value === undefined) return null
  const codec = messageCodec(value.format)
  return value.sessions.map((session) => {
    const { messages } = session
    return { request: messages, messages, codec, session, skipped: value.skipped }
  })
}

/** Takes messages as they are; a view of them replaces them all. Reports name a message by its place in the list. */
function messageCodec(name: string): Codec {
  return {
    name,
    detect: () => false,
    read(value) {
      const messages = value as readonly Message[]
      const places = new Map(messages.map(({ id }, index) => [id, String(index)]))
      return {
        messages,
        patches: (view) => (view === messages ? [] : [{ op: 'set', path: [], value: view }]),
        locate: (message, part) => ({ message: places.get(message) ?? message, part }),
      }
    },
  }
}

/** The conversation that ships with the package, and the facts under which it is worth looking at. */
interface Example {
  readonly file: string
  /** Milliseconds. */
  readonly now: number
  readonly root: string
}

/** Finds the bundled example. */
export async function findExample(): Promise<Example> {
  const folder = new URL('../../../example/', import.meta.url)
  const { now, root } = JSON.parse(await readFile(new URL('example.json', folder), 'utf8')) as { now: string; root: string }
  return { file: fileURLToPath(new URL('conversation.json', folder)), now: Date.parse(now), root }
}
