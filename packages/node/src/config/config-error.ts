import type { Config } from '@plimsoll/core/policies'
import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import { redactSecrets } from '../shared/redact/redact.ts'

/** One thing wrong with the configuration. */
export interface ConfigProblem {
  /** `file:line:column`, a variable, or a flag. */
  readonly where: string
  /** The key, such as `compaction.threshold`; empty when the whole file is meant. */
  readonly key: string
  /** What was expected and what came. */
  readonly message: string
}

/** More problems come from one mistake, or from malice. */
const maxLines = 20

/**
 * A configuration that cannot be used. The message has one line for each of the first problems, so that they can be corrected at
 * once, and is safe to print whatever the file holds.
 */
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

/** A problem as one line: where, key, message. Control characters are shown as escapes. */
export function problemLine({ where, key, message }: ConfigProblem): string {
  return escapeUnprintable([where, ...(key === '' ? [] : [cut(key, 120)]), cut(message, 600)].join(': '))
}

/** A value as the end of a sentence that begins with "got". */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? JSON.stringify(value) : typeof value
  return text.length > 60 ? `${text.slice(0, 56)}..."` : text
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}...` : text
}

/** The settings with everything that may be a secret as these words: variables and headers for servers, passwords in addresses, keys. */
export function withoutSecrets(config: Config, hidden: string): Readonly<Record<string, unknown>> {
  return cleaned(config, hidden, false) as Readonly<Record<string, unknown>>
}

function cleaned(value: unknown, hidden: string, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, hidden, isSecret))
  if (isRecord(value)) {
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
