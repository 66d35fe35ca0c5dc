import { messageText, type NoticeCode, noticeText, type ToolResultPart } from '@plimsoll/core'
import type { OpenSession } from '../session/session.ts'
import type { TurnOutcome } from './agent.ts'
import type { AskContext } from './ask-context.ts'
import { type Asked, askModel } from './ask-model.ts'
import { newMessage, newMessages } from './new-message.ts'
import { type RunToolsOptions, runTools } from './run-tools.ts'

/** What a turn works with. */
export interface TurnWork {
  readonly ask: AskContext
  readonly tools: Omit<RunToolsOptions, 'keep'>
  /** Whether there is money left for another request. */
  readonly canAfford: () => boolean
  /** Told of every request that was answered. */
  readonly answered: (asked: Asked) => void
}

/**
 * The loop: ask the model, keep its answer, run what it asks for, keep the results, and again, until it asks for nothing more. What
 * the user said stands in the log already. Whatever stops it, every call in the log that was begun has a result.
 */
export async function runTurn(work: TurnWork, signal: AbortSignal): Promise<TurnOutcome> {
  const { session, config, now } = work.ask
  for (let step = 0; step < config.agent.max_steps; step += 1) {
    if (!work.canAfford()) return stopped(work, 'max-cost')
    const asked = await nextAnswer(work, signal)
    if (asked === null) return { kind: 'cancelled' }
    work.answered(asked)
    const message = newMessage(session, 'assistant', asked.answer.parts, now())
    await session.append([{ type: 'message', message }])
    const calls = message.parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) {
      if (asked.answer.finish === 'length') tell(work, 'answer_cut')
      if (asked.answer.finish === 'content-filter') tell(work, 'answer_filtered')
      return { kind: 'finished', text: messageText(message) }
    }
    await runTools(calls, { ...work.tools, keep: (results) => keepResults(session, results, now()) }, signal)
    if (signal.aborted) return { kind: 'cancelled' }
  }
  return stopped(work, 'max-steps')
}

/** The model's answer, or null when the user stopped it; the words that had arrived until then are kept. */
async function nextAnswer({ ask }: TurnWork, signal: AbortSignal): Promise<Asked | null> {
  if (signal.aborted) return null
  let words = ''
  const listening: AskContext = {
    ...ask,
    emit(event) {
      if (event.type === 'text_delta') words += event.data.text
      if (event.type === 'notification' && event.data.code === 'answer_restarted') words = ''
      ask.emit(event)
    },
  }
  try {
    return await askModel(listening, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    const { session, now } = ask
    if (words.trim() !== '')
      await session.append([
        { type: 'message', message: newMessage(session, 'assistant', [{ type: 'text', text: words }], now()) },
      ])
    return null
  }
}

async function keepResults(session: OpenSession, results: readonly ToolResultPart[], at: number): Promise<void> {
  const messages = newMessages(
    session,
    'tool',
    results.map((part) => [part]),
    at,
  )
  await session.append(messages.map((message) => ({ type: 'message', message })))
}

function stopped(work: TurnWork, reason: 'max-steps' | 'max-cost'): TurnOutcome {
  tell(work, reason === 'max-steps' ? 'max_steps' : 'max_cost')
  return { kind: 'stopped', reason }
}

function tell({ ask }: TurnWork, code: NoticeCode): void {
  ask.emit({ type: 'notification', data: { code, message: noticeText(code, ask.config.locale), details: null } })
}
