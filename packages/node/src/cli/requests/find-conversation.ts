import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Codec, Message } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { countParts, type FoundConversation, parseConversations } from '../../files/parse-conversations.ts'
import type { Outcome, ReadProblem } from '../../files/problem.ts'
import { readText, readTextFile } from '../../files/read-text.ts'
import type { ReadSession, SkippedEntry } from '../../logs/log-reader.ts'
import { readLog, readLogText } from '../../logs/read-log.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { problemText } from '../terminal/problem-text.ts'
import { cleanText } from '../terminal/text.ts'

export interface ChosenConversation extends FoundConversation {
  readonly name: string
  readonly count: number
  readonly number: number
  readonly log?: LogConversation
}

/** Each message and part takes far more memory than its text, and a real conversation has a few thousand. */
const maxParts = 300_000

/** Reads a file, or standard input for `-`, and picks one conversation. Throws `CommandError` if there is none. */
export async function findConversation(
  file: string,
  wanted: number | null,
  io: CommandIo,
  strings: Strings,
): Promise<ChosenConversation> {
  const name = nameOf(file, strings)
  const fail = (problem: ReadProblem) => new CommandError(problemText(problem, name, strings.problem), 1)
  // An empty name would resolve to the folder.
  if (file === '') throw fail({ kind: 'not-found' })
  const path = file === '-' ? null : resolve(io.folder, file)
  const text = path === null ? await readText(io.stdin) : await readTextFile(path)
  const found = await conversationsIn(text, path)
  if (found.problem !== undefined) throw fail(found.problem)
  const number = wanted ?? 1
  const conversation = found.value[number - 1]
  if (conversation === undefined) throw fail({ kind: 'no-such-conversation', wanted: number, count: found.value.length })
  if (countParts(conversation.messages, maxParts) > maxParts) throw fail({ kind: 'too-many-parts', limit: maxParts })
  return { ...conversation, name, count: found.value.length, number }
}

type Found = FoundConversation & Pick<ChosenConversation, 'log'>

async function conversationsIn(text: Outcome<string>, path: string | null): Promise<Outcome<readonly Found[]>> {
  const found = text.problem === undefined ? parseConversations(text.value) : text
  if (found.problem === undefined ? found.value.some(hasRoles) : !mayBeLog.has(found.problem.kind)) return found
  if (path === null && text.problem !== undefined) return text
  const log = await logConversations(path, text.value ?? '')
  if (log === null) return found
  if (log.length === 0) return { problem: { kind: 'no-messages', came: 'a log in which nothing is said' } }
  return { value: log.map((conversation) => ({ ...conversation, log: conversation })) }
}

/** The problems of another agent's log when it is read as a request: also of a database, and of a packed file that is cut off. */
const mayBeLog = new Set<ReadProblem['kind']>([
  'other-format',
  'not-json',
  'line-without-message',
  'no-messages',
  'too-deep',
  'not-utf8',
  'unreadable',
])

/** Some agents store something else under the same name. */
function hasRoles({ messages, isRequest }: FoundConversation): boolean {
  return isRequest === true || messages.length === 0 || messages.some((message) => isRecord(message) && 'role' in message)
}

function nameOf(file: string, { view }: Strings): string {
  if (file === '-') return view.standardInput
  const name = cleanText(file)
  return name.trim() === '' ? JSON.stringify(name) : name
}

/** A log holds no request to change, so the view itself is shown. */
interface LogConversation {
  readonly request: unknown
  readonly messages: readonly Message[]
  readonly codec: Codec
  readonly session: ReadSession
  readonly skipped: readonly SkippedEntry[]
}

/** Empty if the log has no messages; null if it is not a log. */
async function logConversations(path: string | null, text: string): Promise<readonly LogConversation[] | null> {
  const { value } = path === null ? await readLogText(text, { isWhole: true }) : await readLog(path, { isWhole: true })
  if (value === undefined) return null
  const codec = messageCodec(value.format)
  const { skipped } = value
  return value.sessions.map((session) => ({ request: session.messages, messages: session.messages, codec, session, skipped }))
}

/** A view replaces all messages. Reports name a message by its place in the list. */
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

/** The bundled example, with a time in milliseconds and a folder that suit it. */
export async function findExample() {
  const folder = new URL('../../../example/', import.meta.url)
  const { now, root } = JSON.parse(await readFile(new URL('example.json', folder), 'utf8')) as { now: string; root: string }
  return { file: fileURLToPath(new URL('conversation.json', folder)), now: Date.parse(now), root }
}
