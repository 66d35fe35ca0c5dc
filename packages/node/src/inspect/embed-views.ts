import type { Message } from '@plimsoll/core'
import type { EmbeddedView } from '../shared/inspection/embedded-inspection.ts'
import type { SentRequest } from '../shared/inspection/inspection.ts'

/** Views told by what differs from one to the next. */
export interface ViewPool {
  /** Adds the next view. */
  readonly add: (request: SentRequest) => Promise<void>
  readonly views: () => readonly EmbeddedView[]
  readonly pool: () => readonly Message[]
}

/**
 * A pool with no views yet. A message of a view that is one of the session's, as it is stored, is named by its number; any other is
 * taken into the pool once, after `clean` made of it what the page may show.
 */
export function createViewPool(stored: readonly Message[], clean: (message: Message) => Promise<Message>): ViewPool {
  const places = new Map(stored.map(({ id }, number) => [id, number]))
  const known = new WeakMap<Message, number>()
  const byText = new Map<string, number>()
  const pool: Message[] = []
  const views: EmbeddedView[] = []
  let before: readonly number[] = []

  const numberOf = async (message: Message): Promise<number> => {
    const seen = known.get(message)
    if (seen !== undefined) return seen
    const number = await place(message)
    known.set(message, number)
    return number
  }

  const place = async (message: Message): Promise<number> => {
    const text = JSON.stringify(message)
    const own = places.get(message.id)
    if (own !== undefined && JSON.stringify(stored[own]) === text) return own
    const taken = byText.get(text)
    if (taken !== undefined) return taken
    const number = stored.length + pool.length
    pool.push(await clean(message))
    byText.set(text, number)
    return number
  }

  return {
    async add({ id, model, isProven, messages }) {
      const numbers: number[] = []
      for (const message of messages) numbers.push(await numberOf(message))
      let kept = 0
      while (kept < numbers.length && kept < before.length && numbers[kept] === before[kept]) kept += 1
      views.push({ id, model, isProven, kept, added: numbers.slice(kept) })
      before = numbers
    },
    views: () => views,
    pool: () => pool,
  }
}
