import type { PermissionMode } from '@plimsoll/core/policies'
import { Archive, Download, FileClock, FileOutput, GitFork, History, Menu as MenuIcon, Play, Scan } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useLocation } from 'wouter'
import type { LiveState } from '../../../node/src/shared/server-api.ts'
import { Button, Form, Select } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { useApp, useOpenChat } from '../parts/use-loaded.tsx'
import { ExportDialog } from '../sessions/export-dialog.tsx'
import { GoBackDialog } from './go-back-dialog.tsx'
import { UndoFilesDialog } from './undo-files-dialog.tsx'

interface ComposerMenuProps {
  readonly session: string
  readonly live: LiveState
  readonly onFill: (text: string) => void
  readonly onError: (error: unknown) => void
  /** A command that was typed: a new object each time. */
  readonly typed: TypedCommand | null
}

/** A menu next to the field with the commands of a session. */
export function ComposerMenu({ session, live, onFill, onError, typed }: ComposerMenuProps) {
  const { api } = useApp()
  const openChat = useOpenChat()
  const [, go] = useLocation()
  const { composer } = useLanguage()
  const { commands } = composer
  const [dialog, setDialog] = useState<'compact' | 'go-back' | 'undo-files' | 'export' | null>(null)
  const close = () => setDialog(null)

  const run = async (work: () => Promise<unknown>) => {
    onError(null)
    try {
      await work()
    } catch (error) {
      onError(error)
    }
  }
  const moveBy = (name: 'fork' | 'hand-over') => void run(async () => openChat((await api.command(session, name, {})).session))
  const item = (key: keyof typeof commands & keyof typeof icons, onChoose: () => void, isDisabled = false): MenuItem => ({
    key,
    label: commands[key],
    about: commands[`${key}About`],
    icon: icons[key],
    isDisabled,
    onChoose,
  })

  const compact = (focus: string) => void run(() => api.command(session, 'compact', focus === '' ? {} : { focus }))
  const items = [
    ...(live.canResume ? [item('resume', () => void run(() => api.command(session, 'resume', {})), live.isBusy)] : []),
    item('compact', () => setDialog('compact'), live.isBusy),
    item('goBack', () => setDialog('go-back'), live.isBusy),
    item('undoFiles', () => setDialog('undo-files'), live.isBusy),
    item('fork', () => moveBy('fork')),
    item('handOver', () => moveBy('hand-over'), live.isBusy),
    item('inspect', () => go(inspectRoute(session))),
    item('export', () => setDialog('export')),
  ]
  const obey = useEffectEvent(({ name, rest }: TypedCommand) => {
    const found = items.find(({ key }) => key === slashCommands[name])
    if (found?.isDisabled !== false) onError(new Error(composer.notNow(`/${name}`)))
    else if (name === 'compact' && rest !== '') compact(rest)
    else found.onChoose()
  })
  useEffect(() => {
    if (typed !== null) obey(typed)
  }, [typed])

  return (
    <>
      <Menu label={composer.menu} items={items}>
        <MenuIcon size={16} aria-hidden />
        <span className="composer-menu-word">{composer.menu}</span>
      </Menu>
      {dialog === 'compact' ? (
        <CompactDialog
          onClose={close}
          onStart={(focus) => {
            close()
            compact(focus)
          }}
        />
      ) : null}
      {dialog === 'go-back' ? (
        <GoBackDialog
          session={session}
          onClose={close}
          onChoose={(message) => {
            close()
            void run(async () => onFill((await api.command(session, 'rewind', { before: message })).text))
          }}
        />
      ) : null}
      {dialog === 'undo-files' ? <UndoFilesDialog session={session} turn={null} onClose={close} /> : null}
      {dialog === 'export' ? <ExportDialog session={session} title={null} onClose={close} /> : null}
    </>
  )
}

/** The commands that can be typed, and their items of the menu. */
const slashCommands = {
  compact: 'compact',
  rewind: 'goBack',
  'undo-files': 'undoFiles',
  fork: 'fork',
  'hand-over': 'handOver',
  inspect: 'inspect',
  export: 'export',
  resume: 'resume',
} as const

