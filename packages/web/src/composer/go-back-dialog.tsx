import { useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble } from '../parts/trouble.tsx'
import { useSaid } from './use-said.ts'
import './chat-dialogs.css'

/** In which session, and who is told before which message it shall go on. */
export interface GoBackDialogProps {
  readonly session: string
  readonly onChoose: (message: string) => void
  readonly onClose: () => void
}

/** Lists what the user said, newest first, to go back to before one of it. Arrows move in the list. */
export function GoBackDialog({ session, onChoose, onClose }: GoBackDialogProps) {
  const { strings } = useLanguage()
  const { goBack: words, cancel } = strings.chat.dialogs
  const { said, state, loadEarlier } = useSaid(session)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? said : said.filter(({ text }) => text.toLowerCase().includes(wanted))
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      actions={
        <button type="button" className="button" onClick={onClose}>
          {cancel}
        </button>
      }
    >
      <div className="chat-dialog">
        <p className="muted">{words.about}</p>
        <input
          type="search"
          className="field"
          aria-label={words.search}
          placeholder={words.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ol className="go-back-list" aria-label={words.list} onKeyDown={moveInList}>
          {shown.map(({ id, text }) => (
            <li key={id}>
              <button type="button" className="go-back-item" onClick={() => onChoose(id)}>
                {text.trim() === '' ? <span className="muted">{words.nothingSaid}</span> : visibleLine(text, 240)}
              </button>
            </li>
          ))}
        </ol>
        {state.kind === 'failed' ? <Trouble error={state.error} onRetry={loadEarlier} /> : null}
        {state.kind === 'loading' ? <p role="status">{words.loading}</p> : null}
        {state.kind === 'all' && shown.length === 0 ? <p>{said.length === 0 ? words.nothing : words.noMatch}</p> : null}
        {state.kind === 'more' ? (
          <button type="button" className="button" onClick={loadEarlier}>
            {words.earlier}
          </button>
        ) : null}
      </div>
    </Dialog>
  )
}

function moveInList(event: {
  readonly key: string
  readonly currentTarget: HTMLElement
  readonly preventDefault: () => void
}): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const all = [...event.currentTarget.querySelectorAll('button')]
  const at = all.findIndex((one) => one === document.activeElement)
  all[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
  event.preventDefault()
}
