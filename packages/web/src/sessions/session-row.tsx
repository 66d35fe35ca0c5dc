import { Download, Ellipsis, GitFork, Hand, LoaderCircle, Scan, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SessionListRow } from '../../../node/src/shared/server-api.ts'
import { Button } from '../parts/controls.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { chatRoute, homeRoute, inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp, useOpenChat, useWork } from '../parts/use-loaded.tsx'
import { ExportDialog } from './export-dialog.tsx'

interface SessionRowProps {
  readonly row: SessionListRow
  readonly isCurrent: boolean
  /** Whether Tab leads to it: one row of the list at a time. */
  readonly isReachable: boolean
  readonly onReach: () => void
  readonly onError: (error: unknown) => void
}

/** One session: a link to it, its facts, and a menu. */
export function SessionRow({ row, isCurrent, isReachable, onReach, onError }: SessionRowProps) {
  const { sessions } = useLanguage()
  const title = row.title === null || row.title.trim() === '' ? sessions.untitled : visibleLine(row.title, 120)
  const tabIndex = isReachable ? 0 : -1
  if (row.isUnreadable === true)
    return (
      <div className="session-row" onFocus={onReach}>
        {/* Not a link: there is nothing to go to. The keyboard reaches it all the same, so that it can be read. */}
        <a
          className="session-row-link"
          data-session={row.id}
          tabIndex={tabIndex}
          title={sessions.unreadableAbout(row.id)}
          aria-disabled
          role="link"
        >
          <span className="session-row-title mono">{row.id}</span>
          <span className="session-row-facts session-row-unreadable small">
            <TriangleAlert size={12} aria-hidden />
            {sessions.unreadable}
          </span>
        </a>
      </div>
    )
  return (
    <div className={isCurrent ? 'session-row session-row-current' : 'session-row'} onFocus={onReach}>
      <Link
        href={chatRoute(row.id)}
        className="session-row-link"
        data-session={row.id}
        tabIndex={tabIndex}
        {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      >
        <span className="session-row-title" dir="auto">
          {title}
        </span>
        <Facts row={row} />
      </Link>
      <RowMenu row={row} title={title} isCurrent={isCurrent} tabIndex={tabIndex} onError={onError} />
    </div>
  )
}

function Facts({ row: { from, isBusy, isWaiting, last, messages } }: { readonly row: SessionListRow }) {
  const { conversation, sessions, number, clock } = useLanguage()
  return (
    <span className="session-row-facts muted small">
      {isWaiting ? (
        <span className="session-row-waiting">
          <Hand size={12} aria-hidden />
          {conversation.tool.waits}
        </span>
      ) : isBusy ? (
        <span className="session-row-busy">
          <LoaderCircle size={12} aria-hidden />
          {sessions.busy}
        </span>
      ) : null}
      <time dateTime={new Date(last).toISOString()}>{clock(last)}</time>
      {/* There is no room for both. */}
      {isWaiting ? null : <span>{sessions.messages(number(messages))}</span>}
      {from === null ? null : <span>{from.reason === 'fork' ? sessions.forked : sessions.carriedOn}</span>}
    </span>
  )
}

interface RowMenuProps extends Omit<SessionRowProps, 'isReachable' | 'onReach'> {
  readonly title: string
  readonly tabIndex: number
}

function RowMenu({ row, title, isCurrent, tabIndex, onError }: RowMenuProps) {
  const { api, refreshSessions } = useApp()
  const openChat = useOpenChat()
  const [, go] = useLocation()
  const { sessions } = useLanguage()
  const [dialog, setDialog] = useState<'export' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const fork = async () => {
    onError(null)
    try {
      openChat((await api.command(row.id, 'fork', {})).session)
    } catch (error) {
      onError(error)
    }
  }
  const remove = async () => {
    // Left first: the chat would ask for a session that is gone.
    if (isCurrent) go(homeRoute)
    try {
      await api.removeSession(row.id)
    } catch (error) {
      if (isCurrent) go(chatRoute(row.id))
      throw error
    }
    close()
    refreshSessions()
  }
  const items: readonly MenuItem[] = [
    { key: 'inspect', label: sessions.inspect, icon: Scan, onChoose: () => go(inspectRoute(row.id)) },
    { key: 'fork', label: sessions.fork, icon: GitFork, onChoose: () => void fork() },
    { key: 'export', label: sessions.export, icon: Download, onChoose: () => setDialog('export') },
    { key: 'remove', label: sessions.remove, icon: Trash2, isDanger: true, onChoose: () => setDialog('remove') },
  ]
  return (
    <>
      <Menu label={sessions.actionsOf(title)} items={items} className="button button-quiet session-row-menu" tabIndex={tabIndex}>
        <Ellipsis size={16} aria-hidden />
      </Menu>
      {dialog === 'export' ? <ExportDialog session={row.id} title={title} onClose={close} /> : null}
      {dialog === 'remove' ? <RemoveDialog row={row} title={title} onClose={close} onRemove={remove} /> : null}
    </>
  )
}

interface RemoveDialogProps extends Pick<RowMenuProps, 'row' | 'title'> {
  readonly onRemove: () => Promise<void>
  readonly onClose: () => void
}

function RemoveDialog({ row, title, onRemove, onClose }: RemoveDialogProps) {
  const { sessions, number, bytes } = useLanguage()
  const { isWorking, error, run } = useWork()
  return (
    <Dialog
      title={sessions.removal.title}
      isAlert
      onClose={onClose}
      close={sessions.cancel}
      actions={
        <Button
          look="danger"
          disabled={isWorking}
          onClick={() => void run(onRemove)}
          text={isWorking ? sessions.removal.atWork : sessions.removal.confirm}
        />
      }
    >
      <div className="session-dialog">
        <p>
          <strong>{sessions.removal.about(title)}</strong>
        </p>
        <p>{sessions.removal.what(sessions.messages(number(row.messages)), bytes(row.bytes))}</p>
        {row.isBusy ? <p>{sessions.removal.busy}</p> : null}
        <p>{sessions.removal.forever}</p>
        {error === null ? null : <ErrorNotice error={error} />}
      </div>
    </Dialog>
  )
}
