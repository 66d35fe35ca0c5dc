import type { SessionEvent } from '@plimsoll/core'
import type { Api } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'

/** Milliseconds within which several changes are told as one. */
const pause = 300

/** Tells whenever a session has changed so that it should be looked at again: a turn ended, older rounds were folded, it was edited or rewound. Returns how to stop. */
export function followSession(api: Api, id: string, onChanged: () => void): () => void {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(onChanged, pause)
  }
  void api.snapshot(id, controller.signal).then(
    ({ event }) => {
      if (controller.signal.aborted) return
      stop = followEvents(api, id, event, {
        event: (told) => isChange(told) && change(),
        connection: () => {},
        refused: () => {},
      })
    },
    // A session that cannot be followed can still be looked at.
    () => {},
  )
  return () => {
    controller.abort()
    clearTimeout(timer)
    stop()
  }
}

function isChange({ type }: SessionEvent): boolean {
  return type === 'turn_end' || type === 'compaction_end' || type === 'changed' || type === 'reset'
}
