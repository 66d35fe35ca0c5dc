import { isRecord } from '../message.ts'
import type { Path } from '../text/patch.ts'
import { ReadError } from './codec.ts'
import type { RawMessage } from './dialect.ts'

/** The messages of a request, or of a log that holds them the same way. */
export interface Request {
  readonly list: readonly unknown[]
  /** The way from the root to the list. */
  readonly path: Path
  /** The object around the list, if there is one. */
  readonly body: RawMessage | null
  /** Set where the request holds one text in place of the list, which stands for it. */
  readonly isText?: true
}

/** How the requests of a dialect are laid out. */
export interface Layout {
  /** The field that holds the list of messages. */
  readonly list: string
  /** The field of a message that holds its blocks. */
  readonly blocks: string
  /** What the entries of the list are called, many of them and one. */
  readonly many: string
  readonly one: string
  /** Finds the list in a value; null when there is none to find. */
  readonly find: (value: unknown) => Request | null
}

/** The layout most dialects share: the value itself is the list, or its field `messages`. */
export const messagesLayout: Layout = {
  list: 'messages',
  blocks: 'content',
  many: 'messages',
  one: 'a message object',
  find: (value) => findList(value, 'messages'),
}

/** Finds the messages of a request. Throws `ReadError` when there are none to find. */
export function requestOf(value: unknown, { list, many, find }: Layout = messagesLayout): Request {
  const request = find(value)
  if (request !== null) return request
  if (isRecord(value)) throw new ReadError(list, `a list of ${many}`, value[list])
  throw new ReadError('conversation', `a list of ${many} or an object with "${list}"`, value)
}

/** As `requestOf` for messages, with null in place of the error. */
export function findRequest(value: unknown): Request | null {
  return findList(value, 'messages')
}

/** Finds a list: the value itself, or a field of it. */
export function findList(value: unknown, field: string): Request | null {
  if (Array.isArray(value)) return { list: value as readonly unknown[], path: [], body: null }
  if (!isRecord(value) || !Array.isArray(value[field])) return null
  return { list: value[field] as readonly unknown[], path: [field], body: value }
}

/** Whether some message of a value has a mark, or some block of a message's content. */
export function someMessage(value: unknown, marked: (raw: RawMessage, blocks: readonly RawMessage[]) => boolean): boolean {
  const request = findRequest(value)
  return request?.list.some((raw) => isRecord(raw) && marked(raw, blocksOf(raw['content']))) ?? false
}

function blocksOf(content: unknown): readonly RawMessage[] {
  return Array.isArray(content) ? content.filter(isRecord) : []
}
