import type { Inspection } from '@plimsoll/core'
import { MessageSquare } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { useLanguage } from '../language.tsx'
import { chatRoute, type InspectorTab, inspectorTabs, inspectRoute } from '../routes.ts'
import { useApp } from '../shell/app-context.tsx'
import { followSession } from './follow-session.ts'
import { httpSource } from './http-source.ts'
import { Inspector } from './inspector.tsx'

/** What the screen is given by its address. */
export interface InspectorScreenProps {
  readonly id: string
  readonly tab: string | undefined
  /** The number of a message. */
  readonly message?: string | undefined
}

/** One session in the inspector, as the server tells it; one that goes on is followed. */
export function InspectorScreen({ id, tab, message }: InspectorScreenProps) {
  const { api } = useApp()
  const [, go] = useLocation()
  const { strings } = useLanguage()
  // The inspector takes away what cannot be done to a log.
  const source = useMemo(() => httpSource(api, id, true), [api, id])
  const follow = useCallback(
    (inspection: Inspection, onChanged: () => void) => (inspection.session.isOwn ? followSession(api, id, onChanged) : () => {}),
    [api, id],
  )
  // Going from message to message is one step on the way back, not a hundred.
  const onTab = (next: InspectorTab, number: number | null) =>
    go(inspectRoute(id, next, number), { replace: next === tab && number !== null && message !== undefined })
  return (
    <Inspector
      source={source}
      tab={inspectorTabs.find((name) => name === tab) ?? 'overview'}
      message={message !== undefined && /^\d{1,9}$/.test(message) ? Number(message) : null}
      onTab={onTab}
      follow={follow}
      links={({ session }) =>
        session.isOwn ? (
          <Link href={chatRoute(id)} className="button">
            <MessageSquare size={16} aria-hidden />
            {strings.web.inspector.openChat}
          </Link>
        ) : null
      }
    />
  )
}
