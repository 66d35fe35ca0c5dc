import { isSha256 } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { type Context, Hono } from 'hono'
import { homeFolder } from '../config/home-folder.ts'
import { InspectError, type InspectProblem } from '../inspect/inspect-facts.ts'
import { inspectInWorker } from '../inspect/inspect-in-worker.ts'
import { sizeOfFile } from '../inspect/inspect-log.ts'
import {
  type AskOptions,
  exampleLog,
  type InspectAnswer,
  type Inspector,
  type InspectQuestion,
  type InspectTarget,
} from '../inspect/inspector.ts'
import { createWhatIf } from '../inspect/what-if.ts'
import { underNamed, WhatIfError, whatIfChoices } from '../inspect/what-if-choices.ts'
import type { OwnPrices } from '../model/price-of-model.ts'
import { sessionPrice } from '../replay/own-case.ts'
import { sessionPaths } from '../session/open-session.ts'
import { isSessionId } from '../session/session-folder.ts'
import type { WhatIf, WhatIfQuestion } from '../shared/inspection/embedded-inspection.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import { maxSearch, minSearch } from '../shared/inspection/search-message.ts'
import type { LogSessions } from '../shared/server-api.ts'
import { answerInLines, wantsLines } from './answer-in-lines.ts'
import type { Shelves } from './gateway-shelf.ts'
import { createLogShelf } from './log-shelf.ts'
import { ApiError, codeName, refusal, requestLocale } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'

type InspectRouteOptions = Pick<RouteOptions, 'sessions' | 'stopping' | 'config' | 'allowPublic' | 'strings'>

/** Everything below `/inspect` and `/logs`, read by another thread. Simulations take longer and have their own. */
export function lookingRoutes(options: RouteOptions): Hono {
  const { config, isWindowSet, now, atClose, atHello, gateways } = options
  const day = new Date(now()).toISOString().slice(0, 10)
  const inspector = inspectInWorker({ config, isWindowSet, day })
  const simulator = inspectInWorker({ config, isWindowSet, day })
  const shelf = createLogShelf(options)
  atHello(() => inspector.warmUp?.())
  atClose(async () => {
    await inspector.close()
    await simulator.close()
    await shelf.close()
    await gateways?.close()
  })
  return new Hono()
    .route('/inspect', inspectRoutes(options, { shelf, gateways }, inspector, simulator))
    .route('/logs', logRoutes(options, { shelf, gateways }, inspector))
}

/**
 * Inspects a session, a log with a number from 1, a conversation of a gateway, or `example`, by id; with `?under=SET` as if that policy set
 * had been active, at the price row of `&prices=ROW`. Simulations have their own inspector. `?form=columns` returns a `PackedInspection`.
 */
