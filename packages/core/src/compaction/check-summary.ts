import type { Facts } from '../facts.ts'
import { pathKey } from '../paths.ts'
import { transcriptOf } from '../recall/transcript.ts'
import { countMessages, estimator } from '../tokens.ts'
import type { FileChange } from './command-changes.ts'
import { createCoverage } from './coverage.ts'
import { factsOfSegment, type SegmentFacts } from './facts-of-segment.ts'
import { type ParsedSummary, parseSummary } from './parse-summary.ts'
import { oneLine } from './quote.ts'
import type { Segment } from './segment.ts'
import { renderSummary } from './summary-template.ts'
import { instructionsOf, openEnds } from './write-summary.ts'

/** A summary that may be used, or why it may not. */
export type CheckedSummary =
  | { readonly accepted: string }
  | { readonly rejected: 'empty' | 'longer' | 'error-text' | 'no-template' }

/**
 * Checks by code what somebody wrote as the summary of a segment. An empty text, an error page, one without the template or one
 * not shorter than its source is rejected. Any other is put into the template byte for byte, and what it leaves out is added:
 * files changed, decisions, errors not yet resolved, names the kept messages mention, and always the user's own words and the
 * handle of the originals, which are never taken from the writer.
 */
export function acceptSummary(text: string, segment: Segment, facts: Facts): CheckedSummary {
  if (text.trim() === '') return { rejected: 'empty' }
  const parsed = parseSummary(text)
  if (parsed.sections < leastSections && looksLikeError(text)) return { rejected: 'error-text' }
  const tokenizer = facts.tokens ?? estimator
  const source = countMessages(segment.messages, tokenizer)
  if (tokenizer.count(text) >= source) return { rejected: 'longer' }
  if (parsed.sections < leastSections) return { rejected: 'no-template' }

  const read = factsOfSegment(segment, facts)
  // Of a small segment less is quoted, so that the repaired summary is still the smaller one.
  for (const share of [0.5, 0.2, 0.05]) {
    const accepted = repaired(text, parsed, read, segment, facts, instructionsOf(read, facts, source, share))
    if (tokenizer.count(accepted) < source) return { accepted }
  }
  return { rejected: 'longer' }
}

const leastSections = 3
const mostStatements = 15

function repaired(
  text: string,
  parsed: ParsedSummary,
  read: SegmentFacts,
  segment: Segment,
  facts: Facts,
  instructions: string,
): string {
  const said = createCoverage(text)
  const known = createKnown(segment)
  const clean = (items: readonly string[]) => items.map((item) => withoutForgedHandles(item, known)).filter((item) => item !== '')
  const missing = (items: readonly string[]) => items.slice(-mostStatements).filter((item) => !said.covers(item))
  const unnamed = read.names.slice(0, 30).filter((name) => !text.includes(name))
  const goal = clean(parsed.goal)
  return renderSummary({
    start: read.start,
    cutoff: read.cutoff,
    goal: goal.length > 0 ? goal.join(' ') : oneLine(read.goal, 400),
    stack: either(clean(parsed.stack), read.stack),
    environment: either(clean(parsed.environment), read.environment),
    milestones: clean(parsed.milestones),
    decisions: [...clean(parsed.decisions), ...missing(read.decisions)],
    learnings: [
      ...clean(parsed.learnings),
      ...openEnds({ errors: read.errors.slice(-10).filter(({ line }) => !said.covers(line)), names: unnamed }),
    ],
    preferences: either(clean(parsed.preferences), read.preferences.slice(-5)),
    files: mergedFiles(parsed.files, read.files, facts, known),
    instructions,
    folded: segment.messages.length,
    handle: read.handle,
  })
}

function either(written: readonly string[], read: readonly string[]): readonly string[] {
  return written.length > 0 ? written : read
}

/** Every file that the messages show, in the writer's words where it has some; of the others only what the messages mention. */
function mergedFiles(
  written: readonly FileChange[],
  read: readonly FileChange[],
  facts: Facts,
  known: (text: string) => boolean,
): readonly FileChange[] {
  const key = (path: string) => pathKey(path, facts.root, facts.platform)
  const told = new Map(written.map(({ path, change }) => [key(path), change]))
  const changed = new Set(read.map(({ path }) => key(path)))
  return [
    ...read.map(({ path, change }) => ({ path, change: told.get(key(path)) ?? change })),
    ...written.filter(({ path }) => !changed.has(key(path)) && known(path)),
  ]
}

/** Tells whether the folded messages contain a text at all. */
function createKnown(segment: Segment): (text: string) => boolean {
  let transcript: string | null = null
  return (text) => {
    transcript ??= transcriptOf(segment.messages)
    return transcript.includes(text)
  }
}

/** A handle that names nothing would send the reader after something that is not there. */
function withoutForgedHandles(item: string, known: (text: string) => boolean): string {
  if (!item.includes('recall')) return item
  return item
    .replaceAll(/\[\d{1,9} messages? folded; recall [^\]]{0,60}\]/g, '')
    .replaceAll(/\[?\brecall ([0-9a-f]{6,64})\b\]?/g, (all, handle: string) => (known(handle) ? all : ''))
    .trim()
}

/** Pages, error objects, refusals: what relays and servers answer in place of a model. */
function looksLikeError(text: string): boolean {
  const said = text.trim()
  if (/^<(?:!doctype|html|\?xml|error|head|body)\b/i.test(said)) return true
  if (said.startsWith('{')) return /^\{[^]{0,200}?"(?:error|errors|code|detail|message|status)"\s?:/i.test(said)
  return said.length < 4000 && refusal.test(said)
}

const refusal =
  /^(?:(?:\w{1,40})?(?:error|exception)\b|fatal|traceback|(?:http )?[45]\d\d\b|(?:bad|gateway|upstream|service|internal|too many|rate limit|request|connection|context length)\b.{0,60}(?:error|failed|fail|unavailable|timed? ?out|exceeded|requests|refused|reset|gateway)|i(?:'m| am)? ?(?:sorry|unable)|sorry|i (?:can(?:no|')t|won't|must decline)|as an ai|unable to|抱歉|对不起|无法|请求失败|错误)/i
