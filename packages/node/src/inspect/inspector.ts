import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Message } from '@plimsoll/core'
import type { ReadLog } from '../logs/log-reader.ts'
import { readLog } from '../logs/read-log.ts'
import { sessionPaths } from '../session/open-session.ts'
import { inlinedMessage, shownMessage } from '../session/shown-message.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import type { WhatIf } from '../shared/inspection/embedded-inspection.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import { packInspection } from '../shared/inspection/pack-inspection.ts'
import { foundIn } from '../shared/inspection/search-message.ts'
import type { LogSessions } from '../shared/server-api.ts'
import type { GatewayStore } from '../store/gateway-store.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { InspectError, type InspectSettings } from './inspect-facts.ts'
import { openInspectedGateway } from './inspect-gateway.ts'
import { logProblems, openInspectedLog } from './inspect-log.ts'
import { openInspectedSession } from './inspect-session.ts'
import { openInspectedUnder } from './inspect-under.ts'
import type { OpenInspected } from './inspected-texts.ts'

/**
 * One of Plimsoll's sessions, or one in a log by its number from 0. With `under`, as if that known policy set had been active.
 */
export type InspectTarget = { readonly under?: InspectedUnder } & (
  | { readonly kind: 'session'; readonly sessions: string; readonly id: string }
  | { readonly kind: 'log'; readonly path: string; readonly number: number; readonly id: string }
  | GatewayTarget
)

/** A conversation that went through a gateway: the path or address of its store, and its name there. */
export interface GatewayTarget {
  readonly kind: 'gateway'
  readonly store: string
  readonly tenant: string
  readonly conversation: string
  readonly id: string
  /** Whether results of this tenant can be hidden from here. */
  readonly canHide: boolean
  readonly under?: InspectedUnder
}

export type InspectQuestion =
  /** With `inColumns`, as a `PackedInspection`, which is a fifth as long. */
  | { readonly what: 'inspection'; readonly locale: string | null; readonly inColumns?: boolean }
  | { readonly what: 'messages'; readonly from: number; readonly to: number }
  /** The numbers of the messages that contain a text. */
  | { readonly what: 'search'; readonly text: string }
  | { readonly what: 'request'; readonly id: string }
  | { readonly what: 'edit'; readonly id: string; readonly locale: string | null }
  | { readonly what: 'blob'; readonly sha256: string }
  /** A redacted page with the session and the inspector in it. */
  | { readonly what: 'page'; readonly locale: string | null; readonly home: string | null; readonly whatIf: WhatIf | null }
  | { readonly what: 'sessions'; readonly locale: string | null }

/** Bytes to send: JSON, except for a blob and a page. */
export interface InspectAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isPacked: boolean
}

export interface AskOptions {
  /** Whether a long answer is packed with gzip. Default: it is not. */
  readonly pack?: boolean
  readonly signal?: AbortSignal | undefined
  /** Called often during a simulation, with the share that is done. */
  readonly progress?: ((share: number) => void) | undefined
}

/** Answers questions about sessions, and keeps the last few open to avoid reading them twice. */
export interface Inspector {
  /**
   * Rejects with `InspectError` or `SessionError`. Once the signal is aborted, it rejects with the signal's reason; an inspector in
   * another thread then stops the work.
   */
  readonly ask: (target: InspectTarget, question: InspectQuestion, options?: AskOptions) => Promise<InspectAnswer>
  /** Prepares for a question that may come soon. Default: nothing to prepare. */
  readonly warmUp?: () => void
  readonly close: () => Promise<void>
}

