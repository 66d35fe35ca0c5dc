/** One thing wrong with the configuration. */
export interface ConfigProblem {
  /** Where it stands: `file:line:column`, a variable, or a flag. */
  readonly where: string
  /** The key, such as `compaction.threshold`; empty when the whole file is meant. */
  readonly key: string
  /** What was expected and what came. */
  readonly message: string
}

/** A configuration that cannot be used. The message has one line for every problem, so that all can be mended at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(problemLine).join('\n'))
    this.problems = problems
  }
}

/** A problem as one line: where, key, message. */
export function problemLine({ where, key, message }: ConfigProblem): string {
  return [where, ...(key === '' ? [] : [key]), message].join(': ')
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
