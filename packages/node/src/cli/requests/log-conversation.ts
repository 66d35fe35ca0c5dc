import type { Codec, Message } from '@plimsoll/core'
import type { ReadSession, SkippedEntry } from '../../logs/log-reader.ts'
import { readLog, readLogText } from '../../logs/read-log.ts'

/** A conversation out of another agent's log. There is no request to change, so the view itself is what is shown. */
export interface LogConversation {
  readonly request: unknown
  readonly messages: readonly Message[]
  /** Reads `request`, which is the list of messages. */
  readonly codec: Codec
  readonly session: ReadSession
  readonly skipped: readonly SkippedEntry[]
}

/** Where a log is: a file, or what came on standard input. */
export type LogSource = { readonly path: string; readonly text?: never } | { readonly text: string; readonly path?: never }

/** The conversations of another agent's log: none where nothing is said in it, and null where it is no log. */
export async function logConversations({ path, text }: LogSource): Promise<readonly LogConversation[] | null> {
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
