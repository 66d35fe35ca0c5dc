import { access, constants } from 'node:fs/promises'
import { promptTotal } from '@plimsoll/core/bill'
import { Hono } from 'hono'
import { z } from 'zod'
import { createInspectFacts } from '../inspect/inspect-facts.ts'
import { searchFolder } from '../logs/search/search-index.ts'
import { orSessionError, sessionPaths } from '../session/open-session.ts'
import type { StoredSession } from '../session/session.ts'
import type { LiveState, SessionEvent, SessionListRow, SessionLook } from '../shared/server-api.ts'
import { eventStream, type StreamEvent, type Subscribe } from './event-stream.ts'
import { modelInfo } from './hello-routes.ts'
import { canResume } from './live-session.ts'
import type { LiveSessions, StartAs } from './live-sessions.ts'
import { refusal } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'
import { modelNamed, runSessionCommand } from './session-commands.ts'
import { sessionContentRoutes } from './session-content-routes.ts'
import { createSessionList, type ListedSession } from './session-list.ts'
import { waitingOverflow } from './session-notes.ts'
import { messagesBetween, sessionSnapshot } from './session-snapshot.ts'

/** Everything below `/api/sessions`: the list, each session with its events, and its commands. */
export function sessionRoutes(options: RouteOptions, live: LiveSessions): Hono {
  const { sessions, stopping } = options
  const list = createSessionList(sessions, searchFolder(options.environment))
  options.atClose(live.closeAll)

  return new Hono()
    .get('/', async (context) => {
      const rows = await list.rows((context.req.query('search') ?? '').slice(0, maxSearch), context.req.raw.signal)
      // A new session is not listed until it has a message.
      const said = rows.filter(({ id, messages }) => messages > 0 || live.find(id) === null)
      return context.json(said.map((row) => listRow(row, live)))
    })
    .post('/', async (context) => {
      const body = newSession.safeParse(await bodyOf(context.req))
      if (!body.success) throw refusal('BAD_REQUEST')
      const model = body.data.model === undefined ? undefined : await modelNamed(body.data.model, options)
      const { id } = await live.create(model)
      return context.json({ id }, 201)
    })
    .get('/:id', async (context) => {
      const id = context.req.param('id')
      const snapshot = await live.read(id, (session) => {
        // The event first, then the messages: events in between are sent again rather than lost.
        const event = live.event(id)
        return sessionSnapshot(session, event, live.find(id)?.state() ?? restingState(session, options, live.chosen(id)))
      })
      return context.json(snapshot)
    })
    .delete('/:id', async (context) => {
      await live.remove(context.req.param('id'))
      return context.json({})
    })
    .get('/:id/messages', async (context) => {
      const from = numberIn(context.req.query('from'), 0)
      const to = numberIn(context.req.query('to'), from + maxAtOnce)
      const messages = await live.read(context.req.param('id'), (session) =>
        messagesBetween(session, from, Math.min(to, from + maxAtOnce)),
      )
      return context.json(messages)
    })
    .get('/:id/events', async (context) => {
      const id = context.req.param('id')
      const paths = sessionPaths(sessions, id)
      if (live.find(id) === null) await orSessionError(access(paths.log, constants.R_OK), paths)
      return eventStream(context, live.subscribe(id), { stopping })
    })
    .route('/', sessionContentRoutes(options, live))
    .post('/:id/:command', async (context) => {
      const { id, command } = context.req.param()
      const answer = await runSessionCommand(id, command, await bodyOf(context.req), { live, options })
      return context.json(answer)
    })
}

/** `/api/events?follow=SESSION~EVENT&follow=…`: the events of many sessions in one stream. Each id starts with the number of its `follow`. */
export function eventRoutes({ sessions, stopping }: RouteOptions, live: LiveSessions): Hono {
  return new Hono().get('/', async (context) => {
    const wanted = (context.req.queries('follow') ?? []).slice(0, maxFollowed).map((text) => {
      const [id = '', after = ''] = text.split('~')
      return { id, after }
    })
    if (wanted.length === 0) throw refusal('BAD_REQUEST')
    const isThere = await Promise.all(
      wanted.map(async ({ id }) => {
        if (live.find(id) !== null) return true
        try {
          await access(sessionPaths(sessions, id).log, constants.R_OK)
          return true
        } catch {
          return false
        }
      }),
    )
    const subscribe: Subscribe = (_after, listen) => {
      const ends = wanted.map(({ id, after }, index) => {
        const pass = (event: StreamEvent) => listen({ ...event, id: `${index} ${event.id}` })
        if (isThere[index] === true) return live.subscribe(id)(after, pass)
        // The client asks for the session, and learns why it cannot be read.
        pass({ id: after, type: 'reset', data: { type: 'reset', data: { event: after } } satisfies SessionEvent })
        return () => undefined
      })
      return () => {
        for (const end of ends) end()
      }
    }
    return eventStream(context, subscribe, { stopping, after: null })
  })
}

const maxFollowed = 200

const newSession = z.strictObject({ model: z.string().min(1).max(300).optional() })
const maxSearch = 200
const maxAtOnce = 500
/** The last millisecond of a `Date`. A log may have any number, and a page fails for later ones. */
const lastTime = 8.64e15

function listRow({ from, ...row }: ListedSession, live: LiveSessions): SessionListRow {
  return {
    ...row,
    first: Math.min(row.first, lastTime),
    last: Math.min(row.last, lastTime),
    from: from === null || from === undefined ? null : { session: from.session, reason: from.reason },
    isBusy: live.find(row.id)?.isBusy() === true,
    isWaiting: live.find(row.id)?.isWaiting() === true,
  }
}

function restingState(session: StoredSession, options: RouteOptions, { model, mode }: StartAs): LiveState {
  return {
    isBusy: false,
    since: null,
    permission: null,
    model: modelInfo(model ?? options.agents.defaultModel, options),
    mode: mode ?? options.config.agent.mode,
    queue: [],
    look: restingLook(session, options),
    overflow: waitingOverflow(session),
    canResume: canResume(session),
  }
}

/** How full the window was with the last request, as it was reported or else estimated. The cost of all requests would take long to add up. */
function restingLook(session: StoredSession, { config, isWindowSet, now }: RouteOptions): SessionLook | null {
  const heads = session.heads()
  const request = session.entry(heads.findLast(({ type }) => type === 'request')?.id ?? '')
  if (request?.type !== 'request') return null
  const last = session.entry(heads.findLast(({ type }) => type === 'usage')?.id ?? '')
  const reported = last?.type === 'usage' && last.request === request.id ? promptTotal(last.usage) : 0
  const { limitsOf } = createInspectFacts({ config, isWindowSet, day: new Date(now()).toISOString().slice(0, 10) })
  const [tokens, source] = reported > 0 ? ([reported, 'usage'] as const) : ([request.estimate, 'estimate'] as const)
  return { fill: { tokens, categories: {}, results: [], source, ...limitsOf(request.model) }, report: null, cost: null }
}

function numberIn(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw refusal('BAD_REQUEST')
  return Number(text)
}

async function bodyOf(request: { readonly json: () => Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw refusal('BAD_REQUEST')
  }
}
