import type { FoldEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf } from '../facts.ts'
import { type Message, messageText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { handleOf } from '../text/hash.ts'
import { runsOf } from '../text/lines.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { foldedHandles } from './summary-template.ts'

const name = 'hide-old-summaries'

/** Replaces the oldest summaries with one line of handles if together they exceed `max_summary_tokens`. */
export const hideOldSummaries: Policy = {
  name,
  plan(messages, facts) {
    const limit = configOf(facts).compaction.max_summary_tokens
    if (limit === null) return []
    const tokenizer = facts.tokens ?? estimator
    const summaries = messages.flatMap((message, index) => (message.summary === true ? [index] : []))
    const tokensOf = (index: number) => countMessage(messages[index] as Message, tokenizer)
    let tokens = summaries.reduce((sum, index) => sum + tokensOf(index), 0)
    // A summary without a handle stays: nothing disappears without a way back.
    const places = summaries.filter((index) => foldedHandles(messageText(messages[index] as Message)).length > 0)
    let hidden = 0
    for (; tokens > limit && hidden < places.length; hidden += 1) tokens -= tokensOf(places[hidden] as number)
    return runsOf(places.slice(0, hidden)).flatMap(([first, last]) => hide(messages.slice(first, last + 1), facts) ?? [])
  },
}

function hide(summaries: readonly Message[], facts: Facts): FoldEdit | null {
  const first = summaries[0] as Message
  const last = summaries.at(-1) as Message
  const handles = summaries.flatMap((summary) => foldedHandles(messageText(summary)))
  const count = summaries.reduce((sum, summary) => sum + Number(hiddenCount.exec(messageText(summary))?.[1] ?? 1), 0)
  const text = `[${count} ${count === 1 ? 'summary' : 'summaries'} hidden; recall ${handles.join(', ')}]`
  const id = handleOf(`${first.id}\n${last.id}\n${text}`)
  const into: Message = { id: `hidden:${id}`, role: 'system', parts: [{ type: 'text', text }], summary: true }
  const tokenizer = facts.tokens ?? estimator
  if (countMessage(into, tokenizer) >= countMessages(summaries, tokenizer)) return null
  const why = reasonsOf(facts).summariesHidden(count)
  return { id: `${name}:${id}`, policy: name, why, kind: 'fold', first: first.id, last: last.id, into }
}

const hiddenCount = /^\[(\d{1,9}) summar(?:y|ies) hidden; /
