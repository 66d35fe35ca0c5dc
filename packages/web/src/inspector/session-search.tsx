import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { maxSearch, minSearch } from '../../../node/src/shared/inspection/search-message.ts'
import { isComposing, usePageKey } from '../parts/browser.ts'
import { Button, SearchField } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { ErrorNotice, type Loaded } from '../parts/use-loaded.tsx'
import type { InspectorSource } from './source/inspector-source.ts'

/** A search in a session: the text, what was found, and how to change it. */
export interface SessionSearch {
  readonly text: string
  /** Null while there is nothing to search for. */
  readonly loaded: Loaded<readonly number[]> | null
  readonly onText: (text: string) => void
}

const pause = 250

/** Searches the messages of a session, a moment after the text was last changed. What was found stays until something else is. */
export function useSessionSearch(source: InspectorSource, messages: number): SessionSearch {
  const [text, setText] = useState('')
  const [loaded, setLoaded] = useState<SessionSearch['loaded']>(null)
  const wanted = text.trim()
  // A session that continues is searched again, but not while its text is typed.
  const count = useDeferredValue(messages)
  useEffect(() => {
    if (wanted.length < minSearch) {
      setLoaded(null)
      return
    }
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      setLoaded((before) => before ?? { state: 'loading' })
      source.search(wanted, signal).then(
        (value) => signal.aborted || setLoaded({ state: 'there', value }),
        (error: unknown) => signal.aborted || setLoaded({ state: 'failed', error }),
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [source, wanted, count])
  return { text, loaded, onText: setText }
}

interface SearchBarProps extends SessionSearch {
  /** The number of the message that is shown; null for none. */
  readonly at: number | null
  readonly onMessage: (message: number) => void
}

/** The field that a session is searched with, how many messages were found, and the ways from one to the next. */
export function SearchBar({ text, loaded, onText, at, onMessage }: SearchBarProps) {
  const { find, number } = useLanguage()
  const field = useRef<HTMLInputElement>(null)
  usePageKey((event) => {
    const { target } = event
    const isTyping =
      target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    if (event.key !== 'f' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  })
  const hits = loaded?.state === 'there' ? loaded.value : []
  const go = (step: 1 | -1) => {
    const here = at ?? (step === 1 ? -1 : Number.POSITIVE_INFINITY)
    const next = step === 1 ? hits.find((hit) => hit > here) : hits.findLast((hit) => hit < here)
    // After the last one comes the first.
    const around = next ?? hits.at(step === 1 ? 0 : -1)
    if (around !== undefined) onMessage(around)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape' && text !== '') onText('')
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="session-search">
      <SearchField
        ref={field}
        label={find.label}
        placeholder={find.placeholder}
        maxLength={maxSearch}
        value={text}
        onSearch={onText}
        onKeyDown={onKeyDown}
        dir="auto"
      />
      <span className="small muted" role="status">
        {loaded === null
          ? ''
          : loaded.state === 'loading'
            ? find.searching
            : loaded.state === 'there'
              ? find.found(number(hits.length))
              : ''}
      </span>
      {hits.length === 0 ? null : (
        <>
          <Button look="quiet" icon={ChevronUp} aria-label={find.previous} title={find.previous} onClick={() => go(-1)} />
          <Button look="quiet" icon={ChevronDown} aria-label={find.next} title={find.next} onClick={() => go(1)} />
        </>
      )}
      {text === '' ? null : (
        <Button look="quiet" icon={X} aria-label={find.clear} title={find.clear} onClick={() => onText('')} />
      )}
      {loaded?.state === 'failed' ? <ErrorNotice error={loaded.error} /> : null}
    </search>
  )
}
