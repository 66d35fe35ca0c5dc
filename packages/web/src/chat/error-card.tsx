import type { AgentError } from '@plimsoll/core'
import { CircleAlert, RotateCw } from 'lucide-react'
import { agentErrorText } from '../../../node/src/shared/strings/event-text.ts'
import { useLanguage } from '../parts/language.tsx'
import { beginningOf } from '../parts/safe-text.ts'
import { useChat } from './chat-context.tsx'

/** Something that failed, where it did: what happened, what can be done, and a way to try it again where that may help. */
export function ErrorCard({ id, error }: { readonly id: string; readonly error: AgentError }) {
  const { strings, locale } = useLanguage()
  const { retryable, isBusy, resume } = useChat()
  const { message, suggestion } = agentErrorText(error, locale)
  return (
    <div className="notice notice-danger block-error">
      <p>
        <CircleAlert size={15} aria-hidden /> {beginningOf(message, 4000).text}
      </p>
      {suggestion === null ? null : <p>{beginningOf(suggestion, 2000).text}</p>}
      {retryable === id && !isBusy ? (
        <button type="button" className="button" onClick={resume}>
          <RotateCw size={14} aria-hidden />
          {strings.shell.tryAgain}
        </button>
      ) : null}
    </div>
  )
}
