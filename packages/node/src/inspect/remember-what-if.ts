import { stat } from 'node:fs/promises'
import type { WhatIf, WhatIfQuestion } from '../shared/inspection/what-if.ts'
import { type LoggedSession, type WhatIfOptions, whatIf } from './what-if.ts'
import { checkQuestion } from './what-if-choices.ts'

/** What-if with a memory. */
export type RememberedWhatIf = (session: LoggedSession, question: WhatIfQuestion, options?: WhatIfOptions) => Promise<WhatIf>

/** An answer is a few kilobytes. */
const mostAnswers = 50

/**
 * A what-if that answers the same question about the same session from memory, as long as its file has not changed, and replays one
 * session at a time: whoever asks for more waits. It rejects as `whatIf` does.
 */
export function createWhatIf(most: number = mostAnswers): RememberedWhatIf {
  const answers = new Map<string, WhatIf>()
  let last: Promise<unknown> = Promise.resolve()

  const inTurn = (key: string, work: () => Promise<WhatIf>, signal: AbortSignal | undefined): Promise<WhatIf> => {
    const answer = last.then(() => {
      signal?.throwIfAborted()
      // The same may have been asked while this one waited.
      return answers.get(key) ?? work()
    })
    last = answer.catch(() => undefined)
    return answer
  }

  return async (session, given, options = {}) => {
    const question = checkQuestion(given)
    const key = JSON.stringify([session.path, session.number, await changeOf(session.path), question])
    const answer = answers.get(key) ?? (await inTurn(key, () => whatIf(session, question, options), options.signal))
    // The one that was asked for longest ago goes first.
    answers.delete(key)
    answers.set(key, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= most) break
      answers.delete(oldest)
    }
    return answer
  }
}

/** A file that was written to has another size or time. One that is gone is found missing when it is read. */
async function changeOf(path: string): Promise<readonly number[]> {
  const found = await stat(path).catch(() => null)
  return found === null ? [] : [found.size, found.mtimeMs]
}
