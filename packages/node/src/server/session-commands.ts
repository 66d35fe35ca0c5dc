import { hidingCost, type NewEntry } from '@plimsoll/core/session'
import { z } from 'zod'
import { thrownText } from '../files/problem.ts'
import type { ModelClient } from '../model/model-client.ts'
import { branchMessages, entryBefore, restoredEdit } from '../session/branch.ts'
import { forkSession } from '../session/create-session.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import type { SessionAnswers, SessionCommands } from '../shared/server-api.ts'
import { changedFiles } from '../tools/change/undo-files.ts'
import type { GatewayShelf } from './gateway-shelf.ts'
import type { LiveSessions } from './live-sessions.ts'
import { ApiError, refusal } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'

interface CommandContext {
  readonly live: LiveSessions
  readonly options: Pick<ServerOptions, 'sessions' | 'writing' | 'agents' | 'root'> & { readonly gateways: GatewayShelf | null }
}

/** Runs a client's command on a session, with any body. Throws `ApiError` or `SessionError`. */
export function runSessionCommand(id: string, name: string, body: unknown, context: CommandContext): Promise<object> {
  if (!isCommand(name)) throw refusal('NO_SUCH_COMMAND')
  return commands[name](id, body, context)
}

type Run<Body, Answer> = (id: string, body: Body, context: CommandContext) => Promise<Answer>

type Commands = { readonly [Name in keyof SessionCommands]: Run<unknown, SessionAnswers[Name]> }

function command<Body, Answer>(form: z.ZodType<Body>, run: Run<Body, Answer>): Run<unknown, Answer> {
  return (id, body, context) => {
    const checked = form.safeParse(body)
    if (!checked.success) throw refusal('BAD_REQUEST')
    return run(id, checked.data, context)
  }
}

function isCommand(name: string): name is keyof SessionCommands {
  return Object.hasOwn(commands, name)
}

const nothing = z.strictObject({})
const name = z.string().min(1).max(300)
const text = z.string().max(1_000_000)
const ids = z.array(name).max(10_000).default([])
const answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('once') }),
  z.strictObject({ kind: z.literal('session') }),
  z.strictObject({ kind: z.literal('no'), reason: text.nullable() }),
])

