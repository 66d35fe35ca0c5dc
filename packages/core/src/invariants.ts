import type { Message, ToolCallPart } from './message.ts'

/** Something in a list of messages that a provider would refuse. */
export interface Problem {
  /** The name of the broken rule. */
  readonly rule: RuleName
  /** The id of the message it was found at. */
  readonly message: string
}

/** The providers' rules, by name. */
export type RuleName =
  /** A message id names one message. */
  | 'unique-message-ids'
  /** Tool calls stand in assistant messages only. */
  | 'calls-in-assistant-messages'
  /** Tool results stand in tool messages only. */
  | 'results-in-tool-messages'
  /** Every call is answered in the tool messages right after it, unless it waits for approval. */
  | 'call-has-result'
  /** Every result answers a call of the assistant message its run of tool messages follows. */
  | 'result-has-call'
  /** A call is answered once. */
  | 'one-result-per-call'

/**
 * Checks messages against the rules that providers enforce, and returns what they would refuse, in order. A result without a
 * call id, and results in a log that has no calls at all, are legal: such logs exist and say nothing about pairs.
 */
export function checkView(messages: readonly Message[]): readonly Problem[] {
  const problems: Problem[] = []
  checkIdsAndRoles(messages, problems)
  checkPairs(messages, problems)
  return problems
}

function checkIdsAndRoles(messages: readonly Message[], problems: Problem[]): void {
  const ids = new Set<string>()
  for (const { id, role, parts } of messages) {
    if (ids.has(id)) problems.push({ rule: 'unique-message-ids', message: id })
    ids.add(id)
    for (const part of parts) {
      if (part.type === 'tool-call' && role !== 'assistant') problems.push({ rule: 'calls-in-assistant-messages', message: id })
      if (part.type === 'tool-result' && role !== 'tool') problems.push({ rule: 'results-in-tool-messages', message: id })
    }
  }
}

function checkPairs(messages: readonly Message[], problems: Problem[]): void {
  const anyCalls = messages.some((message) => message.parts.some((part) => part.type === 'tool-call'))
  if (!anyCalls) return
  let asking: Message | null = null
  let open: ToolCallPart[] = []
  let answered: string[] = []
  const close = () => {
    for (const call of open) if (call.pending !== true && asking !== null) problems.push({ rule: 'call-has-result', message: asking.id })
  }
  for (const message of messages) {
    if (message.role !== 'tool') {
      close()
      asking = message
      open = message.parts.filter((part) => part.type === 'tool-call')
      answered = []
      continue
    }
    for (const part of message.parts) {
      if (part.type !== 'tool-result' || part.callId === null) continue
      const index = open.findIndex((call) => call.callId === part.callId)
      if (index >= 0) {
        open.splice(index, 1)
        answered.push(part.callId)
      } else {
        problems.push({ rule: answered.includes(part.callId) ? 'one-result-per-call' : 'result-has-call', message: message.id })
      }
    }
  }
  close()
}
