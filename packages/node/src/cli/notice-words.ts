import { type NoticeCode, noticeText } from '@plimsoll/core'

/** What a notice says in a person's language; one with a code from elsewhere says it in its own words. */
export function noticeWords(code: string, message: string, locale: string | null): string {
  const known: unknown = noticeText(code as NoticeCode, locale)
  return typeof known === 'string' ? known : message
}