function inspectRoutes(
  options: InspectRouteOptions,
  { shelf, gateways }: Shelves,
  inspector: Inspector,
  simulator: Inspector,
): Hono {
  const targetOf = async (context: Context): Promise<InspectTarget> => {
    const id = context.req.param('id') ?? ''
    if (isSessionId(id)) return { kind: 'session', sessions: options.sessions, id }
    if (id === 'example') return { kind: 'log', path: exampleLog(), number: 0, id }
    const gateway = await gateways?.targetOf(id)
    if (gateway !== null && gateway !== undefined) return gateway
    const [, log = '', number = ''] = /^([0-9a-f]{16})\.(\d{1,6})$/.exec(id) ?? []
    if (log === '') throw refusal('NO_SUCH_LOG')
    return { kind: 'log', path: await shelf.pathOf(log), number: Number(number) - 1, id }
  }

  const wanted = (context: Context): AbortSignal => AbortSignal.any([options.stopping, context.req.raw.signal])

  const answered = async (context: Context, question: InspectQuestion): Promise<Response> => {
    const under = question.what === 'blob' ? null : underIn(context)
    const target = await targetOf(context)
    const pack = isPacked(context, options)
    if (under === null) {
      const answer = await inspector.ask(target, question, { pack }).catch(refused(null))
      return question.what === 'blob' ? answerBlob(context, answer) : answerBytes(context, answer)
    }
    // Work that takes long stops when the client goes away; a page of a finished inspection is read quickly.
    const isLong = question.what === 'inspection'
    const simulate = (signal: AbortSignal | null, more: AskOptions) =>
      simulator.ask({ ...target, under }, question, { ...more, signal: signal ?? undefined }).catch(refused(signal))
    if (!isLong || !wantsLines(context)) return answerBytes(context, await simulate(isLong ? wanted(context) : null, { pack }))
    return answerInLines(context, options, async (say, gone) => {
      const signal = AbortSignal.any([wanted(context), gone])
      return (await simulate(signal, { progress: (share) => say({ share }) })).bytes
    })
  }

  const whatIf = createWhatIf()

  /** The comparison in a page: Plimsoll's sets at the session's own prices, unless a replay would take long or is impossible. */
  const replayedFor = async (target: FileTarget, signal: AbortSignal): Promise<WhatIf | null> => {
    const logged = loggedIn(target)
    if (((await sizeOfFile(logged.path)) ?? 0) > maxReplayedBytes) return null
    return whatIf(logged, { policies: pageSets, prices: [sessionPrice] }, { signal, prices: options.config.prices }).catch(
      (error: unknown) => {
        if (error instanceof WhatIfError) return null
        throw signal.aborted ? refusal('CLOSING') : error
      },
    )
  }

  return new Hono()
    .get('/:id/inspection', (context) => {
      const inColumns = context.req.query('form') === 'columns'
      return answered(context, { what: 'inspection', locale: localeOf(context, options), inColumns })
    })
    .get('/:id/messages', (context) => answered(context, { what: 'messages', ...pageIn(context) }))
    .get('/:id/search', (context) => {
      const text = (context.req.query('text') ?? '').trim()
      if (text.length < minSearch || text.length > maxSearch) throw refusal('BAD_REQUEST')
      return answered(context, { what: 'search', text })
    })
    .get('/:id/requests/:request', (context) => answered(context, { what: 'request', id: context.req.param('request') }))
    .get('/:id/edits/:edit', (context) =>
      answered(context, { what: 'edit', id: context.req.param('edit'), locale: localeOf(context, options) }),
    )
    .get('/:id/blobs/:sha256', (context) => {
      const sha256 = context.req.param('sha256')
      if (!isSha256(sha256)) throw refusal('NO_SUCH_CONTENT')
      return answered(context, { what: 'blob', sha256 })
    })
    .get('/:id/page', async (context) => {
      const target = await targetOf(context)
      const under = underIn(context)
      const replayed = target.kind === 'gateway' || under !== null ? null : await replayedFor(target, wanted(context))
      const question = {
        what: 'page',
        locale: localeOf(context, options),
        home: homeFolder(process.env),
        whatIf: replayed,
      } as const
      const { bytes } = await (under === null
        ? inspector.ask(target, question)
        : simulator.ask({ ...target, under }, question)
      ).catch(refused(null))
      return context.body(bytes, 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': 'attachment; filename="plimsoll-session.html"',
      })
    })
    .get('/:id/what-if', (context) => context.json(whatIfChoices()))
    .post('/:id/what-if', async (context) => {
      const target = await targetOf(context)
      const question = questionIn(await context.req.json().catch(() => null))
      if (target.kind === 'gateway') throw refusal('NOTHING_TO_REPLAY')
      const logged = loggedIn(target)
      const compare = (signal: AbortSignal, more: Parameters<typeof whatIf>[2] = {}) =>
        whatIf(logged, question, { ...more, signal, prices: options.config.prices }).catch(refused(signal))
      if (!wantsLines(context)) return context.json(await compare(wanted(context)))
      return answerInLines<WhatIf>(context, options, async (say, gone) => {
        const signal = AbortSignal.any([wanted(context), gone])
        const answer = await compare(signal, { progress: (share) => say({ share }), soFar: (soFar) => say({ soFar }) })
        return new TextEncoder().encode(JSON.stringify(answer))
      })
    })
}

/** Larger logs take long to replay. */
const maxReplayedBytes = 10_000_000
const pageSets = ['spec', 'economy', 'economy-keep-alive', 'gateway-economy']

type FileTarget = Exclude<InspectTarget, { readonly kind: 'gateway' }>

function loggedIn(target: FileTarget) {
  return target.kind === 'session'
    ? { path: sessionPaths(target.sessions, target.id).log, number: 0 }
    : { path: target.path, number: target.number }
}

function refused(signal: AbortSignal | null): (error: unknown) => never {
  return (error) => {
    throw signal?.aborted === true ? refusal('CLOSING') : asRefusal(error)
  }
}

function answerBytes(context: Context, { bytes, isPacked: isGzip }: InspectAnswer): Response {
  if (isGzip) context.header('content-encoding', 'gzip')
  context.header('vary', 'accept-encoding')
  return context.body(bytes, 200, { 'content-type': 'application/json' })
}

