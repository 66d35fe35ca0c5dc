import type { Facts } from '../facts.ts'
import { callInput, resultText } from '../message.ts'
import { countLines } from '../text/code-points.ts'
import { detached } from '../text/detached.ts'
import { handleOf } from '../text/hash.ts'
import { labelText } from '../text/label-text.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { stringsIn } from './derived-texts.ts'
import { originOf, type PlacedPart, placedParts } from './placed-parts.ts'
import { quoted } from './quoted.ts'
import type { RecallAnswer, RecallSource, Span } from './recall.ts'
import { hasRoom, type Room } from './room.ts'
import { type Candidate, createRanking } from './search-ranking.ts'
import { patternOf, termsOf } from './search-terms.ts'
import { windowsOf } from './search-windows.ts'

/**
 * The places of a session's past that say most about a query, best first, as many as there is room for. Goes through the session
 * once and holds on to the best places only.
 */
export function searchSession(query: string, source: RecallSource, facts: Facts, room: Room = {}): RecallAnswer {
  const terms = termsOf(query)
  if (terms.length === 0) {
    return { kind: 'missing', reason: 'no-match', text: 'A query needs at least one word to look for.' }
  }
  const pattern = patternOf(terms)
  const ranking = createRanking(query, terms)
  let order = 0
  for (const placed of placedParts(source.messages(), facts)) {
    for (const text of searchedTexts(placed, source)) {
      order += 1
      ranking.read(text.length)
      // Worked out for the few texts that have a good place.
      let where: Pick<Candidate, 'origin' | 'total'> | null = null
      for (const window of windowsOf(text, terms, pattern)) {
        if (!ranking.isWorthKeeping(window)) continue
        where ??= { origin: originOf(placed, handleOf(text)), total: countLines(text) }
        const { start, end, counts, ...place } = window
        ranking.keep({ ...where, ...place, counts, order, text: detached(text.slice(start, end)) })
      }
    }
  }
  return answerWith(query, ranking.best(mostSpans), facts, room)
}

const mostSpans = 20

/** What people, the model and tools said. What was recalled before would only be found twice. */
function searchedTexts({ message, part, call }: PlacedPart, source: RecallSource): readonly string[] {
  if (message.role === 'system' || message.summary === true || call?.kind === 'recall') return []
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'tool-call':
      return stringsIn(callInput(part)).filter((text) => text.length >= shortestArgument)
    case 'tool-result': {
      const whole = part.blob === undefined ? null : source.whole(part)
      return [resultText(whole !== null && 'part' in whole ? whole.part : part)]
    }
    case 'media':
      return []
  }
}

/** Shorter arguments, such as a path, stand in the head of every place of their result. */
const shortestArgument = 40

function answerWith(query: string, best: readonly Candidate[], facts: Facts, room: Room): RecallAnswer {
  const tokens = facts.tokens ?? estimator
  if (best.length === 0) {
    const text = `Nothing in this session matches ${quoted(query)}. Try other words, or ask by tool and about.`
    return { kind: 'missing', reason: 'no-match', text }
  }
  const spans: Span[] = []
  let written = ''
  for (const candidate of best) {
    const next = `${written}${written === '' ? '' : '\n\n'}${headOf(candidate)}\n${candidate.text.replaceAll(headLine, '\\[')}`
    // A later, shorter place may still have room.
    if (!hasRoom(next, room, tokens)) continue
    written = next
    spans.push(spanOf(candidate))
  }
  if (spans.length > 0) return { kind: 'spans', text: written, spans }
  const text = `There are ${best.length} places for ${quoted(query)} and no room for the first: ${headOf(best[0] as Candidate)}`
  return { kind: 'spans', text, spans: [] }
}

// A text that has such a line could tell of another place.
const headLine = /^\[(?=handle [0-9a-f]{6})/gim

/** How the place can be asked for. */
function headOf({ origin, lines: [first, last], characters, total }: Candidate): string {
  const of = origin.tool === null ? origin.role : `${labelText(origin.tool, 60)}${origin.about === '' ? '' : `: ${origin.about}`}`
  const within = characters === undefined ? '' : `, characters ${characters[0]}-${characters[1]}`
  return `[handle ${origin.handle}; ${of}; lines ${first}-${last} of ${total}${within}]`
}

function spanOf({ origin, lines, characters, text, score }: Candidate): Span {
  return { original: origin, lines, ...(characters === undefined ? {} : { characters }), text, score }
}
