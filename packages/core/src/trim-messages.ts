import { filterBinary } from './binary/filter-binary.ts'
import type { PartialConfig } from './config.ts'
import { checkNow, UsageError } from './engine/check-use.ts'
import type { LogRecord } from './engine/log-records.ts'
import { viewRequest } from './engine/view-request.ts'
import { pairToolCalls } from './policies/pair-tool-calls.ts'
import { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
import { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
import type { Policy } from './policy.ts'
import type { Report } from './report.ts'
import { describeValue } from './text/json.ts'
import { patchValue } from './text/patch.ts'
import { openaiChat } from './wire/dialects/openai-chat.ts'

export interface TrimOptions {
  /** The current time in milliseconds, by which commands grow old. */
  readonly now: number
  /** The project's folder, to resolve paths. */
  readonly root?: string
  readonly config?: PartialConfig
  /** `win32` or `darwin` if file names ignore case. */
  readonly platform?: string
  /** Receives the specification's log messages. Default: none. */
  readonly log?: (record: LogRecord) => void
}

const trimPolicies: readonly Policy[] = [pairToolCalls, filterBinary, trimOutdatedCommands, trimRepeatedReads]

/**
 * Trims an OpenAI-style list of messages once: pairs calls and results, filters binary data, and replaces outdated commands and
 * repeated reads with one line. Never changes the input; returns the same list if there is nothing to trim.
 *
 * @example const { messages, report } = trimMessages(history, { now: clock() })
 */
export function trimMessages<Item>(
  messages: readonly Item[],
  options: TrimOptions,
): { readonly messages: readonly Item[]; readonly report: Report } {
  return applyPolicies('trimMessages', trimPolicies, messages, options)
}

export function applyPolicies<Item>(
  caller: string,
  policies: readonly Policy[],
  messages: readonly Item[],
  options: TrimOptions,
): { readonly messages: readonly Item[]; readonly report: Report } {
  if (!Array.isArray(messages)) throw new UsageError(`${caller}: expected a list of messages, got ${describeValue(messages)}`)
  checkNow(caller, options)
  const { now, root, config, platform, log } = options
  const facts = {
    now,
    ...(typeof root === 'string' ? { root } : {}),
    ...(config === undefined ? {} : { config }),
    ...(platform === undefined ? {} : { platform }),
  }
  const view = viewRequest(openaiChat, messages, policies, facts)
  if (log !== undefined) for (const record of view.log()) log(record)
  return { messages: patchValue(messages, view.patches) as readonly Item[], report: view.report }
}
