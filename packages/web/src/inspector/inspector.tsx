import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Inspection } from '../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../parts/button.tsx'
import { useLanguage } from '../parts/language.tsx'
import { type InspectorTab, inspectorTabs } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble, useLoaded } from '../parts/use-loaded.tsx'
import { Diff } from './compare/diff.tsx'
import { InspectorHeader, UnderBanner, UnderChoice } from './inspector-header.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { everyMessage, type MessageFilter } from './messages/message-filter.ts'
import { Messages } from './messages/messages.tsx'
import type { InspectorFocus, InspectorPartProps, InspectorSource } from './source/inspector-source.ts'
import { Timeline } from './timeline/timeline.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { LoadLine } from './window/load-line.tsx'
import type { LoadLineActions } from './window/load-line-table.tsx'
import { Treemap } from './window/treemap.tsx'
import './inspector.css'

interface InspectorProps {
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
  const { inspector } = useLanguage()
  // What was there stays until the new one is, together with where it came from.
  const [loaded, again] = useLoaded(async (signal) => ({ inspection: await source.inspection(signal), source }), [source])
  switch (loaded.state) {
    case 'loading':
      return (
        <p className="centered muted" role="status">
          {under === null ? inspector.loading : inspector.under.working(visibleLine(under, 60))}
        </p>
      )
    case 'failed':
      return (
        <div className="centered">
          <h1>{inspector.title}</h1>
          <Trouble error={loaded.error} onRetry={again} />
          {under === null || onUnder === undefined ? null : <Button onClick={() => onUnder(null)} text={inspector.under.back} />}
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

const panelId = 'inspector-panel'

function tabId(tab: InspectorTab): string {
  return `inspector-tab-${tab}`
}

/** The views of a session. One of them takes part in the order of the Tab key; arrows lead to the others. */
function InspectorTabs({ tab, onTab }: { readonly tab: InspectorTab; readonly onTab: (tab: InspectorTab) => void }) {
  const { inspector } = useLanguage()
  const list = useRef<HTMLDivElement>(null)
  // A narrow screen shows some of them at a time.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button === document.activeElement)
    const { length } = buttons
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons[(next + length) % length]?.focus()
  }
  return (
    <div className="inspector-tabs" role="tablist" aria-label={inspector.tabsLabel} ref={list} onKeyDown={move}>
      {inspectorTabs.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={tabId(name)}
          className="inspector-tab"
          aria-selected={name === tab}
          aria-controls={panelId}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onTab(name)}
        >
          {inspector.tabs[name]}
        </button>
      ))}
    </div>
  )
}

/** The first look at a session: what fills its window, and what is largest in it. */
function Overview({ inspection, onOpenMessage, onShowMessages, onCompare }: InspectorPartProps & LoadLineActions) {
  // The load line does not wait for a hundred thousand messages to be put in order.
  const ordered = useDeferredValue(inspection, null)
  return (
    <>
      <LoadLine
        fill={inspection.fill}
        messages={inspection.messages}
        isOwn={inspection.session.isOwn}
        onShowMessages={onShowMessages}
        onCompare={onCompare}
      />
      {ordered === null ? null : <Treemap inspection={ordered} onOpenMessage={onOpenMessage} />}
    </>
  )
}
