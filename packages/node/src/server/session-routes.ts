import { access, constants } from 'node:fs/promises'
import { Hono } from 'hono'
import { z } from 'zod'
import { openError, sessionPaths } from '../session/open-session.ts'
import type { StoredSession } from '../session/session.ts'
import type { LiveState, SessionListRow } from '../shared/server-api.ts'
import { eventStream } from './event-stream.ts'
import { modelInfo } from './hello-routes.ts'
import { canResume } from './live-session.ts'
import { createLiveSessions, type LiveSessions, type StartAs } from './live-sessions.ts'
import { refusal } from './refusal.ts'
import type { RouteOptions } from './server-options.ts'
import { modelNamed, runSessionCommand } from './session-commands.ts'
import { sessionContentRoutes } from './session-content-routes.ts'
import { createSessionList } from './session-list.ts'
import { messagesBetween, sessionSnapshot } from './session-snapshot.ts'

/** What is below `/api/sessions`: the list, each session with its events, and what can be done to it. */
export function sessionRoutes(options: RouteOptions, live: LiveSessions = createLiveSessions(options)): Hono {
  const { sessions, stopping } = options
  const list = createSessionList(sessions)
  options.atClose(live.closeAll)

  return new Hono()
    .get('/', async (context) => {
      const rows = await list.rows((context.req.query('search') ?? '').slice(0, longestSearch), context.req.raw.signal)
      // One that was just begun is in nobody's way until something is said in it.
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
        // First what is behind the messages, then the messages: what comes between is told again rather than lost.
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
      const to = numberIn(context.req.query('to'), from + mostAtOnce)
      const messages = await live.read(context.req.param('id'), (session) =>
        messagesBetween(session, from, Math.min(to, from + mostAtOnce)),
      )
      return context.json(messages)
    })
    .get('/:id/events', async (context) => {
      const id = context.req.param('id')
      if (live.find(id) === null) await expectSession(sessions, id)
      return eventStream(context, live.subscribe(id), { stopping })
    })
    .route('/', sessionContentRoutes(options, live))
    .post('/:id/:command', async (context) => {
      const { id, command } = context.req.param()
      const answer = await runSessionCommand(id, command, await bodyOf(context.req), { live, options })
      return context.json(answer)
    })
}

/** Rejects with `SessionError` where there is no such session. */
async function expectSession(sessions: string, id: string): Promise<void> {
  const paths = sessionPaths(sessions, id)
  await access(paths.log, constants.R_OK).catch((error: unknown) => {
    throw openError(error, sessions, id, paths)
  })
}

const newSession = z.strictObject({ model: z.string().min(1).max(300).optional() })
const longestSearch = 200
const mostAtOnce = 500
/** The last millisecond that a calendar has. A log may say any, and a page that shows none of them would show nothing. */
const lastTime = 8.64e15

function listRow(
  { from, ...row }: Awaited<ReturnType<ReturnType<typeof createSessionList>['rows']>>[number],
  live: LiveSessions,
): SessionListRow {
  return {
    ...row,
    first: Math.min(row.first, lastTime),
    last: Math.min(row.last, lastTime),
    from: from === null || from === undefined ? null : { session: from.session, reason: from.reason },
    isBusy: live.find(row.id)?.isBusy() === true,
  }
}

/** What goes on in a session that no agent is in. */
function restingState(session: StoredSession, options: RouteOptions, { model, mode }: StartAs): LiveState {
  return {
    isBusy: false,
    since: null,
    permission: null,
    model: modelInfo(model ?? options.agents.defaultModel, options),
    mode: mode ?? options.config.agent.mode,
    queue: [],
    look: null,
    overflow: null,
    canResume: canResume(session),
  }
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
