import { compactHarder } from '../agent/compaction/hand-over.ts'
import { roundsToKeep } from '../agent/compaction/plan-session.ts'
import { createKeepWarm } from '../agent/request/keep-alive.ts'
import { isOverflow } from '../agent/turn/model-error.ts'
import { rewindBefore } from '../session/branch.ts'
import { SessionError } from '../session/session-error.ts'
import type { AgentEvent } from '../shared/event.ts'
import { saidText } from '../shared/mentions.ts'
import type { LiveState, SessionAnswers, SessionEvent, SessionLook } from '../shared/server-api.ts'
import { createSnapshotMark } from './event-buffer.ts'
import { modelInfo } from './hello-routes.ts'
import {
  canResume,
  createQuestions,
  type LiveSession,
  type LiveSessionOptions,
  sessionLook,
  thrownError,
} from './live-session.ts'
import { refusal } from './refusal.ts'
import { changeEdits } from './session-commands.ts'
import { streamedEvent } from './session-snapshot.ts'

/** Opens a session, or begins one, with an agent in it. Rejects with `SessionError` where another process has it. */
export async function openLiveSession(options: LiveSessionOptions): Promise<LiveSession> {
  const { server, events, onIdle } = options
  const { agents, config, now } = server
  let running: AbortController | null = null
  let since: number | null = null
  let settled: Promise<unknown> = Promise.resolve()
  let queue: readonly string[] = []
  let look: SessionLook | null = null
  let overflow: LiveState['overflow'] = null
  /** What is being said, until the agent has given it its id. */
  let said: string | null = null
  /** Whether the log could not be written to: what is said next would not be kept either. */
  let isUnwritten = false
  let hasEnded = false
  let isWatched = false

  const questions = createQuestions((current) => {
    tell({ type: 'permission', data: current })
  })
  const agent = await agents.start({
    session: options.session,
    ...(options.model === undefined ? {} : { model: options.model }),
    emit: onAgentEvent,
    ask: questions.ask,
  })
  if (options.mode !== undefined) agent.setMode(options.mode)
  const { session } = agent
  const mark = createSnapshotMark(session, events)
  const keepWarm = createKeepWarm(() => agent, now)

  function tell(event: SessionEvent): void {
    mark.look()
    events.add(event)
  }

  /** For whoever looks on now: a client that has read the session since must not be sent back to read it again. */
  function tellOnce(event: SessionEvent): void {
    tell(event)
    mark.settle()
  }

  function tellLive(): void {
    tell({ type: 'live', data: state() })
  }

  function onAgentEvent(event: AgentEvent): void {
    if (event.type === 'turn_start' && said !== null) {
      tell({ type: 'said', data: { text: said, message: event.data.turn } })
      said = null
    }
    if (event.type === 'error' && isOverflow(event.data)) overflow = event.data
    if (event.type === 'error' && event.data.code === 'SESSION_FAILED') isUnwritten = true
    tell(streamedEvent(event))
    // What went wrong stands nowhere else, and whoever loads the page has to see it too.
    if (event.type === 'turn_end' && event.data.outcome !== 'failed') mark.settle()
  }

  function state(): LiveState {
    return {
      isBusy: since !== null,
      since,
      permission: questions.current(),
      model: modelInfo(agent.model(), server),
      mode: agent.mode(),
      queue,
      look,
      overflow,
      canResume: since === null && (queue.length > 0 || canResume(session)),
    }
  }

  function refuseBusy(): void {
    if (hasEnded) throw new SessionError({ kind: 'closed' })
    if (since !== null) throw refusal('BUSY')
  }

  /** Does one thing at a time, measures what came of it, and goes on with what was said meanwhile. */
  function work<Value>(run: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const controller = new AbortController()
    running = controller
    since = now()
    tellLive()
    const done = (async () => {
      try {
        await keepWarm.stop()
        return await run(controller.signal)
      } finally {
        if (!hasEnded) await measure()
        rest()
      }
    })()
    settled = done.catch(() => undefined)
    return done
  }

  /** The same for what nobody waits for: what goes wrong is told as an event. */
  function begin(run: (signal: AbortSignal) => Promise<unknown>): void {
    overflow = null
    isUnwritten = false
    void work(async (signal) => {
      try {
        await run(signal)
      } catch (error) {
        if (!signal.aborted || error instanceof SessionError) tell({ type: 'error', data: thrownError(error, server.strings) })
      }
    })
  }

  function rest(): void {
    running = null
    since = null
    // What is said after a conversation that does not fit would not fit either.
    if (queue.length > 0 && overflow === null && !isUnwritten && !hasEnded) return sayNext()
    tellLive()
    if (isWatched && !hasEnded) keepWarm.rest()
    onIdle()
  }

  async function measure(): Promise<void> {
    try {
      look = await sessionLook(agent)
    } catch {
      // The last measure stands; what is wrong with the session is told by whatever is asked of it next.
    }
  }

  function say(text: string): void {
    said = text
    begin(async (signal) => {
      const stored = session.heads().length
      await agent.turn(text, signal)
      // Whoever said it was told that it is heard: it waits until there is room for it.
      if (isUnwritten && session.heads().length === stored) queue = [text, ...queue]
    })
  }

  function sayNext(): void {
    const [next = '', ...later] = queue
    queue = later
    say(next)
  }

  function goOn(): void {
    refuseBusy()
    if (canResume(session)) return begin((signal) => agent.resume(signal))
    if (queue.length === 0) throw refusal('NOTHING_TO_RESUME')
    sayNext()
  }

  function cancel(): SessionAnswers['cancel'] {
    const given = queue
    queue = []
    running?.abort()
    if (given.length > 0) tellLive()
    return { queue: given }
  }

  function compact(focus: string, thenResume: boolean): void {
    refuseBusy()
    if (thenResume) {
      return begin(async (signal) => {
        await compactHarder(agent, config, signal)
        if (!signal.aborted) await agent.resume(signal)
      })
    }
    const wish = focus.trim() === '' ? {} : { focus }
    const keepRounds = roundsToKeep(session, { config, now: now(), ...wish })
    if (keepRounds === null) throw refusal('NOTHING_TO_FOLD')
    begin((signal) => agent.compact({ ...wish, keepRounds }, signal))
  }

  function change<Value>(what: 'rewind' | 'edits', run: () => Promise<Value>): Promise<Value> {
    refuseBusy()
    return work(async () => {
      const value = await run()
      tellOnce({ type: 'changed', data: { what } })
      return value
    })
  }

  void measure().then(() => {
    if (since === null && !hasEnded) tellLive()
  })

  return {
    id: session.id,
    agent,
    state,
    event: mark.event,
    isBusy: () => since !== null,
    turn(text) {
      if (hasEnded) throw new SessionError({ kind: 'closed' })
      if (text.trim() === '') throw refusal('NOTHING_SAID')
      if (since === null) {
        say(text)
        return { queued: false }
      }
      queue = [...queue, text]
      tellLive()
      return { queued: true }
    },
    cancel,
    permission(callId, answer, stop) {
      if (!questions.answer(callId, answer)) throw refusal('NO_QUESTION')
      if (stop) cancel()
    },
    resume: goOn,
    compact,
    rewind: (before) =>
      change('rewind', async () => {
        const { message, dropped } = await rewindBefore(session, before)
        overflow = null
        return { text: saidText(message), dropped }
      }),
    async useModel(name, thenResume) {
      refuseBusy()
      const model = await agents.model(name, (data) => tell({ type: 'notification', data }))
      refuseBusy()
      agent.useModel(model)
      tellOnce({ type: 'changed', data: { what: 'model' } })
      if (thenResume && canResume(session)) goOn()
      else await work(() => Promise.resolve())
      return modelInfo(model, server)
    },
    setMode(mode) {
      agent.setMode(mode)
      tellLive()
    },
    edits: (wish) => change('edits', () => changeEdits(session, wish)),
    moveTo(next) {
      overflow = null
      tellOnce({ type: 'moved', data: { session: next } })
      tellLive()
    },
    watched(isSo) {
      isWatched = isSo
      if (!isSo) void keepWarm.stop()
      else if (since === null && !hasEnded) keepWarm.rest()
    },
    async close() {
      hasEnded = true
      running?.abort()
      await settled
      await keepWarm.stop()
      // What the user was told is queued is in the log, as if it had been stopped before it was answered.
      if (queue.length > 0) await agent.turn(queue.join('\n\n'), AbortSignal.abort())
      queue = []
      await agents.leave(session)
    },
  }
}
