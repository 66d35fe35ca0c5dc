import { ApiError } from '../server/api.ts'
import { useLanguage } from './language.tsx'

/** Says what went wrong and what to do about it, in place. */
export function Trouble({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { strings } = useLanguage()
  const words = strings.shell
  const isApi = error instanceof ApiError
  const message =
    isApi && error.code === 'UNREACHABLE' ? words.unreachable : error instanceof Error ? error.message : words.unexpected
  const suggestion = isApi ? (error.code === 'UNREACHABLE' ? words.isItRunning : error.suggestion) : null
  return (
    <div className="notice notice-danger" role="alert">
      <p>{message === '' ? words.unexpected : message}</p>
      {suggestion === null ? null : <p className="muted">{suggestion}</p>}
      {onRetry === undefined ? null : (
        <button type="button" className="button" onClick={onRetry}>
          {words.tryAgain}
        </button>
      )}
    </div>
  )
}
