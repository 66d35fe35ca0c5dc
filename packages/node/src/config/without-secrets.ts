import { type Config, redactSecrets } from '@plimsoll/core'
import { isMapping } from './mapping.ts'

/** The settings with everything that may be a secret as these words: variables and headers for servers, passwords in addresses, keys. */
export function withoutSecrets(config: Config, hidden: string): Readonly<Record<string, unknown>> {
  return cleaned(config, hidden, false) as Readonly<Record<string, unknown>>
}

function cleaned(value: unknown, hidden: string, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, hidden, isSecret))
  if (isMapping(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, cleaned(inner, hidden, isSecret || key === 'env' || key === 'headers')]),
    )
  }
  if (typeof value !== 'string' || value === '') return value
  if (isSecret) return hidden
  return redactSecrets(withoutPassword(value, hidden))
}

/** Of an address that names a user, a password or anything behind a question mark, only the place is left. */
function withoutPassword(text: string, hidden: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text
  const { username, password, search, protocol, host, pathname } = new URL(text)
  if (username === '' && password === '' && search === '') return text
  const user = username === '' && password === '' ? '' : `${hidden}@`
  return `${protocol}//${user}${host}${pathname}${search === '' ? '' : `?${hidden}`}`
}
