import type { SessionEvent } from '@plimsoll/core'
import type { Api } from '../../server/api.ts'
import { followEvents } from '../../server/follow-events.ts'

/** Milliseconds within which several changes are told as one. */
const pause = 300

/** Tells whenever a session should be looked at again: once it is listened to, a turn ended, older rounds were folded, it was edited or rewound. Returns how to stop. */
export function followSession(api: Api, id: string, onChanged: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasPlace = false
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(onChanged, pause)
  }
  const stop = followEvents(api, id, '', {
    event(told, place) {
      hasPlace ||= place !== null
      if (isChange(told)) change()
    },
    connection(state) {
      // As long as nothing was told there is no place to go on from: what happened since it was read, or since the connection broke, nobody knows.
      if (state === 'open' && !hasPlace) change()
    },
    // A session that cannot be followed can still be looked at.
    refused: () => {},
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function isChange({ type }: SessionEvent): boolean {
  return type === 'turn_end' || type === 'compaction_end' || type === 'changed' || type === 'reset'
}
