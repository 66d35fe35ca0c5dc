import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type Strings, stringsFor } from '../strings/strings-for.ts'

/** What a page says, and how it writes numbers and times. */
export interface Language {
  readonly locale: string
  /** By whose customs numbers, dates and lists are written. */
  readonly region: 'zh-CN' | 'en-US'
  readonly strings: Strings
  /** 12,345 */
  readonly number: (value: number) => string
  /** What stands at a place, counted from 1 as people do. */
  readonly ordinal: (place: number) => string
  /** 12.3k */
  readonly short: (value: number) => string
  /** Of 0 to 1: 12.3 % */
  readonly percent: (value: number) => string
  readonly dollars: (value: number) => string
  readonly bytes: (value: number) => string
  /** The day and time of a moment in milliseconds. */
  readonly time: (at: number) => string
  /** So many milliseconds, such as 1 min 20 s. */
  readonly duration: (milliseconds: number) => string
}

const LanguageContext = createContext<Language>(languageFor('en'))

/** Lets everything inside it speak one language. */
export function LanguageProvider({ locale, children }: { readonly locale: string; readonly children: ReactNode }) {
  const language = useMemo(() => languageFor(locale), [locale])
  useEffect(() => {
    document.documentElement.lang = language.region === 'zh-CN' ? 'zh-CN' : 'en'
  }, [language])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** The language that is spoken here. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** The last millisecond that a calendar has. A log may say any. */
const lastTime = 8.64e15

/** What a locale's language says and how it writes numbers: Chinese for `zh…`, else English. */
export function languageFor(locale: string): Language {
  const isChinese = locale.toLowerCase().startsWith('zh')
  const region = isChinese ? 'zh-CN' : 'en-US'
  const whole = new Intl.NumberFormat(region, { maximumFractionDigits: 0 })
  const one = new Intl.NumberFormat(region, { maximumFractionDigits: 1 })
  const share = new Intl.NumberFormat(region, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' })
  const scaled = (value: number, units: Readonly<Record<string, number>>, smallest: string) => {
    const [unit, size] = Object.entries(units).find(([, least]) => Math.abs(value) >= least) ?? [smallest, 1]
    return `${one.format(value / size)}${unit}`
  }
  return {
    locale,
    region,
    strings: stringsFor(locale),
    number: (value) => whole.format(value),
    ordinal: (place) => whole.format(place + 1),
    short: (value) => scaled(value, { M: 1_000_000, k: 1000 }, ''),
    percent: (value) => share.format(value),
    dollars: (value) => `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(value !== 0 && Math.abs(value) < 1 ? 4 : 2)}`,
    bytes: (value) => scaled(value, { ' GB': 1_000_000_000, ' MB': 1_000_000, ' kB': 1000 }, ' B'),
    time: (at) => (Math.abs(at) <= lastTime ? moment.format(at) : '–'),
    duration: (milliseconds) => durationText(milliseconds, one),
  }
}

function durationText(milliseconds: number, one: Intl.NumberFormat): string {
  // From here on one digit would make it 60 seconds.
  if (milliseconds < 59_950) return `${one.format(milliseconds / 1000)} s`
  const whole = Math.round(milliseconds / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}
