import { type Notification, noticeText } from '@plimsoll/core'
import type { Language } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** What a notice says in the page's language; one with a code from elsewhere says it in its own words. */
export function noticeWords({ code, message }: Notification, { locale }: Language): string {
  const known: unknown = noticeText(code, locale)
  return typeof known === 'string' ? known : visibleLine(message, 500)
}
