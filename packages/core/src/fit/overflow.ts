import { configOf, type Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import type { HeavyPart, Load, Overflow } from '../report.ts'
import type { HeavyReason } from '../strings/english.ts'
import { overflowStringsFor } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { budgetOf, countBytes, countImages, excessOf } from './request-size.ts'

/** What is over the line in a view with this load, and what is in the way; null when it fits. */
export function overflowOf(view: readonly Message[], load: Load, facts: Facts): Overflow | null {
  const budget = budgetOf(facts)
  const size = { tokens: load.tokens, bytes: countBytes(view, budget), images: countImages(view) }
  if (excessOf(size, budget).length === 0) return null
  return {
    tokens: size.tokens,
    limit: budget.tokens,
    bytes: size.bytes,
    maxBytes: finite(budget.bytes),
    images: size.images,
    maxImages: finite(budget.images),
    parts: heaviest(view, facts),
  }
}

const shownParts = 5

function heaviest(view: readonly Message[], facts: Facts): readonly HeavyPart[] {
  const tokenizer = facts.tokens ?? estimator
  const { why } = overflowStringsFor(configOf(facts).locale)
  const parts: HeavyPart[] = view.flatMap((message) =>
    message.parts.map((part, index) => ({
      message: message.id,
      part: index,
      tool: part.type === 'tool-call' || part.type === 'tool-result' ? part.tool : null,
      role: message.role,
      tokens: countPart(part, tokenizer),
      why: why[reasonOf(message, part)],
    })),
  )
  const overhead = facts.overhead ?? 0
  if (overhead > 0) parts.push({ message: null, part: 0, tool: null, role: 'system', tokens: overhead, why: why.overhead })
  // The sort keeps the order of the view where sizes are equal.
  return parts.sort((a, b) => b.tokens - a.tokens).slice(0, shownParts)
}

function reasonOf({ role, summary }: Message, part: Part): HeavyReason {
  if (summary === true) return 'summary'
  if (part.type === 'text') return role === 'tool' ? 'result' : role
  return part.type === 'tool-call' ? 'call' : part.type === 'tool-result' ? 'result' : part.type
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null
}

/** An overflow as sentences: what is over the line, what to do about it, and the parts that are in the way. In Chinese for `zh…`, else in English. */
export function describeOverflow(
  { tokens, limit, bytes, maxBytes, images, maxImages, parts }: Overflow,
  locale: string | null,
): { readonly sentences: readonly string[]; readonly parts: readonly string[] } {
  const strings = overflowStringsFor(locale)
  return {
    sentences: [
      ...(tokens > limit ? [strings.tokens(grouped(tokens), grouped(limit))] : []),
      ...(maxBytes !== null && bytes > maxBytes ? [strings.bytes(grouped(bytes), grouped(maxBytes))] : []),
      ...(maxImages !== null && images > maxImages ? [strings.images(grouped(images), grouped(maxImages))] : []),
      strings.whatToDo,
    ],
    parts: parts.map((part) => strings.part(grouped(part.tokens), part.message, part.why)),
  }
}
