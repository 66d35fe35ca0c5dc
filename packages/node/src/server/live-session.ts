import type { Message } from '@plimsoll/core'
import { windowFill } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { Agent, AskPermission } from '../agent/agent.ts'
import { thrownText } from '../files/trouble.ts'
import type { ModelClient } from '../model/model-client.ts'
import { branchMessages } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { SessionError } from '../session/session-error.ts'
import type { AgentError, PermissionAnswer, PermissionRequest } from '../shared/event.ts'
import type { LiveState, ModelInfo, SessionAnswers, SessionCommands, SessionLook } from '../shared/server-api.ts'
import type { Strings } from '../strings/strings-for.ts'
import type { EventBuffer } from './event-buffer.ts'
import { sessionErrorText } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'

/** One agent at work in one session, for everybody who looks on. Whatever is refused is thrown as an `ApiError`. */
export interface LiveSession {
  readonly id: string
  readonly agent: Agent
  readonly state: () => LiveState
  /** The event up to which everything that happened stands in the log. */
  readonly event: () => string
  readonly isBusy: () => boolean
  /** Says something now, or after what the agent is at. */
  readonly turn: (text: string) => SessionAnswers['turn']
  /** Stops what is running; what was still to be said comes back. */
  readonly cancel: () => SessionAnswers['cancel']
  readonly permission: (callId: string, answer: PermissionAnswer, stop: boolean) => void
  readonly resume: () => void
  /** Folds older rounds; an empty focus is none. */
  readonly compact: (focus: string, thenResume: boolean) => void
  readonly rewind: (before: string) => Promise<SessionAnswers['rewind']>
  readonly useModel: (name: string, thenResume: boolean) => Promise<ModelInfo>
  readonly setMode: (mode: Config['agent']['mode']) => void
  readonly edits: (change: Required<SessionCommands['edits']>) => Promise<void>
  /** The conversation goes on in another session. */
  readonly moveTo: (session: string) => void
  /** Somebody began to look on, or nobody does any more. */
  readonly watched: (isWatched: boolean) => void
  /** Stops what is running, keeps what was still to be said, and leaves the session. */
  readonly close: () => Promise<void>
}

/** In which session, for whom, and with what. */
export interface LiveSessionOptions {
  /** The id of a stored session; null begins a new one. */
  readonly session: string | null
  readonly model?: ModelClient | undefined
  readonly mode?: Config['agent']['mode'] | undefined
  readonly server: Pick<ServerOptions, 'agents' | 'config' | 'isWindowSet' | 'now' | 'strings'>
  readonly events: EventBuffer
  /** Called when the agent is done and nothing waits. */
  readonly onIdle: () => void
}

/** Whether a conversation ends with something that still wants an answer: what a person said, or what a tool said. */
export function canResume(session: StoredSession): boolean {
  const shown = session.state().messages.at(-1)
  // What is still to be answered may stand behind a summary, which quotes or names it.
  const last = shown?.summary === true ? lastStored(session) : shown
  if (last === undefined || last.role === 'system') return false
  return last.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')
}

function lastStored(session: StoredSession): Message | undefined {
  const entry = session.entry(branchMessages(session).at(-1)?.head.id ?? '')
  return entry?.type === 'message' ? entry.message : undefined
}

/** Measures what the next request would be, and what the session has cost. */
export async function sessionLook(agent: Agent): Promise<SessionLook> {
  const { messages, report, window, usable, toolTokens } = await agent.look()
  const { tokens, source } = report.load
  const { dollars, unpriced } = agent.cost()
  return {
    fill: windowFill(messages, { window, reserve: Math.max(0, window - usable), toolTokens, whole: { tokens, source } }),
    report,
    cost: { dollars, unpriced },
  }
}

/** An error that was thrown while no request waited for it, as an event. */
export function thrownError(error: unknown, strings: Strings): AgentError {
  const text =
    error instanceof SessionError ? sessionErrorText(error, strings) : { code: 'UNEXPECTED', message: thrownText(error) }
  return { ...text, suggestion: null, details: {} }
}

/** The calls that wait for a person, one of whom is asked about at a time. */
interface Questions {
  readonly ask: AskPermission
  /** The one that is asked about now. */
  readonly current: () => PermissionRequest | null
  /** Answers the call of that id. False where it does not wait. */
  readonly answer: (callId: string, answer: PermissionAnswer) => boolean
}

/** Keeps them in order; `changed` is called whenever another one is to be asked about, or none. */
export function createQuestions(changed: (current: PermissionRequest | null) => void): Questions {
  const waiting: { readonly request: PermissionRequest; readonly resolve: (answer: PermissionAnswer) => void }[] = []
  const current = () => waiting[0]?.request ?? null

  function settle(index: number, answer: PermissionAnswer): boolean {
    const [question] = index < 0 ? [] : waiting.splice(index, 1)
    if (question === undefined) return false
    if (index === 0) changed(current())
    question.resolve(answer)
    return true
  }

  return {
    async ask(request, signal) {
      if (signal.aborted) return no
      const { promise, resolve } = Promise.withResolvers<PermissionAnswer>()
      const question = { request, resolve }
      const withdraw = () => settle(waiting.indexOf(question), no)
      signal.addEventListener('abort', withdraw, { once: true })
      waiting.push(question)
      if (waiting.length === 1) changed(request)
      const answer = await promise
      signal.removeEventListener('abort', withdraw)
      return answer
    },
    current,
    answer: (callId, answer) =>
      settle(
        waiting.findIndex(({ request }) => request.callId === callId),
        answer,
      ),
  }
}

const no = { kind: 'no', reason: null } as const
