import { Download, MessageSquare } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import type { Inspection } from '../../../node/src/shared/inspection/inspection.ts'
import { saveAs } from '../parts/browser.ts'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, inspectorPlace, inspectRoute } from '../parts/routes.ts'
import { ErrorNotice, useApp, useWork } from '../parts/use-loaded.tsx'
import type { Api } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'
import { Inspector } from './inspector.tsx'
import { httpSource } from './source/inspector-source.ts'

interface InspectorScreenProps {
  readonly id: string
  /** The policy set under which it is shown; null for the session as recorded. */
  readonly under: string | null
  readonly tab: string | undefined
  readonly message: string | undefined
}

/** One session in the inspector, from the server; a session that continues is followed. */
export function InspectorScreen({ id, under, tab, message }: InspectorScreenProps) {
  const { api } = useApp()
  const [, go] = useLocation()
  const { inspector } = useLanguage()
  // The inspector removes what cannot be done to a log.
  const source = useMemo(() => httpSource(api, id, true, under), [api, id, under])
  const follow = useCallback(
    (inspection: Inspection, onChanged: () => void) =>
      inspection.session.isOwn && inspection.session.under === undefined ? followSession(api, id, onChanged) : () => {},
    [api, id],
  )
  const place = inspectorPlace(tab, message)
  return (
    <Inspector
      source={source}
      under={under}
      onUnder={(policies) => go(inspectRoute(id, place.tab, place.number, policies))}
      {...place}
      // Going from message to message, or from request to request, is one step on the way back, not a hundred.
      onTab={(next, wanted) =>
        go(inspectRoute(id, next, wanted, under), { replace: next === tab && wanted !== null && message !== undefined })
      }
      follow={follow}
      links={({ session }) => (
        <span className="inspector-links">
          <SavePage id={id} under={under} />
          {session.isOwn ? (
            <Link href={chatRoute(id)} className="button">
              <MessageSquare size={16} aria-hidden />
              {inspector.openChat}
            </Link>
          ) : null}
        </span>
      )}
    />
  )
}

/** Saves what the inspector shows as one redacted page that needs no server. */
function SavePage({ id, under }: { readonly id: string; readonly under: string | null }) {
  const { api } = useApp()
  const { inspector } = useLanguage()
  const { isWorking, error, run } = useWork()
  const save = async () => {
    const asked = under === null ? '' : `?${new URLSearchParams({ under })}`
    const answer = await api.fetch(`/inspect/${encodeURIComponent(id)}/page${asked}`)
    saveAs(URL.createObjectURL(await answer.blob()), 'plimsoll-session.html')
  }
  return (
    <>
      <Button
        icon={Download}
        disabled={isWorking}
        title={inspector.savePageAbout}
        onClick={() => void run(save)}
        text={isWorking ? inspector.savingPage : inspector.savePage}
      />
      {error === null ? null : <ErrorNotice error={error} />}
    </>
  )
}

const pause = 300

/** Reports when a session should be read again: once it is followed, after a turn, a compaction, an edit or a rewind. Returns how to stop. */
export function followSession(api: Api, id: string, onChanged: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(onChanged, pause)
  }
  const stop = followEvents(api, id, '', {
    // Without a place to continue from, the first event is a reset: something may have happened since the session was read.
    event({ type }) {
      if (type === 'turn_end' || type === 'compaction_end' || type === 'changed' || type === 'reset') change()
    },
    // A session that cannot be followed can still be inspected.
    refused: () => {},
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}
