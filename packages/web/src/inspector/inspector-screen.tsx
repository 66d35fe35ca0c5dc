import { MessageSquare } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import type { Inspection } from '../../../node/src/shared/inspection/inspection.ts'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, type InspectorTab, inspectorTabs, inspectRoute } from '../parts/routes.ts'
import type { Api } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'
import { Inspector } from './inspector.tsx'
import { httpSource } from './source/http-source.ts'

interface InspectorScreenProps {
  readonly id: string
  readonly tab: string | undefined
  /** The policy set under which it is shown; null for as it was recorded. */
  readonly under: string | null
  /** The number of a message. */
  readonly message?: string | undefined
}

/** One session in the inspector, as the server tells it; one that goes on is followed. */
export function InspectorScreen({ id, under, tab, message }: InspectorScreenProps) {
  const { api } = useApp()
  const [, go] = useLocation()
  const { inspector } = useLanguage()
  // The inspector takes away what cannot be done to a log.
  const source = useMemo(() => httpSource(api, id, true, under), [api, id, under])
  const follow = useCallback(
    (inspection: Inspection, onChanged: () => void) =>
      inspection.session.isOwn && inspection.session.under === undefined ? followSession(api, id, onChanged) : () => {},
    [api, id],
  )
  const number = message !== undefined && /^\d{1,9}$/.test(message) ? Number(message) : null
  const shownTab = inspectorTabs.find((name) => name === tab) ?? 'overview'
  // Going from message to message is one step on the way back, not a hundred.
  const onTab = (next: InspectorTab, wanted: number | null) =>
    go(inspectRoute(id, next, wanted, under), { replace: next === tab && wanted !== null && message !== undefined })
  return (
    <Inspector
      source={source}
      under={under}
      onUnder={(policies) => go(inspectRoute(id, shownTab, number, policies))}
      tab={shownTab}
      message={number}
      onTab={onTab}
      follow={follow}
      links={({ session }) =>
        session.isOwn ? (
          <Link href={chatRoute(id)} className="button">
            <MessageSquare size={16} aria-hidden />
            {inspector.openChat}
          </Link>
        ) : null
      }
    />
  )
}

/** Milliseconds within which several changes are told as one. */
const pause = 300

/** Tells whenever a session should be looked at again: once it is listened to, a turn ended, older rounds were folded, it was edited or rewound. Returns how to stop. */
export function followSession(api: Api, id: string, onChanged: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasPlace = false
  const change = () => {
    clearTimeout(timer)
    timer = setTimeout(onChanged, pause)
  }
  const stop = followEvents(api, id, '', {
    event(told, place) {
      hasPlace ||= place !== null
      if (isChange(told)) change()
    },
    connection(state) {
      // As long as nothing was told there is no place to go on from: what happened since it was read, or since the connection broke, nobody knows.
      if (state === 'open' && !hasPlace) change()
    },
    // A session that cannot be followed can still be looked at.
    refused: () => {},
  })
  return () => {
    clearTimeout(timer)
    stop()
  }
}

function isChange({ type }: SessionEvent): boolean {
  return type === 'turn_end' || type === 'compaction_end' || type === 'changed' || type === 'reset'
}
