import { shownContent } from '../session/shown-message.ts'
import type { AgentEvent } from '../shared/event.ts'
import { cutResult } from './cut-result.ts'

/** Characters of a result that go out with an event; the whole can be asked for. */
const mostCharacters = 262_144

/** An event of the agent as it goes out: pictures complete, texts without end cut. */
export function streamedEvent(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_call_end') return event
  const { result } = event.data
  const shown = cutResult({ ...result, content: shownContent(result.content) }, mostCharacters)
  return { ...event, data: { ...event.data, result: shown } }
}