const commands: Commands = {
  turn: command(z.strictObject({ text, steer: z.boolean().optional() }), async (id, body, { live }) =>
    (await live.open(id)).turn(body.text, body.steer === true),
  ),
  cancel: command(nothing, async (id, _body, { live }) => live.find(id)?.cancel() ?? { queue: [] }),
  resume: command(nothing, async (id, _body, { live }) => {
    const session = await live.open(id)
    session.resume()
    return {}
  }),
  permission: command(
    z.strictObject({ callId: z.string().max(1000), answer, stop: z.boolean().optional() }),
    async (id, body, { live }) => {
      const session = live.find(id)
      if (session === null) throw refusal('NO_QUESTION')
      session.permission(body.callId, body.answer, body.stop === true)
      return {}
    },
  ),
  compact: command(z.strictObject({ focus: text.optional(), thenResume: z.boolean().optional() }), async (id, body, { live }) => {
    const session = await live.open(id)
    session.compact(body.focus ?? '', body.thenResume === true)
    return {}
  }),
  rewind: command(z.strictObject({ before: name }), async (id, { before }, { live }) => (await live.open(id)).rewind(before)),
  fork: command(z.strictObject({ before: name.optional() }), async (id, { before }, { live, options }) => {
    const session = await live.read(id, (original) => fork(original, before, options))
    return { session }
  }),
  'hand-over': command(nothing, async (id, _body, { live }) => ({ session: await live.handOver(id) })),
  model: command(z.strictObject({ name, thenResume: z.boolean().optional() }), async (id, body, { live, options }) => {
    // Fails before the session is opened.
    await modelNamed(body.name, options)
    return (await live.open(id)).useModel(body.name, body.thenResume === true)
  }),
  mode: command(z.strictObject({ mode: z.enum(['read-only', 'ask', 'accept-edits', 'auto']) }), async (id, body, { live }) => {
    const session = await live.open(id)
    session.setMode(body.mode)
    return {}
  }),
  edits: command(
    z.strictObject({ restore: ids, pin: ids, unpin: ids, hide: ids, unhide: ids }),
    async (id, wish, { live, options }) => {
      const gateway = await options.gateways?.hiding(id)
      if (gateway === undefined || gateway === null) await (await live.open(id)).edits(wish)
      // Nothing else of a conversation of a gateway can be changed here.
      else if (wish.restore.length + wish.pin.length + wish.unpin.length > 0) throw refusal('BAD_REQUEST')
      else await gateway.change(wish)
      return {}
    },
  ),
  'file-changes': command(z.strictObject({ turn: name.optional() }), async (id, { turn }, { live, options }) =>
    live.read(id, async (session) => {
      const found = await changedFiles(session, options.root, turn ?? null)
      if (found === null) throw refusal(turn === undefined ? 'NOTHING_TO_UNDO' : 'NO_SUCH_MESSAGE')
      return found
    }),
  ),
  'undo-files': command(
    z.strictObject({
      turn: name,
      files: z.array(z.strictObject({ path: z.string().max(5000), current: z.string().max(100).nullable() })).max(1000),
    }),
    async (id, { turn, files }, { live }) => (await live.open(id)).undoFiles(turn, files),
  ),
  'hiding-cost': command(z.strictObject({ message: name }), async (id, { message }, { live, options }) => {
    const gateway = await options.gateways?.hiding(id)
    if (gateway !== undefined && gateway !== null) return gateway.cost(message)
    return live.read(id, async (session) => {
      const state = session.state()
      if (!state.messages.some((known) => known.id === message)) throw refusal('NO_SUCH_MESSAGE')
      return hidingCost(state, message, { now: (options.writing.now ?? Date.now)(), hides: state.hides })
    })
  }),
}

async function fork(original: StoredSession, before: string | undefined, options: CommandContext['options']): Promise<string> {
  const entry = before === undefined ? undefined : entryBefore(original, before)
  if (entry === null) throw refusal('NO_SUCH_MESSAGE')
  const made = await forkSession(options.sessions, original, { ...options.writing, ...(entry === undefined ? {} : { entry }) })
  await made.close()
  return made.id
}

/** The model with this name, or a refusal that says why it cannot be used. */
export async function modelNamed(wanted: string, { agents }: Pick<ServerOptions, 'agents'>): Promise<ModelClient> {
  try {
    return await agents.model(wanted)
  } catch (error) {
    throw new ApiError(422, 'NO_SUCH_MODEL', () => ({ message: thrownText(error) }), { cause: error })
  }
}

/** Undoes edits, and changes what is pinned and hidden: all of it, or nothing if something of it does not exist. */
export async function changeEdits(session: OpenSession, change: Required<SessionCommands['edits']>): Promise<void> {
  const { restore, pin, unpin, hide, unhide } = change
  const known = new Set(branchMessages(session).map(({ head }) => head.id))
  if (![...pin, ...unpin, ...hide, ...unhide].every((id) => known.has(id))) throw refusal('NO_SUCH_MESSAGE')
  const pinned = new Set(session.state().pins)
  const hidden = new Set(session.state().hides)
  const entries: NewEntry[] = []
  for (const id of restore) {
    const restored = restoredEdit(session, id)
    if (restored === null) throw refusal('NO_SUCH_EDIT')
    entries.push(restored.entry)
  }
  const added = pin.filter((id) => !pinned.has(id))
  const removed = unpin.filter((id) => pinned.has(id))
  if (added.length > 0) entries.push({ type: 'edits', pin: added })
  if (removed.length > 0) entries.push({ type: 'edits', unpin: removed })
  const hides = hide.filter((id) => !hidden.has(id))
  const unhides = unhide.filter((id) => hidden.has(id))
  if (hides.length > 0) entries.push({ type: 'edits', hide: hides })
  if (unhides.length > 0) entries.push({ type: 'edits', unhide: unhides })
  if (entries.length > 0) await session.append(entries)
}
