import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Inspector } from '../inspect/inspector.ts'
import type { LogSessions } from '../shared/server-api.ts'
import { asRefusal, inspectRefusal } from './inspect-refusal.ts'
import { answerBytes, type InspectRouteOptions, isPacked, localeOf } from './inspect-routes.ts'
import type { Shelves } from './shelves.ts'

/** The logs of other agents: what there is, what each holds, and files that are handed over. */
export function logRoutes(options: InspectRouteOptions, { shelf, gateways }: Shelves, inspector: Inspector): Hono {
  const sessionsOf = async (context: Context, id: string) => {
    const target = { kind: 'log', path: await shelf.pathOf(id), number: 0, id } as const
    const question = { what: 'sessions', locale: localeOf(context, options) } as const
    return inspector.ask(target, question, isPacked(context, options)).catch((error: unknown) => {
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
      if (body === null) throw inspectRefusal('EMPTY_FILE')
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

/** What went through a gateway is one conversation each. */
function onlySession(id: string): LogSessions {
  return { id, format: 'gateway', sessions: [{ id, title: null, messages: 0 }], troubles: [] }
}
