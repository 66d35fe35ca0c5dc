import type { Inspection } from '@plimsoll/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useLanguage } from '../parts/language.tsx'
import type { InspectorTab } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { Diff } from './compare/diff.tsx'
import { InspectorHeader } from './inspector-header.tsx'
import { InspectorTabs, panelId, tabId } from './inspector-tabs.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { everyMessage, type MessageFilter } from './messages/message-filter.ts'
import { Messages } from './messages/messages.tsx'
import { Overview } from './overview.tsx'
import type { InspectorFocus, InspectorPartProps } from './source/inspector-part.ts'
import type { InspectorSource } from './source/inspector-source.ts'
import { Timeline } from './timeline/timeline.tsx'
import { UnderBanner } from './under-banner.tsx'
import { UnderChoice } from './under-choice.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import './inspector.css'

/** What an inspector is given. It needs nothing else: neither a server nor the app around it. */
export interface InspectorProps {
  readonly source: InspectorSource
  readonly tab: InspectorTab
  /** The message that is shown in whole, by its number; null for none. */
  readonly message: number | null
  /** Goes to a tab, and to a message there. */
  readonly onTab: (tab: InspectorTab, message: number | null) => void
  /** The policy set under which the session is shown, and how to choose another one, or none (null). Without them there is no choice. */
  readonly under?: string | null
  readonly onUnder?: (policies: string | null) => void
  /** Tells when the session goes on while it is looked at. Returns how to stop. */
  readonly follow?: (inspection: Inspection, onChanged: () => void) => () => void
  /** What stands beside the title, such as a way to the session's chat. */
  readonly links?: (inspection: Inspection) => ReactNode
}

/** One session with everything that can be seen of it. */
export function Inspector(props: InspectorProps) {
  const { source, under = null, onUnder } = props
  const { strings } = useLanguage()
  const words = strings.inspector
  // What was there stays until the new one is, together with where it came from.
  const [loaded, again] = useLoaded(async (signal) => ({ inspection: await source.inspection(signal), source }), [source])
  switch (loaded.state) {
    case 'loading':
      return (
        <p className="centered muted" role="status">
          {under === null ? words.loading : words.under.working(visibleLine(under, 60))}
        </p>
      )
    case 'failed':
      return (
        <div className="centered">
          <h1>{strings.inspector.title}</h1>
          <Trouble error={loaded.error} onRetry={again} />
          {under === null || onUnder === undefined ? null : (
            <button type="button" className="button" onClick={() => onUnder(null)}>
              {words.under.back}
            </button>
          )}
        </div>
      )
    case 'there':
      return <LoadedInspector {...props} {...loaded.value} isStale={loaded.value.source !== source} onChanged={again} />
  }
}

interface LoadedProps extends InspectorProps {
  readonly inspection: Inspection
  /** Whether another one was asked for and is not there yet. */
  readonly isStale: boolean
  readonly onChanged: () => void
}

function LoadedInspector(props: LoadedProps) {
  const { inspection, source, tab, message, onTab, onChanged, follow, links, under = null, onUnder, isStale } = props
  const [focus, setFocus] = useState<InspectorFocus | null>(null)
  const [filter, setFilter] = useState<MessageFilter>(everyMessage)
  const isChangeable = inspection.session.isOwn && inspection.session.under === undefined
  const allowed = useMemo(() => (isChangeable ? source : { ...source, pin: null, restore: null }), [isChangeable, source])
  useEffect(() => follow?.(inspection, onChanged), [follow, inspection.session.id, inspection.session.under?.policies, onChanged])
  const part: InspectorPartProps = {
    inspection,
    source: allowed,
    onOpenMessage: (number) => onTab('messages', number),
    onChanged,
    onOpenTab: (next, wanted) => {
      setFocus(wanted)
      onTab(next, null)
    },
    focus,
    ...(onUnder === undefined ? {} : { onUnder }),
  }
  const showMessages = (wanted: Partial<MessageFilter>) => {
    setFilter({ ...everyMessage, order: 'largest', ...wanted })
    onTab('messages', null)
  }
  return (
    <div className={tab === 'messages' ? 'inspector inspector-whole' : 'inspector'}>
      <InspectorHeader
        inspection={inspection}
        links={
          <>
            {onUnder === undefined ? null : <UnderChoice source={source} under={under} onUnder={onUnder} isWorking={isStale} />}
            {links?.(inspection)}
          </>
        }
      />
      {inspection.session.under === undefined ? null : (
        <UnderBanner under={inspection.session.under} {...(onUnder === undefined ? {} : { onUnder })} />
      )}
      <InspectorTabs
        tab={tab}
        onTab={(next) => {
          setFocus(null)
          onTab(next, null)
        }}
      />
      <div className="inspector-panel" role="tabpanel" id={panelId} aria-labelledby={tabId(tab)}>
        <Panel
          tab={tab}
          part={part}
          message={message}
          filter={filter}
          onFilter={setFilter}
          onTab={onTab}
          showMessages={showMessages}
        />
      </div>
    </div>
  )
}

interface PanelProps {
  readonly tab: InspectorTab
  readonly part: InspectorPartProps
  readonly message: number | null
  readonly filter: MessageFilter
  readonly onFilter: (filter: MessageFilter) => void
  readonly onTab: InspectorProps['onTab']
  readonly showMessages: (filter: Partial<MessageFilter>) => void
}

function Panel({ tab, part, message, filter, onFilter, onTab, showMessages }: PanelProps) {
  switch (tab) {
    case 'overview':
      return <Overview {...part} onShowMessages={showMessages} onCompare={() => onTab('what-if', null)} />
    case 'messages':
      return (
        <Messages
          {...part}
          message={message}
          onMessage={(number) => onTab('messages', number)}
          filter={filter}
          onFilter={onFilter}
        />
      )
    case 'timeline':
      return <Timeline {...part} />
    case 'ledger':
      return <Ledger {...part} />
    case 'diff':
      return <Diff {...part} />
    case 'what-if':
      return <WhatIf {...part} />
  }
}
