import type { Agent, AskPermission, TurnOutcome } from '../../agent/agent.ts'
import { createKeepWarm, type Timer } from '../../agent/request/keep-alive.ts'
import { isOverflow } from '../../agent/turn/model-error.ts'
import { createSteering } from '../../agent/turn/steering.ts'
import { thrownText } from '../../files/problem.ts'
import { SessionError, sessionProblemText } from '../../session/session-error.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { isSaid, saidText } from '../../shared/mentions.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { AgentHost } from '../agent/open-agent-host.ts'
import { CommandError } from '../command-io.ts'
import type { Screen, Tint } from '../terminal/screen.ts'
import { cleanLines, wrapText } from '../terminal/text.ts'
import { type Block, type ChatAction, type Desk, type Dialog, type DialogAnswer, emptyChat } from './chat-state.ts'
import { resumedLines } from './context-lines.ts'
import { reduceChat } from './reduce-chat.ts'
import { answerOverflow, goBack } from './session-actions.ts'
import { findSlashCommand, isSlashCommand, runSlashCommand } from './slash-commands.ts'

/** A conversation with the agent, on any kind of output. */
export type Chat = Readonly<Awaited<ReturnType<typeof openChat>>>

export interface ChatSetup {
  readonly host: AgentHost
  /** The session to resume; null creates one. */
  readonly session: string | null
  readonly strings: Strings
  readonly screen: () => Screen
  readonly isAttended: boolean
  readonly fill: (text: string) => void
  readonly now: () => number
  readonly timer?: Timer
}

