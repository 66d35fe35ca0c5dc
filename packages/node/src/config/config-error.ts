import type { Config } from '@plimsoll/core/policies'
import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import { redactSecrets } from '../shared/redact/redact.ts'

export interface ConfigProblem {
  /** `file:line:column`, a variable, or a flag. */
  readonly where: string
  /** Such as `compaction.threshold`; empty if the complete file is meant. */
  readonly key: string
  readonly message: string
}

const maxLines = 20

/** The message has one line for each of the first problems, and is safe to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    const more = problems.length - maxLines
    const lines = problems.slice(0, maxLines).map(problemLine)
    super([...lines, ...(more > 0 ? [`and ${more} more problem${more === 1 ? '' : 's'}`] : [])].join('\n'))
    this.problems = problems
  }
}

export function problemLine({ where, key, message }: ConfigProblem): string {
  // A flag such as `--timing` is named after its key.
  const place = key === '' || where === `--${key}` ? [where] : [where, cut(redactSecrets(key), 120)]
  return escapeUnprintable([...place, cut(redactSecrets(message), 600)].join(': '))
}

export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? JSON.stringify(redactSecrets(value)) : typeof value
  return text.length > 60 ? `${text.slice(0, 56)}..."` : text
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}...` : text
}

/** Replaces everything that may be secret: variables and headers for servers, passwords in addresses, keys. */
export function withoutSecrets(config: Config, hidden: string): Readonly<Record<string, unknown>> {
  return cleaned(config, hidden, false) as Readonly<Record<string, unknown>>
}

function cleaned(value: unknown, hidden: string, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, hidden, isSecret))
  if (isRecord(value)) {
    const isInner = (key: string) => isSecret || key === 'env' || key === 'headers'
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner, hidden, isInner(key))]))
  }
  if (typeof value !== 'string' || value === '') return value
  return isSecret ? hidden : redactSecrets(withoutPassword(value, hidden))
}

/** Keeps only the place of an address with a user, a password or a query. */
function withoutPassword(text: string, hidden: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return text
  const { username, password, search, protocol, host, pathname } = new URL(text)
  if (username === '' && password === '' && search === '') return text
  const user = username === '' && password === '' ? '' : `${hidden}@`
  return `${protocol}//${user}${host}${pathname}${search === '' ? '' : `?${hidden}`}`
}
