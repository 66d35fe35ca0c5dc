import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { stringsFor } from '../strings/strings-for.ts'

/** The strings of a page by topic, and its formats of numbers and times. */
export type Language = Readonly<ReturnType<typeof languageFor>>

const LanguageContext = createContext<Language>(languageFor('en'))

/** Sets the language of everything inside it. */
export function LanguageProvider({ locale, children }: { readonly locale: string; readonly children: ReactNode }) {
  const language = useMemo(() => languageFor(locale), [locale])
  useEffect(() => {
    document.documentElement.lang = language.region === 'zh-CN' ? 'zh-CN' : 'en'
  }, [language])
  return <LanguageContext value={language}>{children}</LanguageContext>
}

/** The strings and number formats of the page. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** The last millisecond that `Date` supports. A log may have any number. */
const lastTime = 8.64e15

/** The strings and number formats of a locale: Chinese for `zh…`, else English. */
export function languageFor(locale: string) {
  const region = locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en-US'
  const whole = new Intl.NumberFormat(region, { maximumFractionDigits: 0 })
  const one = new Intl.NumberFormat(region, { maximumFractionDigits: 1 })
  const [two, four] = [2, 4].map(
    (digits) => new Intl.NumberFormat(region, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  ) as [Intl.NumberFormat, Intl.NumberFormat]
  const exact = new Intl.NumberFormat(region, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
  const round = new Intl.NumberFormat(region, { style: 'percent', maximumFractionDigits: 0 })
  // One digit after the point, so that columns of shares can be compared. What is there is not shown as nothing.
  const share = (value: number) =>
    value > 0 && value < 0.0005 ? `< ${exact.format(0.001)}` : (value === 0 || value === 1 ? round : exact).format(value)
  const hour = new Intl.DateTimeFormat(region, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = new Intl.DateTimeFormat(region, { month: 'short', day: 'numeric' })
  const dated = new Intl.DateTimeFormat(region, { dateStyle: 'medium' })
  const isThisYear = (at: number) => new Date(at).getFullYear() === new Date().getFullYear()
  const isTime = (at: number) => Math.abs(at) <= lastTime
  const dayOf = (at: number) => (isThisYear(at) ? date : dated).format(at)
  const moment = (at: number) => `${dayOf(at)}${region === 'zh-CN' ? ' ' : ', '}${hour.format(at)}`
  const scaled = (value: number, units: Readonly<Record<string, number>>, smallest: string) => {
    const [unit, size] = Object.entries(units).find(([, min]) => Math.abs(value) >= min) ?? [smallest, 1]
    return `${(size === 1 ? whole : one).format(value / size)}${unit}`
  }
  return {
    ...stringsFor(locale),
    locale,
    /** The locale for numbers, dates and lists. */
    region,
    /** Sentences one after the other. Chinese has no space between them. */
    sentences: (...texts: readonly (string | null)[]) =>
      texts.filter((text) => text !== null && text !== '').join(region === 'zh-CN' ? '' : ' '),
    /** A name and what it is. */
    labelled: (name: string, text: string) => `${name}${region === 'zh-CN' ? '：' : ': '}${text}`,
    /** 12,345 */
    number: (value: number) => whole.format(value),
    /** The number of a place, counted from 1 as people do. */
    ordinal: (place: number) => whole.format(place + 1),
    /** 12.3k */
    short: (value: number) => scaled(value, { M: 1_000_000, k: 1000 }, ''),
    /** Of 0 to 1: 12.3% */
    percent: share,
    /** Of work that is being done: 12% */
    progress: (value: number) => round.format(Math.floor(value * 100) / 100),
    /** −12.3%, +4.0%, or 0%. */
    change: (before: number, after: number) => {
      const part = before === 0 ? 0 : after / before - 1
      return `${part < 0 ? '−' : part > 0 ? '+' : ''}${share(Math.abs(part))}`
    },
    dollars: (value: number) => {
      // What is there is not shown as nothing.
      if (value > 0 && value < 0.00005) return '<$0.0001'
      return `${value < 0 ? '-' : ''}$${(value !== 0 && Math.abs(value) < 1 ? four : two).format(Math.abs(value))}`
    },
    /** The same for lists, which nobody adds up: $131, $14.67, $0.04, <$0.01. */
    money: (value: number) => {
      if (value > 0 && value < 0.01) return '<$0.01'
      return value >= 100 ? `$${whole.format(value)}` : `$${value.toFixed(2)}`
    },
    bytes: (value: number) => scaled(value, { ' GB': 1_000_000_000, ' MB': 1_000_000, ' kB': 1000 }, ' B'),
    /** The day and time of a moment in milliseconds, without the year if it is this one. */
    time: (at: number) => (isTime(at) ? moment(at) : '–'),
    /** The same for lists: of another year without the hour. */
    shortTime: (at: number) => (isTime(at) ? (isThisYear(at) ? moment(at) : dated.format(at)) : '–'),
    /** The hour and minute of a moment, and its day. */
    clock: (at: number) => (isTime(at) ? hour.format(at) : '–'),
    day: (at: number) => (isTime(at) ? date.format(at) : '–'),
    duration: (milliseconds: number) => {
      // Larger values would round up to 60 seconds.
      const [h, min, s, d] = region === 'zh-CN' ? ['小时', '分', '秒', '天'] : ['h', 'min', 's', 'd']
      if (milliseconds < 59_950) return `${one.format(milliseconds / 1000)} ${s}`
      const seconds = Math.round(milliseconds / 1000)
      if (seconds < 3600) return `${Math.floor(seconds / 60)} ${min} ${seconds % 60} ${s}`
      const hours = Math.floor(seconds / 3600)
      if (hours >= 48) return `${whole.format(Math.floor(hours / 24))} ${d} ${hours % 24} ${h}`
      return `${hours} ${h} ${Math.floor((seconds % 3600) / 60)} ${min}`
    },
  }
}
