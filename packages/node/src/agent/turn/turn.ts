import type { ToolResultPart } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { type AskContext, newMessage, newMessages, notify, type TurnOutcome } from '../agent.ts'
import { CostLimitError } from '../request/send-request.ts'
import { type Asked, askModel } from './ask-model.ts'
import { type RunToolsOptions, runTools } from './run-tools.ts'

export interface TurnWork {
  readonly ask: AskContext
  readonly tools: Omit<RunToolsOptions, 'keep'>
  readonly answered: (asked: Asked) => void
  /** Stores what the user said meanwhile. */
  readonly steer: () => Promise<void>
}

/**
 * Asks the model, stores its answer, runs its calls, stores the results, and repeats until there are no calls. The user’s message
 * is in the log already. However it ends, every call that was started has a result.
 */
export async function runTurn(work: TurnWork, signal: AbortSignal): Promise<TurnOutcome> {
  const { session, config, now } = work.ask
  for (let step = 0; step < config.agent.max_steps; step += 1) {
    const asked = await nextAnswer(work, signal)
    if ('kind' in asked) return asked
    work.answered(asked)
    const message = newMessage(session, 'assistant', asked.answer.parts, now())
    await session.append([{ type: 'message', message }])
    const calls = message.parts.filter((part) => part.type === 'tool-call')
    if (calls.length === 0) {
      if (asked.answer.finish === 'length') notify(work.ask.emit, 'answer_cut', null)
      if (asked.answer.finish === 'content-filter') notify(work.ask.emit, 'answer_filtered', null)
      return { kind: 'finished', text: messageText(message) }
    }
    const keep = async (results: readonly ToolResultPart[]) => {
      const contents = results.map((part) => [part])
      const kept = newMessages(session, 'tool', contents, now())
      await session.append(kept.map((result) => ({ type: 'message', message: result })))
    }
    await runTools(calls, { ...work.tools, keep }, signal)
    if (signal.aborted) return { kind: 'cancelled' }
    await work.steer()
  }
  return stopped(work, 'max-steps')
}

/** The model’s answer, or how the turn ended without one. Stores the text that had arrived when the user stopped it. */
async function nextAnswer(work: TurnWork, signal: AbortSignal): Promise<Asked | TurnOutcome> {
  if (signal.aborted) return { kind: 'cancelled' }
  const { ask } = work
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
    if (error instanceof CostLimitError) return stopped(work, 'max-cost', error.message)
    if (!signal.aborted) throw error
    const { session, now } = ask
    const message = newMessage(session, 'assistant', [{ type: 'text', text: words }], now())
    if (words.trim() !== '') await session.append([{ type: 'message', message }])
    return { kind: 'cancelled' }
  }
}

function stopped(work: TurnWork, reason: 'max-steps' | 'max-cost', details: string | null = null): TurnOutcome {
  notify(work.ask.emit, reason === 'max-steps' ? 'max_steps' : 'max_cost', details)
  return { kind: 'stopped', reason }
}
