import { useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { EmbeddedInspection } from '../../node/src/shared/inspection/embedded-inspection.ts'
import { Inspector } from './inspector/inspector.tsx'
import { embeddedSource, type ReadEmbedded, readEmbedded } from './inspector/source/embedded-source.ts'
import { useShownTheme } from './parts/browser.ts'
import { LanguageProvider, useLanguage } from './parts/language.tsx'
import { inspectorPlace } from './parts/routes.ts'
import './theme.css'
import './inspect-page.css'

const place = document.getElementById('app')
if (place !== null) {
  const read = readEmbedded(document.getElementById('plimsoll-inspection')?.textContent ?? null)
  createRoot(place).render(<InspectPage read={read} />)
}

function InspectPage({ read }: { readonly read: ReadEmbedded }) {
  // Nothing is remembered: a browser keeps one storage for all pages from files.
  useShownTheme('system')
  return (
    <LanguageProvider locale={read.data?.locale ?? navigator.language}>
      <main className="inspect-page">{read.data === undefined ? <Unreadable read={read} /> : <Carried data={read.data} />}</main>
    </LanguageProvider>
  )
}

function Unreadable({ read }: { readonly read: Extract<ReadEmbedded, { readonly trouble: string }> }) {
  const { page } = useLanguage()
  const text =
    read.trouble === 'version' ? page.otherVersion(read.version) : read.trouble === 'missing' ? page.noData : page.damaged
  return (
    <p className="notice notice-danger" role="alert">
      {text}
    </p>
  )
}

function Carried({ data }: { readonly data: EmbeddedInspection }) {
  const { page, number } = useLanguage()
  const { isRedacted, left } = data
  const [source] = useState(() => embeddedSource(data))
  // The tab is in the address after `#`, so back and forward work without a server.
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const { tab, number: chosen } = inspectorPlace(...hash.replace(/^#/, '').split('/'))
  return (
    <>
      <div className={isRedacted ? 'notice' : 'notice notice-danger page-warning'} role="note">
        <p>{isRedacted ? page.redacted(number(left?.secrets ?? 0), number(left?.homes ?? 0)) : page.notRedacted}</p>
        {left === undefined || left.texts === 0 ? null : <p>{page.shortened(number(left.texts))}</p>}
        {left === undefined || left.pictures === 0 ? null : <p>{page.fewerPictures(number(left.pictures))}</p>}
        {left === undefined || left.requests === 0 ? null : <p>{page.fewerRequests(number(left.requests))}</p>}
      </div>
      <Inspector
        source={source}
        tab={tab}
        number={chosen}
        onTab={(next, wanted) => {
          const address = wanted === null ? `#${next}` : `#${next}/${wanted}`
          // Going from message to message, or from request to request, is one step on the way back.
          if (next === tab && wanted !== null && chosen !== null) location.replace(address)
          else location.hash = address
        }}
      />
    </>
  )
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}
