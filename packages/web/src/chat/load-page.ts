import type { ChatMessage } from '@plimsoll/core'
import type { Api } from '../server/api.ts'
import { pageRange, type StoredMessages } from './stored-messages.ts'

/** Asks for the messages of a page. The server gives fewer at once where they are large, so it is asked until all are there. */
export async function loadPage(
  api: Pick<Api, 'messages'>,
  session: string,
  stored: StoredMessages,
  page: number,
): Promise<readonly ChatMessage[]> {
  const [from, to] = pageRange(stored, page)
  const found: ChatMessage[] = []
  for (let next = from; next < to; ) {
    const some = await api.messages(session, next, to)
    const last = some.at(-1)
    // Where none comes, what is left cannot be read.
    if (last === undefined || last.number < next) break
    for (const message of some) found.push(message)
    next = last.number + 1
  }
  return found
}