export interface TypedCommand {
  readonly name: keyof typeof slashCommands
  /** What comes after it. */
  readonly rest: string
}

/** Reads a message that is a command, such as `/compact the tests`; null for any other, also for a path. */
export function typedCommand(text: string): TypedCommand | null {
  const [, name = '', rest = ''] = /^\/([a-z-]{1,20})(?:\s([^\n]*))?$/.exec(text.trim()) ?? []
  return Object.hasOwn(slashCommands, name) ? { name: name as TypedCommand['name'], rest: rest.trim() } : null
}

/** The names of commands that start with what was typed so far, which is only a slash and letters. */
export function commandNames(text: string): readonly (readonly [name: keyof typeof slashCommands, key: keyof typeof icons])[] {
  if (!/^\/[a-z-]{0,20}$/.test(text)) return []
  const all = Object.entries(slashCommands) as [keyof typeof slashCommands, keyof typeof icons][]
  return all.filter(([name]) => name.startsWith(text.slice(1)))
}

const icons = {
  resume: Play,
  compact: Archive,
  goBack: History,
  undoFiles: FileClock,
  fork: GitFork,
  handOver: FileOutput,
  inspect: Scan,
  export: Download,
}

function CompactDialog({ onStart, onClose }: { readonly onStart: (focus: string) => void; readonly onClose: () => void }) {
  const { dialogs } = useLanguage()
  const form = useId()
  const [focus, setFocus] = useState('')
  return (
    <Dialog
      title={dialogs.compact.title}
      onClose={onClose}
      close={dialogs.cancel}
      actions={<Button type="submit" form={form} look="primary" text={dialogs.compact.start} />}
    >
      <Form id={form} className="chat-dialog" onSubmit={() => onStart(focus.trim())}>
        <p>{dialogs.compact.about}</p>
        <label className="chat-dialog-label">
          {dialogs.compact.focus}
          <input
            className="field"
            value={focus}
            maxLength={2000}
            placeholder={dialogs.compact.focusPlaceholder}
            onChange={(event) => setFocus(event.target.value)}
          />
        </label>
      </Form>
    </Dialog>
  )
}

const modes: readonly PermissionMode[] = ['read-only', 'ask', 'accept-edits', 'auto']

interface ComposerSettingsProps {
  readonly session: string
  readonly live: LiveState
  readonly onError: (error: unknown) => void
}

/** Which model answers and what it may do without asking, to be changed. */
export function ComposerSettings({ session, live, onError }: ComposerSettingsProps) {
  const { composer, turn } = useLanguage()
  const { api, hello } = useApp()
  // Shown until the server reports the new state, or refuses.
  const [asked, setAsked] = useState<{ readonly model?: string; readonly mode?: PermissionMode }>({})
  const change = async (wish: typeof asked, ask: () => Promise<unknown>) => {
    setAsked(wish)
    try {
      await ask()
      onError(null)
    } catch (error) {
      onError(error)
    } finally {
      setAsked({})
    }
  }
  const { name } = live.model
  const models = hello.models.includes(name) ? hello.models : [name, ...hello.models]
  return (
    <>
      <Select
        className="button composer-select small"
        aria-label={composer.model}
        title={composer.model}
        value={asked.model ?? name}
        disabled={live.isBusy || asked.model !== undefined}
        options={models.map((model) => [model, model])}
        onChoose={(model) => void change({ model }, () => api.command(session, 'model', { name: model }))}
      />
      <Select
        className="button composer-select small"
        aria-label={composer.mode}
        title={turn.modes[live.mode]}
        value={asked.mode ?? live.mode}
        disabled={asked.mode !== undefined}
        options={modes.map((mode) => [mode, composer.modes[mode]])}
        onChoose={(mode) => void change({ mode }, () => api.command(session, 'mode', { mode }))}
      />
    </>
  )
}
