import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { modelFacts } from '@plimsoll/core'
import { outputReserve, type PermissionMode } from '@plimsoll/core/policies'
import { onTestFinished } from 'vitest'
import { type Agent, type AskPermission, newMessage, type TurnOutcome } from '../../../agent/agent.ts'
import { compactSession } from '../../../agent/compaction/compact-session.ts'
import { nextRequest } from '../../../agent/request/next-request.ts'
import type { Steering } from '../../../agent/turn/steering.ts'
import type { ModelClient } from '../../../model/model-client.ts'
import { createSession } from '../../../session/create-session.ts'
import { removeSession } from '../../../session/list-sessions.ts'
import { openSession } from '../../../session/open-session.ts'
import type { OpenSession } from '../../../session/session.ts'
import { type Emit } from '../../../shared/event.ts'
import type { AgentHost } from '../../agent/open-agent-host.ts'
import { CommandError, type CommandIo } from '../../command-io.ts'
import { sessionContext } from '../../settings.ts'

/** Replaces the model and its tools in a turn. */
export type Script = (stage: {
  readonly text: string
  readonly emit: Emit
  readonly ask: AskPermission | null
  readonly signal: AbortSignal
  /** Keeps an answer in the session. */
  readonly answer: (text: string) => Promise<void>
  /** Takes what the user said meanwhile. */
  readonly steer: () => Promise<void>
}) => Promise<TurnOutcome>

const usage = { input: 100, cacheRead: 900, cacheWrite: 0, output: 20 }
const nothing = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

/** A host with real sessions in a temporary folder, whose agents follow a script. */
export async function createScriptedHost(script: Script, environment: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-chat-'))
  const opened = new Set<OpenSession>()
  onTestFinished(async () => {
    for (const session of opened) await session.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let time = Date.parse('2026-01-31T10:00:00Z')
  const output = { write: () => undefined, isTerminal: false, columns: null }
  const io: CommandIo = {
    stdout: output,
    stderr: output,
    stdin: (async function* () {})(),
    environment: { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder, ...environment },
    folder,
    platform: 'linux',
    now: () => time,
  }
  const context = await sessionContext({}, io)
  const { config, policies } = context.settings
  const model = (name: string): ModelClient => {
    if (name.startsWith('no-')) throw new CommandError(`no key for ${name}`, 2)
    return {
      name,
      model: name,
      provider: 'scripted',
      facts: modelFacts(name),
      price: null,
      usesText: false,
      call: () => Promise.reject(new Error('this model is never called')),
    }
  }
  const host: AgentHost = {
    context,
    root: folder,
    model: async (name) => model(name),
    notices: [],
    defaultModel: model('claude-opus-5.5'),
    why: null,
    async start({ session: id, model: chosen, emit, ask }) {
      const session =
        id === null
          ? await createSession(context.sessions, { now: io.now, root: folder })
          : await openSession(context.sessions, id, { now: io.now })
      opened.add(session)
      return agentIn(session, chosen ?? host.defaultModel, emit, ask)
    },
    async leave(session) {
      const isEmpty = !session.heads().some(({ type }) => type === 'message')
      opened.delete(session)
      await session.close()
      if (isEmpty) await removeSession(context.sessions, session.id)
    },
    close: () => Promise.resolve(),
  }

  function agentIn(session: OpenSession, first: ModelClient, emit: Emit, ask: AskPermission | null): Agent {
    let current = first
    let mode: PermissionMode = 'ask'
    const add = (role: 'user' | 'assistant', text: string) =>
      session.append([{ type: 'message', message: newMessage(session, role, [{ type: 'text', text }], time) }])
    async function play(text: string, signal: AbortSignal, steering?: Steering): Promise<TurnOutcome> {
      emit({ type: 'turn_start', data: { session: session.id, turn: 'm', model: current.name, timing: 'auto' } })
      const answer = async (reply: string) => void (await add('assistant', reply))
      const steer = async () => {
        const said = steering?.next() ?? null
        if (said === null) return
        await add('user', said)
        steering?.stored('m')
      }
      const outcome = await script({ text, emit, ask, signal, answer, steer })
      time += 1000
      const cost = { dollars: 0.25, unpriced: 0 }
      emit({ type: 'usage', data: { what: 'answer', usage, cost: null, total: cost, firstMs: 1, durationMs: 2 } })
      emit({ type: 'turn_end', data: { outcome: outcome.kind, steps: 1, text: '', usage, cost } })
      return outcome
    }
    return {
      session,
      model: () => current,
      useModel(next) {
        current = next
      },
      mode: () => mode,
      setMode(next) {
        mode = next
      },
      async turn(text, signal, steering) {
        await add('user', text)
        return play(text, signal, steering)
      },
      resume: (signal, steering) => play('(resumed)', signal, steering),
      compact: ({ focus, keepRounds }, signal) =>
        compactSession(session, { config, writer: null, emit, focus, keepRounds, signal, now: time, force: true }),
      async look() {
        const { messages, report } = nextRequest({
          state: session.state(),
          config,
          policies,
          facts: { now: time, root: folder, config },
        })
        return {
          messages,
          report,
          window: config.context_window,
          usable: config.context_window - outputReserve(config),
          toolTokens: 0,
        }
      },
      keepAliveDue: () => null,
      keepAlive: () => Promise.resolve(false),
      cost: () => ({
        dollars: 0.25,
        unpriced: 0,
        requests: 1,
        usage: session.heads().length > 1 ? usage : nothing,
        keepAlive: { times: 0, dollars: 0 },
      }),
    }
  }

  return {
    host,
    io,
    folder,
    /** Lets time pass. */
    later: (milliseconds: number): void => {
      time += milliseconds
    },
  }
}
