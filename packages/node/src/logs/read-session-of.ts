import type { Message } from '@plimsoll/core'
import { titleOf } from '../session/title.ts'
import type { ReadSession, ReportedUsage } from './log-reader.ts'

/** What is known of a conversation, as far as a log says it. */
export interface KnownSession {
  readonly id?: string | null
  readonly title?: string | null
  readonly root?: string | null
  readonly model?: string | null
  readonly messages: readonly Message[]
  readonly usages?: readonly ReportedUsage[]
  readonly sidechains?: number
  readonly abandoned?: number
  readonly keptFrom?: ReadonlyMap<string, string>
}

/**
 * A session of what a log says; what it does not say is left out, told from the messages, or none. So is what it says of messages that
 * are not there: they may stand on another branch, or have gone into others.
 */
export function readSessionOf(known: KnownSession): ReadSession {
  const { id = null, title = null, root = null, model = null, messages, usages = [], keptFrom } = known
  const ids = new Set(messages.map((message) => message.id))
  const kept = new Map([...(keptFrom ?? [])].filter(([summary, first]) => ids.has(summary) && ids.has(first)))
  return {
    id,
    title: title ?? titleOf(messages),
    ...(root === null ? {} : { root }),
    ...(model === null ? {} : { model }),
    messages,
    usages: usages.filter(({ after }) => ids.has(after)),
    compactions: messages.filter(({ summary }) => summary === true).length,
    sidechains: known.sidechains ?? 0,
    abandoned: known.abandoned ?? 0,
    ...(kept.size === 0 ? {} : { keptFrom: kept }),
  }
}
