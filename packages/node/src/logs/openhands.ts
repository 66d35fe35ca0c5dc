import { isMapping } from '../config/mapping.ts'
import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import type { Fields, LogReader, ReadSession } from './log-reader.ts'
import { createOpenHandsEvents, type OpenHandsEvents } from './openhands-events.ts'

/**
 * OpenHands: events, each an action or what was observed of it, as a list or in the lines of an evaluation, which hold one list
 * under `history`. The oldest lists hold pairs of an action and its observation.
 */
export const openHands: LogReader = {
  name: 'openhands',
  detect: (entry) => isEvent(entry) || listAt(entry, 'history').flat().slice(0, 20).some(isEvent),
  start(notes, take) {
    const sessions: ReadSession[] = []
    let loose: OpenHandsEvents | null = null
    return {
      add(entry, line) {
        if (isEvent(entry)) {
          loose ??= createOpenHandsEvents(notes, take)
          loose.add(entry, line)
          return
        }
        const history = listAt(entry, 'history').flat()
        if (history.length === 0) return notes.skip(line, 'no-message')
        const events = createOpenHandsEvents(notes, take)
        history.forEach((event, index) => {
          if (isMapping(event)) events.add(event, index + 1)
          else notes.skip(line, 'not-an-object')
        })
        const session = events.finish({
          id: textAt(entry, 'instance_id'),
          model: textAt(fieldsAt(fieldsAt(entry, 'metadata'), 'llm_config'), 'model'),
          usages: listAt(fieldsAt(entry, 'metrics'), 'token_usages').filter(isMapping),
        })
        if (session === null) notes.skip(line, 'no-message')
        else sessions.push(session)
      },
      finish() {
        const last = loose?.finish({ id: null, model: null, usages: [] }) ?? null
        return last === null ? sessions : [...sessions, last]
      },
    }
  },
}

function isEvent(entry: unknown): entry is Fields {
  if (!isMapping(entry) || 'role' in entry) return false
  const isNamed = typeof entry['action'] === 'string' || typeof entry['observation'] === 'string'
  return isNamed && ['source', 'action_risk', 'extras', 'args', 'content', 'is_confirmed'].some((field) => field in entry)
}
