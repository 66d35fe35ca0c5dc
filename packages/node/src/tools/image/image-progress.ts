import type { ToolProgress } from '@plimsoll/core'
import { imageProgressStrings } from '@plimsoll/core'

/** Tells how far a picture is. The number never goes down, and is whole. */
export interface ImageProgress {
  readonly begin: (model: string) => void
  readonly expanding: () => void
  /** From here on the time is told every five seconds, until `complete` or `stop`. */
  readonly generating: () => void
  readonly complete: () => void
  /** Ends what `generating` began. */
  readonly stop: () => void
}

/** The progress of one call, which starts now. Nobody may be listening. */
export function createImageProgress(tell: ((progress: ToolProgress) => void) | undefined, now: () => number): ImageProgress {
  const start = now()
  let reached = 0
  let timer: NodeJS.Timeout | undefined

  function say(stage: string, message: string, progress: number): void {
    reached = Math.max(reached, Math.round(progress))
    tell?.({ stage, message, progress: reached })
  }

  function tick(): void {
    const elapsed = Math.max(0, now() - start)
    const message = imageProgressStrings.generatingFor(Math.round(elapsed / 1000))
    say('generating', message, Math.min(30 + (elapsed / 60_000) * 50, 80))
  }

  const stop = () => clearInterval(timer)
  return {
    begin: (model) => say('init', imageProgressStrings.model(shownModel(model)), 5),
    expanding: () => say('prompt_expand', imageProgressStrings.expanding, 15),
    generating() {
      say('generating', imageProgressStrings.generating, 30)
      timer = setInterval(tick, 5000)
    },
    complete() {
      stop()
      say('complete', imageProgressStrings.complete, 100)
    },
    stop,
  }
}

/** What people call the model, where it is one of those they know. */
function shownModel(model: string): string {
  if (!/flux/i.test(model)) return model
  if (/schnell/i.test(model)) return 'FLUX Schnell'
  return /pro/i.test(model) ? 'FLUX Pro' : model
}
