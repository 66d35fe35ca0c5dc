import type { PermissionAnswer, PermissionRequest } from '../shared/event.ts'

/** The calls that wait for the user's permission, in order; `changed` is called whenever another one is first, or none. */
export function createQuestions(changed: (current: PermissionRequest | null) => void) {
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
    ask: async (request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> => {
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
    /** Answers the call with this id. False if it does not wait. */
    answer(callId: string, answer: PermissionAnswer): boolean {
      const index = waiting.findIndex(({ request }) => request.callId === callId)
      return settle(index, answer)
    },
  }
}

const no = { kind: 'no', reason: null } as const
