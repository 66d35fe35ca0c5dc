import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { withModelWindow, withOutputLimit } from '@plimsoll/core/bill'
import { modelStringsIn } from '@plimsoll/core/text'
import { thrownText } from '../files/problem.ts'
import { createRulesReader } from '../files/rules-files.ts'
import { rulesText, systemPrompt } from '../layers/assemble-layers.ts'
import { offlineProvider } from '../model/model-knowledge.ts'
import { configuredWriter } from '../model/side-calls.ts'
import { createBlobSink } from '../session/blob-sink.ts'
import { SessionError, sessionProblemText } from '../session/session-error.ts'
import type { AgentError, TurnEnd } from '../shared/event.ts'
import { withMentionReminder } from '../shared/mentions.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { summarizeResult } from '../tools/summarize-result.ts'
import { createFreshness, createSeenFiles, type Tool } from '../tools/tool.ts'
import {
  type Agent,
  type AgentOptions,
  type AskContext,
  newMessage,
  notify,
  type SessionCost,
  type TurnOutcome,
} from './agent.ts'
import { compactSession, writerFor } from './compaction/compact-session.ts'
import { buildRequest } from './request/build-request.ts'
import { createLifetimeChoice } from './request/cache-lifetime.ts'
import { keepAlive, keepAliveDue, liveRequest } from './request/keep-alive.ts'
import { agentTiming } from './request/next-request.ts'
import { costOfSession } from './request/session-cost.ts'
import type { Asked } from './turn/ask-model.ts'
import { reportInterrupted } from './turn/interrupted.ts'
import { TurnError } from './turn/model-error.ts'
import { createPermissions } from './turn/permissions.ts'
import type { Steering } from './turn/steering.ts'
import { runTurn, type TurnWork } from './turn/turn.ts'