export function createInspector(settings: InspectSettings): Inspector {
  const known = new Map<string, { readonly stamp: string; readonly open: OpenInspected }>()
  let lastLog: { readonly path: string; readonly stamp: string; readonly log: ReadLog } | null = null
  const stores = new Map<string, Promise<GatewayStore>>()
  let turn: Promise<unknown> = Promise.resolve()

  async function opened(target: InspectTarget, progress: AskOptions['progress']): Promise<OpenInspected> {
    const key = keyOf(target)
    const stamp = await stampOf(target)
    const found = known.get(key)
    if (found?.stamp === stamp) {
      // Put at the end, because the first one is closed first.
      known.delete(key)
      known.set(key, found)
      return found.open
    }
    await close(key)
    for (const oldest of known.keys()) if (known.size >= maxOpen) await close(oldest)
    const open = await openTarget(target, stamp, progress)
    known.set(key, { stamp, open })
    return open
  }

  async function close(key: string): Promise<void> {
    const open = known.get(key)?.open
    known.delete(key)
    await open?.close()
  }

  async function openTarget(target: InspectTarget, stamp: string, progress: AskOptions['progress']): Promise<OpenInspected> {
    const { under } = target
    if (target.kind === 'gateway') {
      // The gateway keeps nothing that could be replayed.
      if (under !== undefined) throw new InspectError('cannot-replay')
      return openInspectedGateway({ ...target, store: await storeAt(target.store) }, settings)
    }
    if (under !== undefined && stamp !== missing) return openUnder(target, under, stamp, progress)
    if (target.kind === 'session') return openInspectedSession(target.sessions, target.id, settings)
    return openInspectedLog({ ...target, log: await logAt(target.path, stamp) }, settings)
  }

  function storeAt(location: string): Promise<GatewayStore> {
    return getOrMake(stores, location, () => {
      // Imported late, because most users have no gateway.
      const opening = import('../store/open-gateway-store.ts')
      const store = opening.then(({ openGatewayStore }) => openGatewayStore(location, { now: Date.now, isReading: true }))
      store.catch(() => stores.delete(location))
      return store
    })
  }

  async function openUnder(
    target: FileTarget,
    under: InspectedUnder,
    stamp: string,
    progress: AskOptions['progress'],
  ): Promise<OpenInspected> {
    // Shows that the thread works: a long log takes a second to read.
    progress?.(0.01)
    if (target.kind === 'log')
      return openInspectedUnder({ ...target, under, log: await logAt(target.path, stamp), progress }, settings)
    const path = pathOf(target)
    // One of Plimsoll's sessions that cannot be read as a log is empty.
    const log = await logAt(path, stamp).catch(() => null)
    if (log === null || log.sessions.length === 0) throw new InspectError('cannot-replay')
    return openInspectedUnder({ ...target, path, number: 0, under, log, progress }, settings)
  }

  async function logAt(path: string, stamp: string): Promise<ReadLog> {
    if (lastLog?.path === path && lastLog.stamp === stamp) return lastLog.log
    lastLog = null
    const { value, problem } = await readLog(path)
    if (value === undefined) throw new InspectError('cannot-read', problem)
    lastLog = { path, stamp, log: value }
    return value
  }

  async function answer(target: InspectTarget, question: InspectQuestion, progress: AskOptions['progress']): Promise<unknown> {
    if (question.what === 'sessions') {
      if (target.kind !== 'log') throw new InspectError('no-such-session')
      return sessionsIn(await logAt(target.path, await stampOf(target)), target.id, question.locale)
    }
    // A conversation may have grown since it was opened.
    if (target.kind === 'gateway' && question.what === 'inspection') await close(keyOf(target))
    const { texts } = await opened(target, progress)
    switch (question.what) {
      case 'inspection': {
        const inspection = await texts.inspection(question.locale)
        return question.inColumns === true ? packInspection(inspection) : inspection
      }
      case 'messages': {
        const page = await texts.messages(question.from, Math.min(question.to, question.from + maxMessages))
        return page.map((one) => ({ ...one, message: shownIn(target, one.message) }))
      }
      case 'search':
        return searched(texts, question.text)
      case 'request': {
        const request = await texts.request(question.id)
        return { ...request, messages: request.messages.map((message) => shownIn(target, message)) }
      }
      case 'edit':
        return texts.edit(question.id, question.locale)
      case 'page':
        return pageOf(texts, question)
      case 'blob': {
        const bytes = await texts.blob(question.sha256)
        if (bytes === null) throw new InspectError('no-such-blob')
        return bytes
      }
    }
  }

  return {
    ask(target, question, { pack = false, signal, progress } = {}) {
      // One after the other, so that no session is closed while it is read.
      const next = turn.then(async () => {
        signal?.throwIfAborted()
        return packed(await answer(target, question, progress), pack)
      })
      turn = next.catch(() => undefined)
      return next
    },
    async close() {
      await turn
      lastLog = null
      for (const key of known.keys()) await close(key)
      for (const store of stores.values())
        await store.then(
          (one) => one.close(),
          () => undefined,
        )
    },
  }
}

