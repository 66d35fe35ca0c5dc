import type { Inspection } from '@plimsoll/core'
import { MessageSquare } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, type InspectorTab, inspectorTabs, inspectRoute } from '../parts/routes.ts'
import { Inspector } from './inspector.tsx'
import { followSession } from './source/follow-session.ts'
import { httpSource } from './source/http-source.ts'

/** What the screen is given by its address. */
export interface InspectorScreenProps {
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
  const { strings } = useLanguage()
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
            {strings.inspector.openChat}
          </Link>
        ) : null
      }
    />
  )
}
