import { resultText } from '@plimsoll/core'
import type { AgentEvent } from '../../../packages/node/src/shared/event.ts'

/** Something whose storage was acknowledged to a client. */
export type Acknowledged =
  | { readonly kind: 'said'; readonly session: string; readonly message: string | null; readonly text: string }
  | { readonly kind: 'answer'; readonly session: string; readonly text: string }
  | { readonly kind: 'result'; readonly session: string; readonly callId: string; readonly text: string }

/** The content that the events of `plimsoll -p TASK --json` acknowledge. The last line may be cut off. */
export function acknowledgedIn(stdout: string, task: string): readonly Acknowledged[] {
  const found: Acknowledged[] = []
  let reported: Acknowledged[] = []
  let session: string | null = null
  for (const { type, data } of eventsIn(stdout)) {
    if (type === 'turn_start') {
      session = data.session
      reported.push({ kind: 'said', session, message: data.turn, text: task })
    }
    if (session === null) continue
    if (type === 'tool_call_end' && data.result.content.type === 'text' && !hasBinary(data.result.content.text)) {
      const text = resultText({ type: 'tool-result', callId: data.callId, tool: null, content: data.result.content })
      reported.push({ kind: 'result', session, callId: data.callId, text })
    }
    // Messages and results are reported at once, and stored before the next model request.
    if (type === 'view_built') {
      found.push(...reported)
      reported = []
    }
    if (type === 'turn_end' && data.outcome === 'finished') found.push({ kind: 'answer', session, text: data.text })
  }
  return found
}

/** The printed events, without a cut-off last line. */
function eventsIn(stdout: string): readonly AgentEvent[] {
  const lines = stdout.split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AgentEvent)
}

/** Binary data is stored outside the log, which has only a note of it. */
function hasBinary(text: string): boolean {
  return /[a-z0-9+/]{1000}/i.test(text)
}
