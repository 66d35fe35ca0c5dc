import { CornerDownLeft, ListPlus, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { FileSuggestion, LiveState } from '../../../node/src/shared/server-api.ts'
import { isComposing, usePageKey } from '../parts/browser.ts'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp } from '../parts/use-loaded.tsx'
import { ComposerMenu, ComposerSettings, commandNames, type TypedCommand, typedCommand } from './composer-menu.tsx'
import { newerSaid, olderSaid, useComposerText, withReturned } from './composer-text.ts'
import { acceptMention, FileList, openWord, optionId, useFiles } from './file-list.tsx'
import './composer.css'

interface ComposerProps {
  readonly session: string
  readonly live: LiveState
  /** The messages of the user in this session as far as they are loaded, oldest first. */
  readonly history: readonly string[]
  /** Sends a message; if the agent is busy, with its next step or after the turn. If it rejects, the text comes back and the error is shown. */
  readonly onSubmit: (text: string, steer: boolean) => Promise<unknown>
  readonly onCancel: () => Promise<readonly string[]>
  /** A text to put into the field, such as after a rewind: a new object each time. */
  readonly fill: { readonly text: string } | null
}

/** The field at the end of a chat. */
export function Composer({ session, live, history, onSubmit, onCancel, fill }: ComposerProps) {
  const { composer } = useLanguage()
  const listId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { shown, change, put, recall } = useComposerText(session, fill)
  const { text } = shown
  const [cursor, setCursor] = useState(0)
  const [marked, setMarked] = useState(0)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [typed, setTyped] = useState<TypedCommand | null>(null)
  const [isStopping, setStopping] = useState(false)
  const [error, setError] = useState<unknown>(null)

  const word = openWord(text, cursor)
  const isOpen = word !== null && word.start !== closedAt
  const found = useFiles(isOpen ? word.search : null)
  const file = found?.files[marked] ?? null
  const names = commandNames(text)
  const name = names[marked]?.[0] ?? null
  const hasMark = name !== null || (file !== null && isOpen)
  useGrowing(field, text)

  const stop = async () => {
    setStopping(true)
    try {
      const queue = await onCancel()
      if (queue.length === 0) return
      change((before) => withReturned(queue, before))
      field.current?.focus()
    } catch (trouble) {
      setError(trouble)
    } finally {
      setStopping(false)
    }
  }
  useStopKey(live.isBusy, () => void stop())
  // The list of sessions shows which are busy or waiting, and has a new session once it has a message.
  const { refreshSessions } = useApp()
  const isWaiting = live.permission !== null
  useEffect(() => refreshSessions(), [live.isBusy, isWaiting, refreshSessions])

  async function submit(steer = true): Promise<void> {
    if (text.trim() === '') return
    const command = typedCommand(text)
    if (command !== null) return obey(command)
    change('')
    setCursor(0)
    setError(null)
    try {
      await onSubmit(text, steer && live.isBusy)
      refreshSessions()
    } catch (trouble) {
      change((since) => withReturned([text], since))
      setError(trouble)
    }
  }

  function obey(command: TypedCommand): void {
    change('')
    setCursor(0)
    setMarked(0)
    setError(null)
    setTyped(command)
  }

  function accept(taken: FileSuggestion): void {
    if (word === null || field.current === null) return
    const accepted = acceptMention(text, word, taken.text)
    change(accepted.text)
    moveTo(accepted.cursor)
  }

  // React puts the cursor at the end of a text that it sets.
  function moveTo(place: number): void {
    setCursor(place)
    requestAnimationFrame(() => field.current?.setSelectionRange(place, place))
  }

  function pressInList(event: KeyboardEvent): boolean {
    if (!isOpen || found === null) return false
    const { length } = found.files
    if (event.key === 'Escape') setClosedAt(word.start)
    else if (length === 0 || file === null) return false
    else if (event.key === 'ArrowDown') setMarked((marked + 1) % length)
    else if (event.key === 'ArrowUp') setMarked((marked - 1 + length) % length)
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey) accept(file)
    else return false
    event.preventDefault()
    return true
  }

  /** An unfinished command is not a message: Enter takes the marked one, as Tab does to write on. */
  function pressInCommands(event: KeyboardEvent): boolean {
    if (name === null || event.shiftKey || event.altKey) return false
    if (event.key === 'ArrowDown') setMarked((marked + 1) % names.length)
    else if (event.key === 'ArrowUp') setMarked((marked - 1 + names.length) % names.length)
    else if (event.key === 'Enter') obey({ name, rest: '' })
    else if (event.key === 'Tab') complete(name)
    else return false
    event.preventDefault()
    return true
  }

  function complete(command: TypedCommand['name']): void {
    change(`/${command} `)
    moveTo(command.length + 2)
  }

  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event) || pressInList(event) || pressInCommands(event)) return
    if (event.key === 'Enter' && !event.shiftKey && (!event.altKey || live.isBusy)) {
      event.preventDefault()
      void submit(!event.altKey)
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    const said = event.key === 'ArrowUp' ? olderSaid(history, shown) : newerSaid(history, shown)
    if (said === null || !isAtEdge(event.currentTarget, event.key)) return
    event.preventDefault()
    recall(said)
    moveTo(said.text.length)
  }

  const { isBusy } = live
  return (
    // Not a form: the dialogs of its menu have forms, which may not be nested.
    <div className="composer">
      {error === null ? null : <ErrorNotice error={error} />}
      <QueueList queue={live.queue} />
      <CommandNames id={listId} names={names} marked={marked} onChoose={(chosen) => obey({ name: chosen, rest: '' })} />
      <div className="composer-box">
        {isOpen && found !== null ? <FileList id={listId} found={found} marked={marked} onAccept={accept} /> : null}
        <p className="visually-hidden" role="status">
          {isOpen && found !== null ? composer.filesFound(found.files.length) : ''}
        </p>
        <textarea
          ref={field}
          className="composer-field"
          aria-label={composer.field}
          placeholder={isBusy ? composer.placeholderBusy : composer.placeholder}
          rows={1}
          enterKeyHint="send"
          autoFocus
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(hasMark ? { 'aria-controls': listId, 'aria-activedescendant': optionId(listId, marked) } : {})}
          value={text}
          onChange={(event) => {
            change(event.target.value)
            setCursor(event.target.selectionStart)
            setMarked(0)
            if (openWord(event.target.value, event.target.selectionStart)?.start !== closedAt) setClosedAt(null)
          }}
          onSelect={(event) => setCursor(event.currentTarget.selectionStart)}
          onKeyDown={press}
        />
        <div className="composer-bar">
          <ComposerMenu
            session={session}
            live={live}
            onFill={(said) => {
              put(said)
              field.current?.focus()
            }}
            onError={setError}
            typed={typed}
          />
          <ComposerSettings session={session} live={live} onError={setError} />
          <span className="composer-room" />
          {isBusy ? (
            <Button
              look="danger"
              icon={Square}
              iconSize={14}
              disabled={isStopping}
              onClick={() => void stop()}
              text={isStopping ? composer.stopping : composer.stop}
            />
          ) : null}
          {isBusy && text.trim() !== '' ? (
            <Button icon={ListPlus} iconSize={15} onClick={() => void submit(false)} text={composer.queue} />
          ) : null}
          {isBusy && text.trim() === '' ? null : (
            <Button look="primary" disabled={text.trim() === ''} onClick={() => void submit()}>
              <CornerDownLeft size={15} aria-hidden />
              {isBusy ? composer.steer : composer.send}
            </Button>
          )}
        </div>
      </div>
      <p className="composer-hint muted small">{isBusy ? composer.hintBusy : composer.hint}</p>
    </div>
  )
}

