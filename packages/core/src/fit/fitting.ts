import type { ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { lastSeenIndex } from '../results/protect.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { createDraft, type Draft } from './draft.ts'
import { createSources, type Sources } from './sources.ts'

/** A request on its way to fit, and all that the steps of it have to know. */
export interface Fitting {
  readonly draft: Draft
  readonly facts: Facts
  readonly sources: Sources
  readonly reasons: ReasonStrings
  /** How much new summaries may tell. */
  readonly summaries: 'full' | 'short'
  /** The summaries that stood when it began. */
  readonly known: () => ReadonlySet<Message>
}

/** A fitting with nothing done yet. */
export function createFitting(messages: readonly Message[], facts: Facts, summaries: Fitting['summaries']): Fitting {
  return {
    draft: createDraft(messages, facts),
    facts,
    sources: createSources(messages, facts),
    reasons: reasonsOf(facts),
    summaries,
    known: () => new Set(messages.filter(({ summary }) => summary === true)),
  }
}

/** Shows another part in place of one where it stands now; false where that would save nothing. */
export function showInstead({ draft, facts, sources, reasons }: Fitting, index: number, partIndex: number, shown: Part): boolean {
  const message = draft.messages()[index] as Message
  const tokenizer = facts.tokens ?? estimator
  const was = message.parts[partIndex] as Part
  const [before, after] = [was, shown].map((part) => grouped(countPart(part, tokenizer))) as [string, string]
  const { window } = reasons
  const edit: ReplaceEdit = {
    id: editId(message, partIndex, sources),
    policy: fitWindowName,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: shown,
    why:
      was.type === 'tool-call' ? window.call(before, after) : was.type === 'media' ? window.media : window.result(before, after),
  }
  return draft.replace(index, edit)
}

/** The id of an edit of a part: with what tells the original, so that it never stands for another message of the same id. */
export function editId(message: Message, partIndex: number, sources: Sources): string {
  return `${fitWindowName}:${message.id}.${partIndex}:${sources.identity(message, partIndex)}`
}

/** Says which messages the model still waits for, or a user wants whole: they give way last. */
export function createLateness(messages: readonly Message[], facts: Facts): (index: number) => boolean {
  const newest = newestStart(messages)
  const lastSeen = lastSeenIndex(messages, facts)
  const pinned = new Set(facts.pins)
  return (index) => index >= newest || index > lastSeen || pinned.has((messages[index] as Message).id)
}

/** Where the newest run of results or of user messages begins: what the model is about to answer. */
export function newestStart(messages: readonly Message[]): number {
  let start = messages.findLastIndex(isAsked) + 1
  while (start > 0 && isAsked(messages[start - 1] as Message)) start -= 1
  return start
}

function isAsked({ role, summary }: Message): boolean {
  return (role === 'user' || role === 'tool') && summary !== true
}