/** Loaded late, because few sessions are saved as a page. */
async function pageOf(
  texts: OpenInspected['texts'],
  { locale, home, whatIf }: Extract<InspectQuestion, { readonly what: 'page' }>,
): Promise<Uint8Array> {
  const [{ embedInspection }, { inspectionPage, readPageAssets }] = await Promise.all([
    import('./embed-inspection.ts'),
    import('./inspection-page.ts'),
  ])
  const assets = await readPageAssets()
  if (assets === null) throw new InspectError('no-such-blob')
  const strings = stringsFor(locale).page
  const data = await embedInspection(texts, { locale, isRedacted: true, home, strings, whatIf })
  return Buffer.from([...inspectionPage(data, assets, strings)].join(''))
}

/** Reads the messages in pieces, so that those of a long session are not all in memory. */
async function searched(texts: OpenInspected['texts'], text: string): Promise<readonly number[]> {
  const { messages } = await texts.inspection()
  const found: number[] = []
  for (let from = 0; from < messages.ids.length; from += maxMessages)
    for (const { number, message } of await texts.messages(from, from + maxMessages))
      if (foundIn(message, text) !== null) found.push(number)
  return found
}

/** Each may hold a hundred thousand rows, or all texts of a log. */
const maxOpen = 3
const maxMessages = 1000
/** Shorter answers are not worth packing. */
const minPacked = 65_536

/** Only Plimsoll's own sessions store images as blobs. */
function shownIn({ kind }: InspectTarget, message: Message): Message {
  return kind === 'session' ? shownMessage(message) : inlinedMessage(message)
}

function keyOf(target: InspectTarget): string {
  const under = target.under === undefined ? '' : ` ${target.under.policies} ${target.under.price}`
  if (target.kind === 'gateway') return `gateway ${target.tenant} ${target.conversation}${under} ${target.store}`
  return target.kind === 'session' ? `session ${target.id}${under}` : `log ${target.number}${under} ${target.path}`
}

type FileTarget = Exclude<InspectTarget, GatewayTarget>

function pathOf(target: FileTarget): string {
  return target.kind === 'session' ? sessionPaths(target.sessions, target.id).log : target.path
}

const missing = 'none'

/** Changes whenever the file does. */
async function stampOf(target: InspectTarget): Promise<string> {
  if (target.kind === 'gateway') return ''
  const found = await stat(pathOf(target)).catch(() => null)
  return found === null ? missing : `${found.size} ${found.mtimeMs} ${found.ino}`
}

function sessionsIn(log: ReadLog, id: string, locale: string | null): LogSessions {
  return {
    id,
    format: log.format,
    sessions: log.sessions.map(({ title, messages }, number) => ({
      id: `${id}.${number + 1}`,
      title,
      messages: messages.length,
    })),
    troubles: logProblems(log, null, stringsFor(locale)).troubles,
  }
}

function packed(value: unknown, pack: boolean): InspectAnswer {
  // Copied, so that they can be moved to another thread.
  const bytes = value instanceof Uint8Array ? new Uint8Array(value) : new TextEncoder().encode(JSON.stringify(value))
  if (!pack || value instanceof Uint8Array || bytes.length < minPacked) return { bytes, isPacked: false }
  return { bytes: new Uint8Array(gzipSync(bytes, { level: 1 })), isPacked: true }
}

export function exampleLog(): string {
  return fileURLToPath(new URL('../../example/conversation.json', import.meta.url))
}
