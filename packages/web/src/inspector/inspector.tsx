import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Inspection } from '../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { type InspectorPlace, type InspectorTab, inspectorTabs } from '../parts/routes.ts'
import { ErrorNotice, useLoaded } from '../parts/use-loaded.tsx'
import { Diff } from './compare/diff.tsx'
import { Findings } from './findings.tsx'
import { InspectorHeader, UnderBanner, UnderChoice, UnderWork } from './inspector-header.tsx'
import { Ledger } from './ledger/ledger.tsx'
import { everyMessage, type MessageFilter } from './messages/message-filter.ts'
import { Messages } from './messages/messages.tsx'
import { Prices } from './prices.tsx'
import { SearchBar, useSessionSearch } from './session-search.tsx'
import { InspectorContext, type InspectorSource, useInspector } from './source/inspector-source.ts'
import { readTyped, storeTyped, type TypedPrices, withTypedPrices } from './source/typed-prices.ts'
import { Timeline } from './timeline/timeline.tsx'
import { WhatIf } from './what-if/what-if.tsx'
import { LoadLine } from './window/load-line.tsx'
import type { LoadLineActions } from './window/load-line-table.tsx'
import { Treemap } from './window/treemap.tsx'
import './inspector.css'

interface InspectorProps extends InspectorPlace {
  readonly source: InspectorSource
  /** Goes to a tab, and to a message or request there. */
  readonly onTab: (tab: InspectorTab, number: number | null) => void
  /** The policy set under which the session is shown, and how to choose another one, or none (null). Without them there is no choice. */
  readonly under?: string | null
  readonly onUnder?: (policies: string | null) => void
  /** Reports when the session continues while it is looked at. Returns how to stop. */
  readonly follow?: (inspection: Inspection, onChanged: () => void) => () => void
  /** Shown next to the title, such as a link to the session's chat. */
  readonly links?: (inspection: Inspection) => ReactNode
}

/** The inspector of one session. */
export function Inspector(props: InspectorProps) {
  const { source, under = null, onUnder } = props
  const { inspector } = useLanguage()
  // The old inspection stays until the new one is there, together with its source.
  const [share, setShare] = useState(0)
  const [loaded, again] = useLoaded(
    async (signal) => {
      setShare(0)
      const inspection = await source.inspection(signal, (done) => signal.aborted || setShare(done))
      return { inspection, source }
    },
    [source],
  )
  if (loaded.state === 'there') {
    const isStale = loaded.value.source !== source
    return <LoadedInspector {...props} {...loaded.value} isStale={isStale} share={share} onChanged={again} />
  }
  if (loaded.state === 'loading')
    return (
      <div className="centered muted">
        {under === null ? <p role="status">{inspector.loading}</p> : <UnderWork under={under} share={share} onUnder={onUnder} />}
      </div>
    )
  return (
    <div className="centered">
      <h1>{inspector.title}</h1>
      <ErrorNotice error={loaded.error} onRetry={again} />
      {under === null || onUnder === undefined ? null : <Button onClick={() => onUnder(null)} text={inspector.under.back} />}
    </div>
  )
}

interface LoadedProps extends InspectorProps {
  readonly inspection: Inspection
  /** Whether another one was asked for and is not there yet, and the share of it that is done. */
  readonly isStale: boolean
  readonly share: number
  readonly onChanged: () => void
}

function LoadedInspector(props: LoadedProps) {
  const { inspection: given, source, tab, number, onTab, onChanged, follow, links, under = null, onUnder, isStale, share } = props
  const [typed, setTyped] = useState(readTyped)
  const inspection = useMemo(() => withTypedPrices(given, typed), [given, typed])
  const onTyped = (next: TypedPrices) => {
    storeTyped(next)
    setTyped(next)
  }
  const { session } = inspection
  const [focus, setFocus] = useState<readonly number[]>([])
  const [filter, setFilter] = useState<MessageFilter>(everyMessage)
  const search = useSessionSearch(source, inspection.messages.ids.length)
  const hits = search.loaded?.state === 'there' ? search.loaded.value : null
  const find = hits === null ? null : search.text.trim()
  const isChangeable = session.isOwn && session.under === undefined
  const canHide = session.hiding !== undefined
  const allowed = useMemo(
    () => (isChangeable ? source : { ...source, pin: null, restore: null, ...(canHide ? {} : { hide: null, hidingCost: null }) }),
    [isChangeable, canHide, source],
  )
  useEffect(() => follow?.(inspection, onChanged), [follow, session.id, session.under?.policies, onChanged])
  const onOpenMessage = (message: number) => onTab('messages', message)
  const onOpenTab = (next: InspectorTab, requests: readonly number[]) => {
    setFocus(requests)
    onTab(next, next === 'timeline' ? (requests[0] ?? null) : null)
  }
  const showMessages = (wanted: Partial<MessageFilter>) => {
    setFilter({ ...everyMessage, order: 'largest', ...wanted })
    onTab('messages', null)
  }
  const panels: Readonly<Record<InspectorTab, () => ReactNode>> = {
    overview: () => <Overview onShowMessages={showMessages} onCompare={() => onTab('what-if', null)} />,
    messages: () => (
      <Messages message={number} onMessage={(next) => onTab('messages', next)} filter={filter} onFilter={setFilter} />
    ),
    timeline: () => <Timeline request={number} onRequest={(next) => onTab('timeline', next)} />,
    ledger: () => <Ledger />,
    diff: () => <Diff />,
    'what-if': () => <WhatIf />,
  }
  return (
    <InspectorContext
      value={{ inspection, source: allowed, onOpenMessage, onChanged, onOpenTab, focus, find, hits, onUnder, typed, onTyped }}
    >
      <div className={tab === 'messages' ? 'inspector inspector-whole' : 'inspector'}>
        <InspectorHeader>
          {onUnder === undefined ? null : (
            <UnderChoice source={source} under={under} onUnder={onUnder} isWorking={isStale} share={share} />
          )}
          {links?.(inspection)}
        </InspectorHeader>
        <Prices />
        {session.under === undefined ? null : <UnderBanner under={session.under} />}
        <div className="inspector-bar">
          <InspectorTabs tab={tab} onTab={(next) => onOpenTab(next, [])} />
          <SearchBar {...search} at={tab === 'messages' ? number : null} onMessage={onOpenMessage} />
        </div>
        <div
          className={isStale ? 'inspector-panel inspector-stale' : 'inspector-panel'}
          role="tabpanel"
          aria-busy={isStale}
          id={panelId}
          aria-labelledby={tabId(tab)}
        >
          {panels[tab]()}
        </div>
      </div>
    </InspectorContext>
  )
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
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons.at(next % buttons.length)?.focus()
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

function Overview(actions: LoadLineActions) {
  const { inspection } = useInspector()
  // The load line does not wait until a hundred thousand messages are in order.
  const ordered = useDeferredValue(inspection, null)
  return (
    <>
      <Findings onShowMessages={actions.onShowMessages} />
      <LoadLine inspection={inspection} {...actions} />
      {ordered === null ? null : <Treemap inspection={ordered} />}
    </>
  )
}
