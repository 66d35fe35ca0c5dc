import { windowFill } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { Agent } from '../agent/agent.ts'
import { compactHarder } from '../agent/compaction/hand-over.ts'
import { roundsToKeep } from '../agent/compaction/plan-session.ts'
import { createKeepWarm } from '../agent/request/keep-alive.ts'
import { isOverflow } from '../agent/turn/model-error.ts'
import { createSteering } from '../agent/turn/steering.ts'
import { thrownText } from '../files/problem.ts'
import type { ModelClient } from '../model/model-client.ts'
import { branchMessages, rewindBefore } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { SessionError } from '../session/session-error.ts'
import type { AgentError, AgentEvent, PermissionAnswer } from '../shared/event.ts'
import { saidText } from '../shared/mentions.ts'
import type { LiveState, ModelInfo, SessionAnswers, SessionCommands, SessionEvent, SessionLook } from '../shared/server-api.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'
import { undoFiles } from '../tools/change/undo-files.ts'
import { createSnapshotMark, type EventBuffer } from './event-buffer.ts'
import { modelInfo } from './hello-routes.ts'
import { createQuestions } from './questions.ts'
import { refusal, sessionErrorText } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'
import { changeEdits } from './session-commands.ts'
import { isKept, keepShown, waitingOverflow } from './session-notes.ts'
import { streamedEvent } from './session-snapshot.ts'

export type LiveSession = Awaited<ReturnType<typeof openLiveSession>>

interface LiveSessionOptions {
  /** The id of a stored session; null starts a new one. */
  readonly session: string | null
  readonly model?: ModelClient | undefined
  readonly mode?: Config['agent']['mode'] | undefined
  readonly server: Pick<ServerOptions, 'agents' | 'config' | 'isWindowSet' | 'now' | 'strings' | 'root'>
  readonly events: EventBuffer
  readonly onIdle: () => void
}

/**
 * Opens a session, or starts one, with an agent in it, for all clients that look on. Rejects with `SessionError` if another process has
 * it. Refusals are thrown as `ApiError`.
 */
