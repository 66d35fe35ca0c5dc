import type { SessionEvent } from '@plimsoll/core'
import type { Api } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'

/** Milliseconds within which several changes are told as one. */
const pause = 300

/** Tells whenever a session has changed so that it should be looked at again: a turn ended, older rounds were folded, it was edited or rewound. Returns how to stop. */
export function followSession(api: Api, id: string, onChanged: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wasOpen = false
  let hasPlace = false
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(onChanged, pause)
  }
  // From now on: what was before has just been read.
  const stop = followEvents(api, id, '', {
    event(told, place) {
      hasPlace ||= place !== null
      if (isChange(told)) change()
    },
    connection(state) {
      // As long as nothing was told there is no place to go on from, so that nobody knows what happened meanwhile.
      if (state === 'open' && wasOpen && !hasPlace) change()
      wasOpen ||= state === 'open'
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
