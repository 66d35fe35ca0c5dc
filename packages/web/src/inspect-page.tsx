import type { EmbeddedInspection } from '@plimsoll/core'
import { useLayoutEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Inspector } from './inspector/inspector.tsx'
import { embeddedSource } from './inspector/source/embedded-source.ts'
import { type ReadEmbedded, readEmbedded } from './inspector/source/read-embedded.ts'
import { LanguageProvider, useLanguage } from './parts/language.tsx'
import { useHashPlace } from './parts/use-hash-place.ts'
import './theme.css'
import './inspect-page.css'
import { type Strings, stringsFor } from './strings/strings-for.ts'

const place = document.getElementById('app')
if (place !== null) {
  const read = readEmbedded(document.getElementById('plimsoll-inspection')?.textContent ?? null)
  createRoot(place).render(<InspectPage read={read} />)
}

/** A page that carries one session with it. */
function InspectPage({ read }: { readonly read: ReadEmbedded }) {
  useSystemTheme()
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
  const { strings, number } = useLanguage()
  const words = strings.page
  const notes =
    left === undefined
      ? []
      : [
          ...(left.texts > 0 ? [words.shortened(number(left.texts))] : []),
          ...(left.pictures > 0 ? [words.fewerPictures(number(left.pictures))] : []),
          ...(left.requests > 0 ? [words.fewerRequests(number(left.requests))] : []),
        ]
  return (
    <div className={isRedacted ? 'notice' : 'notice notice-danger page-warning'} role="note">
      <p>{isRedacted ? words.redacted(number(left?.secrets ?? 0), number(left?.homes ?? 0)) : words.notRedacted}</p>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}

function troubleText(read: Extract<ReadEmbedded, { readonly trouble: string }>, words: Strings['page']): string {
  switch (read.trouble) {
    case 'missing':
      return words.noData
    case 'damaged':
      return words.damaged
    case 'version':
      return words.otherVersion(read.version)
  }
}

/** Light or dark as the system is. Nothing is remembered: pages from files share what a browser keeps for them. */
function useSystemTheme(): void {
  useLayoutEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      document.documentElement.dataset['theme'] = dark.matches ? 'dark' : 'light'
    }
    apply()
    dark.addEventListener('change', apply)
    return () => dark.removeEventListener('change', apply)
  }, [])
}