/** An agent in an open session, which the caller closes. */
export function createAgent(options: AgentOptions): Agent {
  const { session, root, now, environment, emit } = options
  let model = options.model
  let isBusy = false
  const permissions = createPermissions(options.config.agent.mode, options.ask)
  const reader = createRulesReader({ root, names: options.config.rules_files })
  const strings = modelStringsIn(session.state().header.strings)
  const freshness = createFreshness({ root, platform: options.platform, strings })
  const seen = createSeenFiles()
  const blobs = createBlobSink(session)
  const chooseLifetime = createLifetimeChoice(options)
  /** Whether the session may end in the middle of a turn of another process. */
  let isFirst = true
  let known: Promise<readonly Tool[]> | null = null

  function tools(): Promise<readonly Tool[]> {
    known ??= options.tools()
    return known
  }

  async function askContext(): Promise<AskContext> {
    const offered = await tools()
    const cacheLifetime = await chooseLifetime(model)
    return {
      ...options,
      // A configured window counts, else the model's if that is known.
      config: options.isWindowSet ? withOutputLimit(options.config, model.facts) : withModelWindow(options.config, model.facts),
      model,
      cacheLifetime,
      tools: offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      system: systemPrompt({ root, platform: options.platform, tools: offered, text: options.prompts?.system }),
      rules: async () => rulesText((await reader.read()).files),
      ...(options.config.agent.max_cost === null ? {} : { maxDollars: options.config.agent.max_cost }),
      ...(options.url === undefined ? {} : { writer: writerAt(options.url) }),
    }
  }

  /** A model at a given address writes its summaries there too. */
  function writerAt(url: string): NonNullable<AskContext['writer']> {
    return (config, live, payment) => {
      const current = model.provider === offlineProvider ? null : model.name
      const prompt = options.prompts?.summary
      return configuredWriter({ config, current, live, url, environment, reasoning: model.reasoning, prompt, ...payment })
    }
  }

  /** Two turns at the same time would write into one conversation. */
  async function alone<Value>(work: () => Promise<Value>): Promise<Value> {
    if (isBusy) throw new Error('the agent is busy: expected one turn or compaction at a time')
    isBusy = true
    try {
      return await work()
    } finally {
      isBusy = false
    }
  }

  /** Runs a turn and stores its message first; null continues with the log. */
  async function wholeTurn(said: Message | null, signal: AbortSignal, steering?: Steering): Promise<TurnOutcome> {
    const answers: Asked[] = []
    const before = cost()
    const left = session.state().messages
    const turn = said?.id ?? session.state().messages.findLast(({ role }) => role === 'user')?.id ?? ''
    emit({ type: 'turn_start', data: { session: session.id, turn, model: model.name, timing: agentTiming(options.config) } })
    if (isFirst) reportInterrupted(left, await tools().catch(() => []), emit)
    isFirst = false
    const outcome = await finishTurn(said, answers, signal, steering)
    emit({ type: 'turn_end', data: accountOf(outcome, answers.length, before, cost()) })
    return outcome
  }

  function userMessage(text: string): Message {
    const exists = (path: string) => existsSync(join(root, path))
    return newMessage(session, 'user', [{ type: 'text', text: withMentionReminder(text, { exists, strings }) }], now())
  }

  async function steer({ next, stored }: Steering): Promise<void> {
    for (let text = next(); text !== null; text = next()) {
      const message = userMessage(text)
      await session.append([{ type: 'message', message }])
      stored(message.id)
    }
  }

  async function finishTurn(
    said: Message | null,
    answers: Asked[],
    signal: AbortSignal,
    steering?: Steering,
  ): Promise<TurnOutcome> {
    try {
      if (said !== null) await session.append([{ type: 'message', message: said }])
      const ask = await askContext()
      const { config } = ask
      const work: TurnWork = {
        ask,
        tools: {
          tools: await tools(),
          context: { root, config, strings, environment, freshness, seen, blobs, now },
          permissions,
          emit,
          shorten: (tool, outcome, stop) =>
            summarizeResult(outcome, {
              tool,
              config,
              strings,
              ask: options.summarize,
              blobs,
              signal: stop,
              onProblem: (details) => notify(emit, 'result_not_summarized', details),
            }),
        },
        answered: (asked) => answers.push(asked),
        steer: async () => (steering === undefined ? undefined : steer(steering)),
      }
      return await runTurn(work, signal)
    } catch (error) {
      // Storage errors are reported even if the user stopped the turn.
      if (signal.aborted && !(error instanceof SessionError)) return { kind: 'cancelled' }
      const failure = errorOf(error, options.config.locale)
      if (!(error instanceof TurnError && error.isTold)) emit({ type: 'error', data: failure })
      return { kind: 'failed', error: failure }
    }
  }

  function cost() {
    return costOfSession(session, options.priceOf)
  }

  return {
    session,
    model: () => model,
    useModel(next) {
      model = next
    },
    mode: permissions.mode,
    setMode: permissions.setMode,
    turn: (text, signal, steering) => alone(async () => wholeTurn(userMessage(text), signal, steering)),
    resume: (signal, steering) => alone(() => wholeTurn(null, signal, steering)),
    compact: ({ focus, keepRounds }, signal) =>
      alone(async () => {
        const context = await askContext()
        const built = await buildRequest(context)
        const { config } = built
        const writer = await writerFor(context, built, await liveRequest(context))
        return compactSession(session, { config, writer, emit, focus, keepRounds, signal, now: now(), force: true })
      }),
    async look() {
      const context = await askContext()
      const { request, window, usable, toolTokens } = await buildRequest(context)
      return { messages: request.messages, report: request.report, window, usable, toolTokens }
    },
    keepAliveDue: () => keepAliveDue({ ...options, model }),
    async keepAlive(signal) {
      if (isBusy) return false
      try {
        return await alone(() => keepAlive({ ...options, model }, signal))
      } catch (error) {
        notify(emit, 'keep_alive_failed', thrownText(error))
        return false
      }
    },
    cost,
  }
}

function accountOf(outcome: TurnOutcome, steps: number, before: SessionCost, after: SessionCost): TurnEnd {
  return {
    outcome: outcome.kind,
    steps,
    text: outcome.kind === 'finished' ? outcome.text : '',
    usage: {
      input: after.usage.input - before.usage.input,
      cacheRead: after.usage.cacheRead - before.usage.cacheRead,
      cacheWrite: after.usage.cacheWrite - before.usage.cacheWrite,
      output: after.usage.output - before.usage.output,
    },
    cost: { dollars: after.dollars - before.dollars, unpriced: after.unpriced - before.unpriced },
  }
}

function errorOf(error: unknown, locale: string | null): AgentError {
  if (error instanceof TurnError) return error.error
  const { session, agent } = stringsFor(locale)
  if (!(error instanceof SessionError))
    return { code: 'UNEXPECTED', message: thrownText(error), suggestion: agent.unexpected, details: {} }
  const { problem } = error
  const message = sessionProblemText(problem, session)
  return { code: 'SESSION_FAILED', message, suggestion: agent.sessionFailed, details: { kind: problem.kind } }
}
