import { useLanguage } from '../parts/language.tsx'

/** Shown before anything was said: what can be said here. */
export function EmptyChat({ isOffline, onTry }: { readonly isOffline: boolean; readonly onTry: (text: string) => void }) {
  const words = useLanguage().strings.chat.conversation
  return (
    <div className="empty-chat">
      <p className="muted">{words.empty}</p>
      {isOffline ? (
        <>
          <p className="muted">{words.emptyOffline}</p>
          <div className="empty-chat-examples">
            {words.offlineExamples.map((example) => (
              <button key={example} type="button" className="button mono" onClick={() => onTry(example)}>
                {example}
              </button>
            ))}
          </div>
        </>
      ) : null}
    </div>
  )
}