/** Whether an answer is packed: on one machine that would only take time. */
function isPacked(context: Context, { allowPublic }: Pick<RouteOptions, 'allowPublic'>): boolean {
  return allowPublic && /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
}

function localeOf(context: Context, { config }: Pick<RouteOptions, 'config'>): string | null {
  return requestLocale(context) ?? config.locale
}

/** Stored content may be anything, so a browser must treat it as bytes; it never changes. */
function answerBlob(context: Context, { bytes }: InspectAnswer): Response {
  return context.body(bytes, 200, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
    'cache-control': 'private, max-age=31536000, immutable',
  })
}

/** Null for a session as it was recorded. Unknown names are refused. */
function underIn(context: Context): InspectedUnder | null {
  const policies = context.req.query('under')
  if (policies === undefined) return null
  const price = context.req.query('prices')
  try {
    const { set, row } = underNamed({ policies, ...(price === undefined ? {} : { price }) })
    return { policies: set.name, price: row?.name ?? sessionPrice }
  } catch (error) {
    throw asRefusal(error)
  }
}

function pageIn(context: Context): { readonly from: number; readonly to: number } {
  const { from = '', to = '' } = context.req.query()
  if (![from, to].every((text) => /^\d{1,9}$/.test(text))) throw refusal('BAD_REQUEST')
  return { from: Number(from), to: Number(to) }
}

function questionIn(value: unknown): WhatIfQuestion {
  if (!isRecord(value)) throw refusal('BAD_REQUEST')
  const { policies, prices, own } = value
  if (!isNames(policies) || !isNames(prices)) throw refusal('BAD_REQUEST')
  if (own === undefined) return { policies, prices }
  if (!areOwnPrices(own)) throw refusal('BAD_REQUEST')
  return { policies, prices, own }
}

function areOwnPrices(value: unknown): value is OwnPrices {
  return isRecord(value) && Object.keys(value).length <= 100 && Object.values(value).every(isOwnPrice)
}

function isOwnPrice(value: unknown): boolean {
  return (
    isRecord(value) &&
    ['input', 'output'].every((part) => Object.hasOwn(value, part)) &&
    Object.values(value).every((amount) => typeof amount === 'number' && amount >= 0 && amount <= 1_000_000)
  )
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= 100 && value.every((name) => typeof name === 'string')
}

function logRoutes(options: InspectRouteOptions, { shelf, gateways }: Shelves, inspector: Inspector): Hono {
  const sessionsOf = async (context: Context, id: string) => {
    const target = { kind: 'log', path: await shelf.pathOf(id), number: 0, id } as const
    const question = { what: 'sessions', locale: localeOf(context, options) } as const
    return inspector.ask(target, question, { pack: isPacked(context, options) }).catch((error: unknown) => {
      throw asRefusal(error)
    })
  }
  return new Hono()
    .get('/', async (context) => context.json([...((await gateways?.list()) ?? []), ...(await shelf.list())]))
    .get('/:id', async (context) => {
      const id = context.req.param('id')
      const gateway = await gateways?.targetOf(id)
      if (gateway !== null && gateway !== undefined) return context.json(onlySession(id))
      return answerBytes(context, await sessionsOf(context, id))
    })
    .post('/', async (context) => {
      const { body } = context.req.raw
      if (body === null) throw refusal('EMPTY_FILE')
      const row = await shelf.add(context.req.query('name') ?? '', body)
      try {
        await sessionsOf(context, row.id)
      } catch (error) {
        await shelf.remove(row.id)
        throw error
      }
      return context.json(row, 201)
    })
}

function onlySession(id: string): LogSessions {
  return { id, format: 'gateway', sessions: [{ id, title: null, messages: 0 }], troubles: [] }
}

function asRefusal(error: unknown): unknown {
  if (error instanceof InspectError) return refusal(inspectCodes[error.code])
  if (!(error instanceof WhatIfError)) return error
  const status = error.code.startsWith('unknown') ? 400 : 422
  return new ApiError(status, codeName(error.code), (strings) => ({ message: error.text(strings) }))
}

const inspectCodes: Readonly<Record<InspectProblem, Parameters<typeof refusal>[0]>> = {
  'no-such-request': 'NO_SUCH_REQUEST',
  'no-such-edit': 'NO_SUCH_CHANGE',
  'no-such-session': 'NO_SUCH_CONVERSATION',
  'no-such-blob': 'NO_SUCH_CONTENT',
  'cannot-read': 'NOT_A_LOG',
  'cannot-replay': 'NOTHING_TO_REPLAY',
}
