import { isRecord, type Message, type ProviderOptions } from '../message.ts'
import { describeValue } from '../text/describe-value.ts'
import { type DialectName, requestRules, rulesBehind } from './request-rules.ts'
import { uniqueCalls } from './unique-calls.ts'
import { callFinder } from './view-patches.ts'
import { createRunWriter, type RunWriter, sharedRunWriter } from './write-run.ts'

export type { DialectName } from './request-rules.ts'

/** What a request holds besides its messages. */
export interface WriteRequestOptions {
  readonly model: string
  /** The system prompt, before any that the messages begin with. */
  readonly system?: string
  /** Tokens the answer may have, for vendors that want to be told. Default: 8192. */
  readonly maxTokens?: number
  /**
   * Whose rules hold where the dialect is a library's that passes requests on: for the ids of calls, the names of tools, empty texts
   * and where pictures may stand. Default: the dialect's own.
   */
  readonly behind?: DialectName
  /** What a provider is told with a message, by its id, in dialects that have a place for it. Default: nothing. */
  readonly options?: ReadonlyMap<string, ProviderOptions>
  /**
   * Whether messages that were written before may be the very same values again, which takes a fraction of the time. What is written
   * must then not be changed. Default: all of it is the caller's.
   */
  readonly isShared?: boolean
}

/**
 * A complete request of a dialect from messages alone. System messages at the start become the system prompt; later ones and
 * summaries stay in their place, as the system's words where the dialect allows that, else as the user's within
 * `<system-reminder>`. Results that answer one message share one where the dialect wants it so. Expects a legal view.
 */
export function writeRequest(
  name: DialectName,
  messages: readonly Message[],
  { model, system = '', maxTokens = 8192, behind = name, options = new Map(), isShared = false }: WriteRequestOptions,
): Readonly<Record<string, unknown>> {
  for (const dialect of [name, behind]) {
    if (Object.hasOwn(requestRules, dialect)) continue
    throw new Error(`dialect: expected one of ${Object.keys(requestRules).join(', ')}, got ${describeValue(dialect)}`)
  }
  const rules = behind === name ? requestRules[name] : rulesBehind(name, behind)
  const start = messages.findIndex((message) => message.role !== 'system' || message.summary === true)
  const head = messages.slice(0, start < 0 ? messages.length : start)
  const prompts = [system, ...head.map(textOf)].filter((text) => text !== '')
  const writer = isShared ? sharedRunWriter(rules) : createRunWriter(rules)
  const written = writeAll(uniqueCalls(messages.slice(head.length)), writer, rules.takesOptions ? options : new Map())
  return rules.around({ model, system: prompts, messages: written, maxTokens })
}

function writeAll(
  messages: readonly Message[],
  { fit, write }: RunWriter,
  options: ReadonlyMap<string, ProviderOptions>,
): readonly unknown[] {
  const fitted = messages.map(fit)
  const findCall = callFinder(fitted.flat())
  const written: unknown[] = []
  for (let start = 0; start < messages.length; ) {
    let end = start + 1
    if (messages[start]?.role === 'tool') while (messages[end]?.role === 'tool') end += 1
    const run = end === start + 1 ? (fitted[start] ?? []) : fitted.slice(start, end).flat()
    const values = write(run, findCall)
    for (const value of values) written.push(value)
    const last = values.at(-1)
    const told = options.size === 0 ? undefined : optionsIn(run, options)
    if (told !== undefined && isRecord(last)) written[written.length - 1] = { ...last, providerOptions: told }
    start = end
  }
  return written
}

function optionsIn(run: readonly Message[], options: ReadonlyMap<string, ProviderOptions>): ProviderOptions | undefined {
  for (const { id } of run) {
    const told = options.get(id)
    if (told !== undefined) return told
  }
  return undefined
}

function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
