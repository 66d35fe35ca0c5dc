import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useLanguage } from '../parts/language.tsx'
import { type InspectorTab, inspectorTabs } from '../parts/routes.ts'

/** The id of the panel that the tabs belong to. */
export const panelId = 'inspector-panel'

/** The id of a tab, which names its panel. */
export function tabId(tab: InspectorTab): string {
  return `inspector-tab-${tab}`
}

/** The views of a session. One of them takes part in the order of the Tab key; arrows lead to the others. */
export function InspectorTabs({ tab, onTab }: { readonly tab: InspectorTab; readonly onTab: (tab: InspectorTab) => void }) {
  const { strings } = useLanguage()
  const words = strings.inspector
  const list = useRef<HTMLDivElement>(null)
  // A narrow screen shows some of them at a time.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab])
  const move = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex((button) => button === document.activeElement)
    const next = nextPlace(event.key, at, buttons.length)
    if (next === null) return
    event.preventDefault()
    buttons[next]?.focus()
  }
  return (
    <div className="inspector-tabs" role="tablist" aria-label={words.tabsLabel} ref={list} onKeyDown={move}>
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
          {words.tabs[name]}
        </button>
      ))}
    </div>
  )
}

function nextPlace(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
