import { imageProgressStrings } from '@plimsoll/core/text'
import type { Strings } from '../strings/strings-for.ts'

interface ToolProgressProps {
  /** Whose progress it is, for those who cannot see where it stands. */
  readonly label: string
  readonly message: string
  /** Per cent, from 0 to 100; null where nobody can know. */
  readonly progress: number | null
}

/** How far something is: a bar that fills, and in small words what is being done. */
export function ToolProgress({ label, message, progress }: ToolProgressProps) {
  const share = progressShare(progress)
  return (
    <div className="tool-progress">
      <div
        className="tool-progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuetext={message}
        {...(share === null ? {} : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(share) })}
      >
        {share === null ? (
          <div className="tool-progress-fill tool-progress-unknown" />
        ) : (
          <div className="tool-progress-fill" style={{ width: `${share}%` }} />
        )}
      </div>
      <p className="tool-progress-text">
        <span>{message}</span>
        {share === null ? null : <span className="number">{Math.round(share)} %</span>}
      </p>
    </div>
  )
}

/** How far something is, from 0 to 100; null where nobody can know. What is no such number is taken for the nearest. */
function progressShare(progress: number | null): number | null {
  if (progress === null || Number.isNaN(progress)) return null
  return Math.min(100, Math.max(0, progress))
}

/** What a tool says about how far it is, in the page's language where its words are known; else as it says it. */
export function progressText(message: string, { tool }: Strings['conversation']): string {
  const strings = tool.picture
  const { expanding, generating, complete } = imageProgressStrings
  if (message === expanding) return strings.expanding
  if (message === generating) return strings.generating
  if (message === complete) return strings.complete
  const seconds = between(message, imageProgressStrings.generatingFor)
  if (seconds !== null && /^\d+$/.test(seconds)) return strings.generatingFor(seconds)
  const model = between(message, imageProgressStrings.model)
  return model === null ? message : strings.model(model)
}

/** What stands in a text where a sentence leaves room for it; null where the text is not that sentence. */
function between(text: string, sentence: (part: never) => string): string | null {
  const mark = '\u0000'
  const [before = '', after = ''] = sentence(mark as never).split(mark)
  const isSentence = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
  return isSentence ? text.slice(before.length, text.length - after.length) : null
}
