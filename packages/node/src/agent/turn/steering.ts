/** What the user says while a turn runs: the model reads it with its next request. */
export interface Steering {
  /** Takes the next text; null if there is none. */
  readonly next: () => string | null
  /** That text is in the log, as the message with this id. */
  readonly stored: (message: string) => void
}

/** Texts for the next request of the running turn. `said` is called when one is in the log. */
export function createSteering(said: (text: string, message: string) => void) {
  let texts: readonly string[] = []
  /** The text that is being written to the log. */
  let writing: string | null = null
  const steering: Steering = {
    next() {
      const [next = null, ...later] = texts
      writing = next
      texts = later
      return next
    },
    stored(message) {
      const text = writing ?? ''
      writing = null
      said(text, message)
    },
  }
  return {
    ...steering,
    texts: () => texts,
    add(text: string) {
      texts = [...texts, text]
    },
    /** Takes all that wait. */
    take() {
      const taken = texts
      texts = []
      return taken
    },
    /** Takes all that the turn ended before, also the one that could not be written. */
    takeLeft() {
      const left = writing === null ? texts : [writing, ...texts]
      texts = []
      writing = null
      return left
    },
  }
}