/** Whether an arrow would leave the text: up from its first line, down from its last. */
function isAtEdge(field: HTMLTextAreaElement, key: string): boolean {
  const { value, selectionStart, selectionEnd } = field
  if (selectionStart !== selectionEnd) return false
  return key === 'ArrowUp' ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionEnd).includes('\n')
}

const longText = 20_000

function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const element = field.current
    if (element === null) return
    element.style.height = 'auto'
    // A text this long needs all the room anyway, and measuring it takes long.
    element.style.height = text.length > longText ? '100dvh' : `${element.scrollHeight}px`
  }, [field, text])
}

interface CommandNamesProps {
  readonly id: string
  readonly names: ReturnType<typeof commandNames>
  readonly marked: number
  readonly onChoose: (name: TypedCommand['name']) => void
}

/** The commands that what was typed may become. */
function CommandNames({ id, names, marked, onChoose }: CommandNamesProps) {
  const { composer } = useLanguage()
  if (names.length === 0) return null
  return (
    // The focus stays in the field.
    <ul
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={composer.menu}
      className="composer-commands small"
      onMouseDown={(event) => event.preventDefault()}
    >
      {names.map(([name, key], index) => (
        <li
          key={name}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === marked}
          className="composer-command"
          onClick={() => onChoose(name)}
        >
          <code>/{name}</code>
          <span className="muted">{composer.commands[`${key}About`]}</span>
        </li>
      ))}
    </ul>
  )
}

function QueueList({ queue }: { readonly queue: readonly string[] }) {
  const { composer } = useLanguage()
  if (queue.length === 0) return null
  const shown = queue.slice(0, 5)
  return (
    <div className="composer-queue small">
      <p className="muted">
        <strong>{composer.queued(queue.length)}</strong> {composer.queuedHint}
      </p>
      <ol>
        {shown.map((text, index) => (
          <li key={`${index}${text.slice(0, 20)}`}>{visibleLine(text, 160)}</li>
        ))}
      </ol>
      {queue.length > shown.length ? <p className="muted">…</p> : null}
    </div>
  )
}

/** Esc stops the turn from anywhere on the page, unless it closes something that is open. */
function useStopKey(isOn: boolean, stop: () => void): void {
  usePageKey((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (document.querySelector('dialog[open], :popover-open') !== null) return
    const { target } = event
    // In another field, such as a search, Esc is about that field.
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
    event.preventDefault()
    stop()
  }, isOn)
}