export async function openLiveSession(options: LiveSessionOptions) {
  const { server, events, onIdle } = options
  const { agents, config, now } = server
  let running: AbortController | null = null
  let since: number | null = null
  let settled: Promise<unknown> = Promise.resolve()
  let queue: readonly string[] = []
  let look: SessionLook | null = null
  let overflow: LiveState['overflow'] = null
  /** A user's message, until the agent has given it its id. */
  let said: string | null = null
  /** Whether the log could not be written, so that later messages would not be kept either. */
  let isUnwritten = false
  /** Notes that are being written. */
  let keeping: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  let isWatched = false
  let isOpen = false

  let askedAt: number | null = null
  const questions = createQuestions((current) => {
    // The time that a question waits is not running time.
    if (since !== null && askedAt !== null) since += now() - askedAt
    askedAt = current === null ? null : now()
    send({ type: 'permission', data: current })
    if (current === null && since !== null) sendLive()
  })
  const agent = await agents.start({
    session: options.session,
    ...(options.model === undefined ? {} : { model: options.model }),
    // While it is opened, only damage of the log is reported, which clients find in the snapshot.
    emit: (event) => (isOpen ? onAgentEvent(event) : undefined),
    ask: questions.ask,
  })
  if (options.mode !== undefined) agent.setMode(options.mode)
  const { session } = agent
  overflow = waitingOverflow(session)
  const mark = createSnapshotMark(session, events)
  const keepWarm = createKeepWarm(() => agent, now)
  isOpen = true

  function send(event: SessionEvent): string {
    mark.look()
    return events.add(event)
  }

  /** Sends an event, and stores it in the log if it would otherwise be lost with the page. */
  function show(event: SessionEvent): void {
    const id = send(event)
    if (!isKept(event)) return
    const kept = keepShown(session, event, id).then(() => {
      // The beginning of an answer that failed is in no other place, and a page that is loaded later has to show it too.
      if (event.type === 'turn_end' && event.data.outcome !== 'failed') mark.settle(id)
    })
    keeping = Promise.all([keeping, kept])
  }

  /** For clients that listen now: one that reads the session later must not be sent back to read it again. */
  function sendOnce(event: SessionEvent): void {
    send(event)
    mark.settle()
  }

  function sendLive(): void {
    send({ type: 'live', data: state() })
  }

  function onAgentEvent(event: AgentEvent): void {
    if (event.type === 'turn_start' && said !== null) {
      send({ type: 'said', data: { text: said, message: event.data.turn } })
      said = null
    }
    if (event.type === 'error' && isOverflow(event.data)) overflow = event.data
    if (event.type === 'error' && event.data.code === 'SESSION_FAILED') isUnwritten = true
    if (event.type !== 'turn_end') return show(streamedEvent(event))
    const { data } = event
    const durationMs = since === null ? 0 : Math.max(0, now() - since)
    show({ ...event, data: { ...data, durationMs } })
  }

  function state(): LiveState {
    return {
      isBusy: since !== null,
      since,
      permission: questions.current(),
      model: modelInfo(agent.model(), server),
      mode: agent.mode(),
      queue: [...steering.texts(), ...queue],
      look,
      overflow,
      canResume: since === null && (queue.length > 0 || canResume(session)),
    }
  }

  function refuseClosed(): void {
    if (hasEnded) throw new SessionError({ kind: 'closed' })
  }

  function refuseBusy(): void {
    refuseClosed()
    if (since !== null) throw refusal('BUSY')
  }

  /** Runs one thing at a time, then measures the session and continues with queued messages. */
  function work<Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const controller = new AbortController()
    running = controller
    since = now()
    sendLive()
    const done = (async () => {
      try {
        await keepWarm.stop()
        return await run(controller.signal)
      } finally {
        if (!hasEnded) await measure()
        await keeping
        rest()
      }
    })()
    settled = done.catch(() => undefined)
    return done
  }

  /** The same if no request waits for it: errors become events. */
  function start(run: (signal: AbortSignal) => Promise<unknown>): void {
    overflow = null
    isUnwritten = false
    void work(async (signal) => {
      try {
        await run(signal)
      } catch (error) {
        if (!signal.aborted || error instanceof SessionError) show({ type: 'error', data: thrownError(error, server.strings) })
      }
    })
  }

  function rest(): void {
    running = null
    since = null
    // The turn ended before they could be said in it.
    queue = [...steering.takeLeft(), ...queue]
    // If the conversation does not fit, another message would not fit either.
    if (queue.length > 0 && overflow === null && !isUnwritten && !hasEnded) return sayNext()
    sendLive()
    if (isWatched && !hasEnded) keepWarm.rest()
    onIdle()
  }

  async function measure(): Promise<void> {
    try {
      look = await sessionLook(agent)
    } catch {
      // The last measure stays; the next request reports what is wrong with the session.
    }
  }

  function messageCount(): number {
    return session.heads().filter(({ type }) => type === 'message').length
  }

  function say(text: string): void {
    said = text
    start(async (signal) => {
      const stored = messageCount()
      await agent.turn(text, signal, steering)
      // The client has received it as queued, so it waits until there is room for it.
      if (isUnwritten && messageCount() === stored) queue = [text, ...queue]
    })
  }

  const steering = createSteering((text, message) => {
    send({ type: 'said', data: { text, message } })
    sendLive()
  })

  function sayNext(): void {
    const [next = '', ...later] = queue
    queue = later
    say(next)
  }

  function resume(): void {
    refuseBusy()
    if (canResume(session)) return start((signal) => agent.resume(signal, steering))
    if (queue.length === 0) throw refusal('NOTHING_TO_RESUME')
    sayNext()
  }

  function cancel(): SessionAnswers['cancel'] {
    const given = [...steering.take(), ...queue]
    queue = []
    running?.abort()
    if (given.length > 0) sendLive()
    return { queue: given }
  }

  function compact(focus: string, thenResume: boolean): void {
    refuseBusy()
    if (thenResume) {
      return start(async (signal) => {
        await compactHarder(agent, config, signal)
        if (!signal.aborted) await agent.resume(signal, steering)
      })
    }
    const wish = focus.trim() === '' ? {} : { focus }
    const keepRounds = roundsToKeep(session, { config, now: now(), ...wish })
    if (keepRounds === null) throw refusal('NOTHING_TO_FOLD')
    start((signal) => agent.compact({ ...wish, keepRounds }, signal))
  }

  function change<Value>(what: 'rewind' | 'edits', run: () => Promise<Value>): Promise<Value> {
    refuseBusy()
    return work(async () => {
      const value = await run()
      sendOnce({ type: 'changed', data: { what } })
      return value
    })
  }

  void measure().then(() => {
    if (since === null && !hasEnded) sendLive()
  })

  return {
    id: session.id,
    agent,
    state,
    /** The event up to which everything is in the log. */
    event: mark.event,
    isBusy: () => since !== null,
    isWaiting: () => questions.current() !== null,
    /** Sends a message now, with the next request of the running turn, or after it. */
    turn: (text: string, steer = false): SessionAnswers['turn'] => {
      refuseClosed()
      if (text.trim() === '') throw refusal('NOTHING_SAID')
      if (since === null) {
        say(text)
        return { queued: false }
      }
      if (steer) steering.add(text)
      else queue = [...queue, text]
      sendLive()
      return { queued: true }
    },
    /** Stops what is running; returns the messages that were still queued. */
    cancel,
    permission(callId: string, answer: PermissionAnswer, stop: boolean): void {
      if (!questions.answer(callId, answer)) throw refusal('NO_QUESTION')
      if (stop) cancel()
    },
    resume,
    compact,
    rewind: (before: string): Promise<SessionAnswers['rewind']> =>
      change('rewind', async () => {
        const { message, dropped } = await rewindBefore(session, before)
        overflow = null
        return { text: saidText(message), dropped }
      }),
    /** Undoes changes of files, or makes them again, and says so in the chat. */
    undoFiles(turn: string, files: SessionCommands['undo-files']['files']): Promise<SessionAnswers['undo-files']> {
      refuseBusy()
      return work(async (signal) => {
        const outcome = await undoFiles(session, server.root, turn, files, { signal, config })
        if (outcome === null) throw refusal('NO_SUCH_MESSAGE')
        const details = outcome.done.join(', ')
        if (details !== '')
          show({ type: 'notification', data: { code: 'files_undone', message: stringsFor('en').notices.files_undone, details } })
        return outcome
      })
    },
    async useModel(name: string, thenResume: boolean): Promise<ModelInfo> {
      refuseBusy()
      const model = await agents.model(name, (data) => show({ type: 'notification', data }))
      refuseBusy()
      agent.useModel(model)
      sendOnce({ type: 'changed', data: { what: 'model' } })
      if (thenResume && canResume(session)) resume()
      else await work(() => Promise.resolve())
      return modelInfo(model, server)
    },
    setMode(mode: Config['agent']['mode']): void {
      agent.setMode(mode)
      sendLive()
    },
    edits: (wish: Required<SessionCommands['edits']>) => change('edits', () => changeEdits(session, wish)),
    moveTo(next: string): void {
      overflow = null
      sendOnce({ type: 'moved', data: { session: next } })
      sendLive()
    },
    /** A client started to look on, or the last one left. */
    watched(isSo: boolean): void {
      isWatched = isSo
      if (!isSo) void keepWarm.stop()
      else if (since === null && !hasEnded) keepWarm.rest()
    },
    /** Stops what is running, keeps queued messages in the log, and leaves the session. */
    async close(): Promise<void> {
      hasEnded = true
      running?.abort()
      await settled
      await keepWarm.stop()
      // Queued messages go into the log, as if they had been stopped before they were answered.
      if (queue.length > 0) await agent.turn(queue.join('\n\n'), AbortSignal.abort())
      queue = []
      await keeping
      await agents.leave(session)
    },
  }
}

