import type { Context } from 'hono'
import { type Strings, stringsFor } from '../strings/strings-for.ts'

/** The language that a request asks for first; where it asks for none, the one of who started the server. */
export function requestStrings(context: Context, strings: Strings): Strings {
  const locale = requestLocale(context)
  return locale === null ? strings : stringsFor(locale)
}

/** The first language of `accept-language`, such as `zh-CN`; null where there is none. */
export function requestLocale(context: Context): string | null {
  const first = context.req.header('accept-language')?.split(',', 1)[0]?.split(';', 1)[0]?.trim() ?? ''
  return first === '' || first === '*' ? null : first
}
