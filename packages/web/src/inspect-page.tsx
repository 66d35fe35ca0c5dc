import { useCallback, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { EmbeddedInspection } from '../../node/src/shared/inspection/embedded-inspection.ts'
import { Inspector } from './inspector/inspector.tsx'
import { embeddedSource, type ReadEmbedded, readEmbedded } from './inspector/source/embedded-source.ts'
import { LanguageProvider, useLanguage } from './parts/language.tsx'
import { type HashPlace, placeOf } from './parts/routes.ts'
import { useShownTheme } from './parts/theme.ts'
import './theme.css'
import './inspect-page.css'
import { type Strings, stringsFor } from './strings/strings-for.ts'

const place = document.getElementById('app')
if (place !== null) {
  const read = readEmbedded(document.getElementById('plimsoll-inspection')?.textContent ?? null)
  createRoot(place).render(<InspectPage read={read} />)
}

function InspectPage({ read }: { readonly read: ReadEmbedded }) {
  // Nothing is remembered: a browser keeps one storage for all pages from files.
  useShownTheme('system')
  const locale = read.data?.locale ?? navigator.language
  return (
    <LanguageProvider locale={locale}>
      <main className="inspect-page">
        {read.data === undefined ? (
          <p className="notice notice-danger" role="alert">
            {troubleText(read, stringsFor(locale).page)}
          </p>
        ) : (
          <Carried data={read.data} />
        )}
      </main>
    </LanguageProvider>
  )
}

function Carried({ data }: { readonly data: EmbeddedInspection }) {
  const [source] = useState(() => embeddedSource(data))
  const [{ tab, message }, go] = useHashPlace()
  return (
    <>
      <PageNotes data={data} />
      <Inspector source={source} tab={tab} message={message} onTab={(next, number) => go({ tab: next, message: number })} />
    </>
  )
}

/** What a reader has to know about the page itself: what was taken out of it, or that nothing was. */
function PageNotes({ data: { isRedacted, left } }: { readonly data: EmbeddedInspection }) {
  const { page, number } = useLanguage()
  const notes =
    left === undefined
      ? []
      : [
          ...(left.texts > 0 ? [page.shortened(number(left.texts))] : []),
          ...(left.pictures > 0 ? [page.fewerPictures(number(left.pictures))] : []),
          ...(left.requests > 0 ? [page.fewerRequests(number(left.requests))] : []),
        ]
  return (
    <div className={isRedacted ? 'notice' : 'notice notice-danger page-warning'} role="note">
      <p>{isRedacted ? page.redacted(number(left?.secrets ?? 0), number(left?.homes ?? 0)) : page.notRedacted}</p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}

function troubleText(read: Extract<ReadEmbedded, { readonly trouble: string }>, strings: Strings['page']): string {
  switch (read.trouble) {
    case 'missing':
      return strings.noData
    case 'damaged':
      return strings.damaged
    case 'version':
      return strings.otherVersion(read.version)
  }
}

/** The place that the page's address names behind `#`, so that a browser goes back and forth between places, without any server. */
function useHashPlace(): readonly [place: HashPlace, go: (place: HashPlace) => void] {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  const go = useCallback(({ tab, message }: HashPlace) => {
    location.hash = message === null ? tab : `${tab}/${message}`
  }, [])
  return [placeOf(hash), go]
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}
