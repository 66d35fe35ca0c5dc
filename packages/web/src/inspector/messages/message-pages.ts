import type { Message } from '@plimsoll/core'
import { foundIn } from '../../../../node/src/shared/inspection/search-message.ts'
import { visibleLine } from '../../parts/safe-text.ts'
import type { InspectorSource } from '../source/inspector-source.ts'
import { messageAbout } from './message-about.ts'

/** The part of a row that is not in the table of messages. */
export interface MessageRow {
  readonly id: string
  readonly about: string
}

/** Small, so that a list with filters loads little that is never seen; texts may be long. */
const pageSize = 20
const maxAtOnce = 3
/** Rows are one line each; this many pages are a few megabytes. */
const maxPages = 2000

/** Loads rows from a source, and remembers them without their texts. With a text to find, a row shows where it is. */
export function createMessagePages(load: InspectorSource['messages'], find: string | null = null) {
  const pages = new Map<number, ReadonlyMap<number, MessageRow> | null>()
  const running = new Map<number, AbortController>()
  const listeners = new Set<() => void>()
  let wanted: readonly number[] = []
  let version = 0

  const aboutOf = (message: Message) => {
    const found = find === null ? null : foundIn(message, find)
    return found === null ? messageAbout(message) : visibleLine(found, 200)
  }

  const changed = () => {
    version += 1
    for (const listener of listeners) listener()
  }

  function start(): void {
    for (const page of wanted) {
      if (running.size >= maxAtOnce) return
      if (!pages.has(page) && !running.has(page)) void fetchPage(page)
    }
  }

  async function fetchPage(page: number): Promise<void> {
    const controller = new AbortController()
    running.set(page, controller)
    const rows = await load(page * pageSize, (page + 1) * pageSize, controller.signal).then(
      (messages) => new Map(messages.map(({ number, message }) => [number, { id: message.id, about: aboutOf(message) }])),
      () => null,
    )
    if (running.get(page) === controller) running.delete(page)
    if (!controller.signal.aborted) {
      pages.set(page, rows)
      const oldest = pages.keys().next().value
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest)
      changed()
    }
    start()
  }

  function stop(isUseless: (page: number) => boolean): void {
    for (const [page, controller] of running) {
      if (!isUseless(page)) continue
      running.delete(page)
      controller.abort()
    }
  }

  return {
    /** Null if it could not be loaded; undefined if it is not there yet. */
    row(number: number): MessageRow | null | undefined {
      const rows = pages.get(Math.floor(number / pageSize))
      return rows === undefined || rows === null ? rows : (rows.get(number) ?? null)
    },
    /** Sets which messages are in sight: their pages are loaded, and no others any more. */
    want(numbers: Iterable<number>): void {
      const next = new Set<number>()
      for (const number of numbers) next.add(Math.floor(number / pageSize))
      wanted = [...next]
      stop((page) => !next.has(page))
      start()
    },
    /** Forgets what was loaded: the session has changed. */
    forget(): void {
      stop(() => true)
      pages.clear()
      changed()
      start()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Grows whenever a row has changed. */
    version: () => version,
  }
}
