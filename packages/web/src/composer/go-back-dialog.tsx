import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { isSaid, saidText } from '../../../node/src/shared/mentions.ts'
import type { ChatMessage } from '../../../node/src/shared/server-api.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble, useApp } from '../parts/use-loaded.tsx'

interface GoBackDialogProps {
  readonly session: string
  readonly onChoose: (message: string) => void
  readonly onClose: () => void
}

/** Lists what the user said, newest first, to go back to before one of it. Arrows move in the list. */
export function GoBackDialog({ session, onChoose, onClose }: GoBackDialogProps) {
  const { dialogs } = useLanguage()
  const { said, state, loadEarlier } = useSaid(session)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? said : said.filter(({ text }) => text.toLowerCase().includes(wanted))
  return (
    <Dialog title={dialogs.goBack.title} onClose={onClose} actions={<Button onClick={onClose} text={dialogs.cancel} />}>
      <div className="chat-dialog">
        <p className="muted">{dialogs.goBack.about}</p>
        <input
          type="search"
          className="field"
          aria-label={dialogs.goBack.search}
          placeholder={dialogs.goBack.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <ol className="go-back-list" aria-label={dialogs.goBack.list} onKeyDown={moveInList}>
          {shown.map(({ id, text }) => (
            <li key={id}>
              <button type="button" className="go-back-item" onClick={() => onChoose(id)}>
                {text.trim() === '' ? <span className="muted">{dialogs.goBack.nothingSaid}</span> : visibleLine(text, 240)}
              </button>
            </li>
          ))}
        </ol>
        {state.kind === 'failed' ? <Trouble error={state.error} onRetry={loadEarlier} /> : null}
        {state.kind === 'loading' ? <p role="status">{dialogs.goBack.loading}</p> : null}
        {state.kind === 'all' && shown.length === 0 ? (
          <p>{said.length === 0 ? dialogs.goBack.nothing : dialogs.goBack.noMatch}</p>
        ) : null}
        {state.kind === 'more' ? <Button onClick={loadEarlier} text={dialogs.goBack.earlier} /> : null}
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

interface SaidMessage {
  readonly id: string
  readonly text: string
  readonly number: number
}

/** What the user said in some messages, newest first. Summaries, which stand there as if the user had said them, are none. */
function saidMessages(messages: readonly ChatMessage[]): readonly SaidMessage[] {
  return messages
    .filter(({ message }) => isSaid(message))
    .map(({ message, number }) => ({ id: message.id, text: saidText(message), number }))
    .toReversed()
}

type SaidState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'more' }
  | { readonly kind: 'all' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** How many messages are asked for at a time, which is as many as the server gives. */
const pageSize = 500

function useSaid(session: string) {
  const { api } = useApp()
  const [said, setSaid] = useState<readonly SaidMessage[]>([])
  const [state, setState] = useState<SaidState>({ kind: 'loading' })
  // Messages before this number were not asked for yet; null before anything was.
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
