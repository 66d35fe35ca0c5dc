/** Whether anybody can see the page. */
export interface PageSight {
  readonly isHidden: () => boolean
  /** Calls back whenever that may have changed. Returns how to stop. */
  readonly watch: (changed: () => void) => () => void
}

/** That of the browser's tab; what is no tab is always in sight. */
export const tabSight: PageSight = {
  isHidden: () => typeof document !== 'undefined' && document.visibilityState === 'hidden',
  watch(changed) {
    if (typeof document === 'undefined') return () => undefined
    document.addEventListener('visibilitychange', changed)
    return () => document.removeEventListener('visibilitychange', changed)
  },
}

/** Resolves as soon as the page can be seen, or nobody waits for it any more. */
export function inSight(sight: PageSight, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (sight.isHidden() && !signal.aborted) return
      unwatch()
      signal.removeEventListener('abort', look)
      resolve()
    }
    const unwatch = sight.watch(look)
    signal.addEventListener('abort', look)
    look()
  })
}

/** Calls back once the page has been out of sight for so many milliseconds. Returns how to stop. */
export function whenHidden(sight: PageSight, milliseconds: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    timer = sight.isHidden() ? setTimeout(run, milliseconds) : undefined
  }
  const unwatch = sight.watch(look)
  look()
  return () => {
    unwatch()
    clearTimeout(timer)
  }
}