/** Whether a conversation ends with a message of the user or a tool, which the model has to answer. */
export function canResume(session: StoredSession): boolean {
  const shown = session.state().messages.at(-1)
  // The message to be answered may be hidden by a summary, which quotes or names it.
  const entry = shown?.summary === true ? session.entry(branchMessages(session).at(-1)?.head.id ?? '') : null
  const stored = entry?.type === 'message' ? entry.message : undefined
  const last = shown?.summary === true ? stored : shown
  if (last === undefined || last.role === 'system') return false
  return last.role !== 'assistant' || last.parts.some(({ type }) => type === 'tool-call')
}

async function sessionLook(agent: Agent): Promise<SessionLook> {
  const { messages, report, window, usable, toolTokens } = await agent.look()
  const { tokens, source } = report.load
  const { dollars, unpriced } = agent.cost()
  return {
    fill: windowFill(messages, { window, reserve: Math.max(0, window - usable), toolTokens, whole: { tokens, source } }),
    report,
    cost: { dollars, unpriced },
  }
}

function thrownError(error: unknown, strings: Strings): AgentError {
  const text =
    error instanceof SessionError ? sessionErrorText(error, strings) : { code: 'UNEXPECTED', message: thrownText(error) }
  return { ...text, suggestion: null, details: {} }
}