/** Opens a chat: starts an agent in its session. */
export async function openChat(setup: ChatSetup) {
  const { host, strings, now } = setup
  let state = emptyChat
  const listeners = new Set<() => void>()
  const questions: { readonly dialog: Dialog; readonly resolve: (answer: DialogAnswer) => void }[] = []
  let running: AbortController | null = null
  let settled = Promise.resolve()
  let isOccupied = false
  let hasEnded = false
  let waiting: readonly string[] = []
  const typed: string[] = []
  const end = Promise.withResolvers<void>()

  function dispatch(action: ChatAction): void {
    state = reduceChat(state, action)
    for (const listener of listeners) listener()
  }

  function block(added: Block): void {
    dispatch({ type: 'block', block: added })
  }

  function emit(event: AgentEvent): void {
    dispatch({ type: 'event', event, at: now() })
  }

  function ask(dialog: Dialog): Promise<DialogAnswer> {
    const { promise, resolve } = Promise.withResolvers<DialogAnswer>()
    questions.push({ dialog, resolve })
    if (questions.length === 1) showQuestion()
    return promise
  }

  function showQuestion(): void {
    dispatch({ type: 'dialog', dialog: questions[0]?.dialog ?? null, at: now() })
  }

  function answer(given: DialogAnswer): void {
    const question = questions.shift()
    showQuestion()
    question?.resolve(given)
    if (given.kind === 'permission' && given.stop) cancel()
  }

  const askPermission: AskPermission = async (request, signal) => {
    const no = { kind: 'no', reason: null } as const
    if (signal.aborted) return no
    const dialog = { kind: 'permission', request } as const
    const withdraw = () => {
      const index = questions.findIndex((question) => question.dialog === dialog)
      if (index < 0) return
      const [question] = questions.splice(index, 1)
      showQuestion()
      question?.resolve({ kind: 'permission', answer: no, stop: false })
    }
    signal.addEventListener('abort', withdraw, { once: true })
    const given = await ask(dialog)
    signal.removeEventListener('abort', withdraw)
    return given.kind === 'permission' ? given.answer : no
  }

  function start(session: string | null, model = host.defaultModel): Promise<Agent> {
    return host.start({ session, model, emit, ask: setup.isAttended ? askPermission : null })
  }

  let agent = await start(setup.session)
  const keepWarm = createKeepWarm(() => agent, now, setup.timer)

  const desk: Desk = {
    host,
    strings,
    agent: () => agent,
    state: () => state,
    screen: setup.screen,
    isAttended: setup.isAttended,
    print: (lines) => block({ kind: 'lines', lines }),
    say,
    async pick(dialog) {
      if (!setup.isAttended) return null
      const given = await ask(dialog)
      return given.kind === 'picked' ? given.index : null
    },
    async enter(session) {
      const old = agent
      const next = await start(session, old.model())
      next.setMode(old.mode())
      agent = next
      await host.leave(old.session)
      typed.length = 0
      dispatch({ type: 'session' })
      await look()
      if (session !== null) desk.print(resumedLines(agent, strings, setup.screen(), now()))
    },
    work,
    resume: (signal) => agent.resume(signal, steering),
    fill: setup.fill,
    look,
    quit,
  }

  function say(text: string, tint?: Tint): void {
    const { paint, columns } = setup.screen()
    const lines = cleanLines(text).flatMap((line) => (line === '' ? [''] : wrapText(line, columns)))
    block({ kind: 'lines', lines: tint === undefined ? lines : lines.map((line) => paint(tint, line)) })
  }

  async function look(): Promise<void> {
    const view = await agent.look()
    dispatch({ type: 'looked', view, cost: agent.cost() })
  }

  async function work(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController()
    running = controller
    dispatch({ type: 'busy', since: now() })
    const ended = Promise.withResolvers<void>()
    settled = ended.promise
    try {
      await run(controller.signal)
      await look()
    } finally {
      running = null
      ended.resolve()
      dispatch({ type: 'busy', since: null })
    }
  }

  /** Puts pending texts back into the prompt. */
  function cancel(): void {
    const given = [...steering.take(), ...waiting]
    if (given.length > 0) setup.fill(given.join('\n'))
    wait([])
    running?.abort()
  }

  function wait(texts: readonly string[]): void {
    waiting = texts
    dispatch({ type: 'waiting', texts: [...steering.texts(), ...texts] })
  }

  const steering = createSteering((text) => {
    block({ kind: 'user', text })
    wait(waiting)
  })

  function quit(): void {
    hasEnded = true
    void keepWarm.stop()
    running?.abort()
    end.resolve()
  }

  async function finish(text: string): Promise<void> {
    let outcome: TurnOutcome | null = null
    block({ kind: 'user', text })
    await work(async (signal) => {
      outcome = await agent.turn(text, signal, steering)
    })
    await afterTurn(outcome)
  }

  /** The user decides what to do about a conversation that is too long, until it fits. */
  async function afterTurn(outcome: TurnOutcome | null): Promise<void> {
    let last = outcome
    while (last?.kind === 'failed' && isOverflow(last.error)) last = await answerOverflow(last.error, desk)
  }

  /**
   * Sends a text to the agent, or runs a command. Resolves when that is done. While a turn runs, the model reads a text with its
   * next request, or after the turn if it is queued; commands wait.
   */
  async function submit(text: string, isQueued = false): Promise<void> {
    typed.push(text)
    const isQuick = isSlashCommand(text) && findSlashCommand(text)?.isQuick !== false
    if (isOccupied && isQuick) return tell(() => runSlashCommand(text, desk))
    if (isOccupied && !isQueued && !isSlashCommand(text)) steering.add(text)
    else if (isOccupied) waiting = [...waiting, text]
    if (isOccupied) return wait(waiting)
    isOccupied = true
    await keepWarm.stop()
    await obey(text)
    isOccupied = false
    keepWhileIdle()
  }

  /** Keeps the conversation in the provider's cache between turns, if the user is there and wants that. */
  function keepWhileIdle(): void {
    if (setup.isAttended && !hasEnded && !isOccupied) keepWarm.rest()
  }

  async function obey(text: string): Promise<void> {
    await tell(() => (isSlashCommand(text) ? runSlashCommand(text, desk) : finish(text)))
    // What could not be said in the turn comes next.
    const [next, ...rest] = [...steering.takeLeft(), ...waiting]
    if (next === undefined) return
    wait(rest)
    await obey(next)
  }

  /** Reports any error of a command or a turn, so that the chat continues. */
  async function tell(run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      say(`✗ ${problemText(error, strings)}`, 'error')
    }
  }

  if (setup.session !== null) desk.print(resumedLines(agent, strings, setup.screen(), now()))
  return {
    agent: () => agent,
    state: () => state,
    /** Calls the listener at each change, until the returned function is called. */
    onChange(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    submit,
    cancel,
    answer,
    /** The texts and commands of the user, oldest first. */
    history: (): readonly string[] => [...saidIn(agent), ...typed.filter(isSlashCommand)],
    async rewind(): Promise<void> {
      await keepWarm.stop()
      await tell(() => goBack(desk))
      keepWhileIdle()
    },
    /** Drops the blocks that are printed. */
    printed: () => dispatch({ type: 'printed' }),
    /** Resolves when the user wants to leave. */
    ended: end.promise,
    quit,
    look: () => tell(look),
    /** Stops the current work and waits for its end. The session stays open. */
    async close(): Promise<void> {
      hasEnded = true
      running?.abort()
      await keepWarm.stop()
      await settled
    },
  }
}

function saidIn({ session }: Agent): readonly string[] {
  return session
    .state()
    .messages.filter(isSaid)
    .map(saidText)
    .filter((text) => text.trim() !== '')
}

function problemText(error: unknown, { session }: Strings): string {
  if (error instanceof SessionError) return sessionProblemText(error.problem, session)
  if (error instanceof CommandError) return error.message
  return thrownText(error)
}
