import type { AskPermission } from '../agent/agent.ts'
import type { PermissionAnswer, PermissionRequest } from '../shared/event.ts'

/** The calls that wait for a person, one of whom is asked about at a time. */
export interface Questions {
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
