import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute } from '../parts/routes.ts'
import { Trouble } from '../parts/trouble.tsx'

/** Begins a session with its first words. */
export function FirstQuestion() {
  const { strings } = useLanguage()
  const { api, hello, refreshSessions } = useApp()
  const words = strings.shell
  const [, go] = useLocation()
  const [text, setText] = useState('')
  const [isStarting, setStarting] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function start(said: string): Promise<void> {
    if (isStarting) return
    setStarting(true)
    setError(null)
    try {
      const { id } = await api.newSession()
      if (said.trim() !== '') await api.command(id, 'turn', { text: said })
      refreshSessions()
      go(chatRoute(id))
    } catch (trouble) {
      setError(trouble)
      setStarting(false)
    }
  }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void start(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    void start(text)
  }
  return (
    <form className="card home-question" onSubmit={onSubmit}>
      {error === null ? null : <Trouble error={error} />}
      <textarea
        aria-label={words.ask}
        placeholder={hello.model.isOffline ? words.askOffline : words.ask}
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="home-question-foot">
        <span className="muted small">
          {hello.model.isOffline ? words.withOfflineModel : words.withModel(hello.model.name)} {words.workspace(hello.root)}
        </span>
        <button type="submit" className="button button-primary" disabled={isStarting}>
          {words.begin}
        </button>
      </div>
    </form>
  )
}
