import { progressShare } from './progress-share.ts'
import './tool-progress.css'

/** What a bar shows. */
export interface ToolProgressProps {
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
