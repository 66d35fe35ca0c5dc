import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isSaid, saidText } from '../../../node/src/shared/mentions.ts'
import type { ChatMessage } from '../../../node/src/shared/server-api.ts'
import { Button, SearchField } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp } from '../parts/use-loaded.tsx'

interface GoBackDialogProps {
  readonly session: string
  readonly onChoose: (message: string) => void
  readonly onClose: () => void
}

/** Lists the messages of the user, newest first, to rewind to before one of them. Arrows move in the list. */
export function GoBackDialog({ session, onChoose, onClose }: GoBackDialogProps) {
  const { dialogs } = useLanguage()
  const { goBack } = dialogs
  const { said, state, loadEarlier } = useSaid(session)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? said : said.filter(({ text }) => text.toLowerCase().includes(wanted))
  return (
    <Dialog title={goBack.title} onClose={onClose} close={dialogs.cancel}>
      <div className="chat-dialog">
        <p className="muted">{goBack.about}</p>
        <SearchField label={goBack.search} value={search} onSearch={setSearch} />
        <ol className="go-back-list" aria-label={goBack.list} onKeyDown={moveInList}>
          {shown.map(({ id, text }) => (
            <li key={id}>
              <button type="button" className="go-back-item" onClick={() => onChoose(id)}>
                {text.trim() === '' ? <span className="muted">{goBack.nothingSaid}</span> : visibleLine(text, 240)}
              </button>
            </li>
          ))}
        </ol>
        {state.kind === 'failed' ? <ErrorNotice error={state.error} onRetry={loadEarlier} /> : null}
        {state.kind === 'loading' ? <p role="status">{goBack.loading}</p> : null}
        {state.kind === 'all' && shown.length === 0 ? <p>{said.length === 0 ? goBack.nothing : goBack.noMatch}</p> : null}
        {state.kind === 'more' ? <Button onClick={loadEarlier} text={goBack.earlier} /> : null}
      </div>
    </Dialog>
  )
}

function moveInList(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const all = [...event.currentTarget.querySelectorAll('button')]
  const at = all.findIndex((one) => one === document.activeElement)
  all[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
  event.preventDefault()
}

type SaidMessage = { readonly id: string; readonly text: string }

/** The messages of the user among these, newest first, without summaries. */
function saidMessages(messages: readonly ChatMessage[]): readonly SaidMessage[] {
  const said = messages.filter(({ message }) => isSaid(message))
  return said.map(({ message }) => ({ id: message.id, text: saidText(message) })).reverse()
}

type SaidState = { readonly kind: 'loading' | 'more' | 'all' } | { readonly kind: 'failed'; readonly error: unknown }

/** The server returns no more messages at a time. */
const pageSize = 500

function useSaid(session: string) {
  const { api } = useApp()
  const [said, setSaid] = useState<readonly SaidMessage[]>([])
  const [state, setState] = useState<SaidState>({ kind: 'loading' })
  // The number of the first message that is loaded; null if none is.
  const start = useRef<number | null>(null)

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setState({ kind: 'loading' })
      try {
        const before = start.current
        if (before === null) {
          const snapshot = await api.snapshot(session, signal)
          start.current = snapshot.start
          setSaid(saidMessages(snapshot.messages))
        } else {
          const from = Math.max(0, before - pageSize)
          const earlier = saidMessages(await api.messages(session, from, before, signal))
          start.current = from
          setSaid((later) => [...later, ...earlier])
        }
        if (signal?.aborted !== true) setState({ kind: start.current > 0 ? 'more' : 'all' })
      } catch (error) {
        if (signal?.aborted !== true) setState({ kind: 'failed', error })
      }
    },
    [api, session],
  )
  useEffect(() => {
    const controller = new AbortController()
    void load(controller.signal)
    return () => controller.abort()
  }, [load])
  return { said, state, loadEarlier: useCallback(() => void load(), [load]) }
}
