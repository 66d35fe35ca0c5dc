import { isRecord } from '../message.ts'
import { ReadError } from './codec.ts'
import type { RawMessage } from './dialect.ts'
import type { Path } from './patch.ts'

/** The messages of a request, or of a log that holds them the same way. */
export interface Request {
  readonly list: readonly unknown[]
  /** The way from the root to the list. */
  readonly path: Path
  /** The object around the list, if there is one. */
  readonly body: RawMessage | null
}

/** Finds the messages: the value itself, or its field `messages`. Throws `ReadError` when there are none to find. */
export function requestOf(value: unknown): Request {
  const request = findRequest(value)
  if (request !== null) return request
  if (isRecord(value)) throw new ReadError('messages', 'a list of messages', value['messages'])
  throw new ReadError('conversation', 'a list of messages or an object with "messages"', value)
}

/** As `requestOf`, with null in place of the error. */
export function findRequest(value: unknown): Request | null {
  if (Array.isArray(value)) return { list: value as readonly unknown[], path: [], body: null }
  if (!isRecord(value) || !Array.isArray(value['messages'])) return null
  return { list: value['messages'] as readonly unknown[], path: ['messages'], body: value }
}

/** Whether some message of a value has a mark, or some block of a message's content. */
export function someMessage(value: unknown, marked: (raw: RawMessage, blocks: readonly RawMessage[]) => boolean): boolean {
  const request = findRequest(value)
  return request?.list.some((raw) => isRecord(raw) && marked(raw, blocksOf(raw['content']))) ?? false
}

function blocksOf(content: unknown): readonly RawMessage[] {
  return Array.isArray(content) ? content.filter(isRecord) : []
}
