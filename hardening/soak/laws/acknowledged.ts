import { resultText } from '@plimsoll/core'
import type { AgentEvent } from '../../../packages/node/src/shared/event.ts'

/** Something that somebody was told is kept. */
export type Acknowledged =
  | { readonly kind: 'said'; readonly session: string; readonly message: string | null; readonly text: string }
  | { readonly kind: 'answer'; readonly session: string; readonly text: string }
  | { readonly kind: 'result'; readonly session: string; readonly callId: string; readonly text: string }

/** What the events of `plimsoll -p TASK --json` acknowledge. The last line may be cut off. */
export function acknowledgedIn(stdout: string, task: string): readonly Acknowledged[] {
  const found: Acknowledged[] = []
  let told: Acknowledged[] = []
  let session: string | null = null
  for (const { type, data } of eventsIn(stdout)) {
    if (type === 'turn_start') {
      session = data.session
      told.push({ kind: 'said', session, message: data.turn, text: task })
    }
    if (session === null) continue
    if (type === 'tool_call_end' && data.result.content.type === 'text' && !hasBinary(data.result.content.text)) {
      const text = resultText({ type: 'tool-result', callId: data.callId, tool: null, content: data.result.content })
      told.push({ kind: 'result', session, callId: data.callId, text })
    }
    // What was said and what came of a call is told when it is there, and kept before the model is asked.
    if (type === 'view_built') {
      found.push(...told)
      told = []
    }
    if (type === 'turn_end' && data.outcome === 'finished') found.push({ kind: 'answer', session, text: data.text })
  }
  return found
}

/** The events that were printed; a line that was cut off is none. */
function eventsIn(stdout: string): readonly AgentEvent[] {
  const lines = stdout.split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AgentEvent)
}

/** Binary data is kept beside the log, and what stands in the log says so. */
function hasBinary(text: string): boolean {
  return /[a-z0-9+/]{1000}/i.test(text)
}
