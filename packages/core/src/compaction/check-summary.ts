import type { Facts } from '../facts.ts'
import { transcriptOf } from '../results/transcript.ts'
import { oneLine } from '../text/labels.ts'
import { pairsOf } from '../text/lines.ts'
import { pathKey } from '../text/paths.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import type { FileChange } from './changed-files.ts'
import { factsOfSegment, type SegmentFacts } from './facts-of-segment.ts'
import { type ParsedSummary, parseSummary } from './parse-summary.ts'
import type { Segment } from './rounds.ts'
import { renderSummary, type SummaryContent } from './summary-template.ts'
import { instructionsOf, openEnds } from './write-summary.ts'

export type CheckedSummary =
  | { readonly accepted: string }
  | { readonly rejected: 'empty' | 'longer' | 'error-text' | 'no-template' }

/** Fits a written summary into the template and adds missing facts. Never trusts its user quotes and handles. */
export function acceptSummary(text: string, segment: Segment, facts: Facts): CheckedSummary {
  if (text.trim() === '') return { rejected: 'empty' }
  const parsed = parseSummary(text)
  if (parsed.sections < minSections && looksLikeError(text)) return { rejected: 'error-text' }
  const tokenizer = facts.tokens ?? estimator
  const source = countMessages(segment.messages, tokenizer)
  if (tokenizer.count(text) >= source) return { rejected: 'longer' }
  if (parsed.sections < minSections) return { rejected: 'no-template' }

  const read = factsOfSegment(segment, facts)
  // A small segment gets shorter quotes, so that the repaired summary is still smaller.
  for (const share of [0.5, 0.2, 0.05]) {
    const accepted = repaired(parsed, read, segment, facts, instructionsOf(read, facts, source, share))
    if (tokenizer.count(accepted) < source) return { accepted }
  }
  return { rejected: 'longer' }
}

const minSections = 3
const maxStatements = 15
const maxErrors = 10
const maxNames = 30
const maxTries = 1000

function repaired(parsed: ParsedSummary, read: SegmentFacts, segment: Segment, facts: Facts, instructions: string): string {
  const known = createKnown(segment, read.handle)
  const clean = (items: readonly string[]) => distinct(items.map((item) => withoutForgedHandles(item, known)))
  const goal = clean(parsed.goal)
  const written: SummaryContent = {
    ...read,
    goal: goal.length > 0 ? goal.join(' ') : oneLine(read.goal, 400),
    stack: either(clean(parsed.stack), read.stack),
    environment: either(clean(parsed.environment), read.environment),
    milestones: clean(parsed.milestones),
    decisions: clean(parsed.decisions),
    learnings: clean(parsed.learnings),
    preferences: either(clean(parsed.preferences), read.preferences.slice(-5)),
    files: mergedFiles(parsed.files, read.files, facts, known),
    instructions,
    folded: segment.messages.length,
  }
  // Only text that will be shown counts, not what the writer put in sections that are dropped.
  const shown = renderSummary({ ...written, instructions: '' }, known)
  const isSaid = createCoverage(shown)
  const errors = read.errors.slice(-maxErrors).filter(({ line }) => !isSaid(line))
  const names = read.names.slice(0, maxNames).filter((name) => !shown.includes(name))
  return renderSummary(
    {
      ...written,
      decisions: [...written.decisions, ...read.decisions.slice(-maxStatements).filter((item) => !isSaid(item))],
      learnings: [...written.learnings, ...openEnds({ errors, names })],
    },
    known,
  )
}

function distinct(items: readonly string[]): readonly string[] {
  const seen = new Set([''])
  return items.filter((item) => {
    const key = item.trim().toLowerCase()
    return !seen.has(key) && seen.add(key)
  })
}

function either(written: readonly string[], read: readonly string[]): readonly string[] {
  return written.length > 0 ? written : read
}

function mergedFiles(
  written: readonly FileChange[],
  read: readonly FileChange[],
  facts: Facts,
  known: (text: string) => boolean,
): readonly FileChange[] {
  const key = (path: string) => pathKey(path, facts.root, facts.platform)
  const changed = new Map(read.map(({ path }) => [key(path), path]))
  const described = new Map<string, string>()
  const others = new Map<string, FileChange>()
  for (const { path, change } of written) {
    const said = withoutForgedHandles(change, known)
    // A unique path suffix is enough.
    const ending = [...changed.keys()].filter((full) => full.endsWith(`/${key(path)}`))
    const full = changed.has(key(path)) ? key(path) : ending.length === 1 ? ending[0] : undefined
    if (full !== undefined) described.set(full, said)
    else if (known(path)) others.set(key(path), { path, change: said })
  }
  const changeOf = ({ path, change }: FileChange) => {
    const said = described.get(key(path)) ?? ''
    const fate = /(?:deleted|moved to )[^,]{0,600}$/.exec(change)?.[0]
    if (said === '') return change
    return fate === undefined || /delet|remov|mov|renam|删|移/i.test(said) ? said : `${said} (${fate})`
  }
  return [...read.map((file) => ({ path: file.path, change: changeOf(file) })), ...others.values()]
}

function createKnown(segment: Segment, handle: string): (text: string) => boolean {
  let transcript: string | null = null
  return (text) => {
    if (text === handle) return true
    transcript ??= transcriptOf(segment.messages)
    let at = transcript.indexOf(text)
    for (let tries = 0; at !== -1 && tries < maxTries; tries += 1) {
      if (!/\w/.test(transcript[at - 1] ?? '') && !/\w/.test(transcript[at + text.length] ?? '')) return true
      at = transcript.indexOf(text, at + 1)
    }
    return false
  }
}

/** An unknown handle would send the reader after something that does not exist. */
function withoutForgedHandles(item: string, known: (text: string) => boolean): string {
  if (!/recall/i.test(item)) return item
  return item
    .replaceAll(/\[\d{1,9} [^\]]{0,40}[;,] recall [^\]]{0,60}\]/gi, '')
    .replaceAll(/\[?\brecall[\s:("'`]{1,4}([0-9a-f]{6,64})\b["'`)]{0,3}\]?/gi, (all, handle: string) =>
      known(handle.toLowerCase()) ? all : '',
    )
    .trim()
}

function looksLikeError(text: string): boolean {
  const said = text.trim()
  if (/^<(?:!doctype|html|\?xml|error|head|body)\b/i.test(said)) return true
  if (said.startsWith('{')) return /^\{[^]{0,200}?"(?:error|errors|code|detail|message|status)"\s?:/i.test(said)
  return said.length < 4000 && refusal.test(said)
}

const refusal =
  /^(?:(?:\w{1,40})?(?:error|exception)\b|fatal|traceback|(?:http )?[45]\d\d\b|(?:bad|gateway|upstream|service|internal|too many|rate limit|request|connection|context length)\b.{0,60}(?:error|failed|fail|unavailable|timed? ?out|exceeded|requests|refused|reset|gateway)|i(?:'m| am)? ?(?:sorry|unable)|sorry|i (?:can(?:no|')t|won't|must decline)|as an ai|unable to|抱歉|对不起|无法|请求失败|错误)/i

/** Whether a text contains a sentence, or a line with 70 % of its words and the same negations and preferences. */
function createCoverage(text: string): (sentence: string) => boolean {
  const lines = text.split('\n').map((line) => ({ line, words: new Set(wordsOf(line)), denies: denial.test(line) }))
  return (sentence) => {
    if (text.includes(sentence.trim())) return true
    const words = wordsOf(sentence)
    const denies = denial.test(sentence)
    const preferred = preferredIn(sentence)
    return (
      words.length > 0 &&
      lines.some(
        (each) =>
          words.filter((word) => each.words.has(word)).length >= words.length * 0.7 &&
          each.denies === denies &&
          (preferred === null || standsBefore(each.line, preferred)),
      )
    )
  }
}

function wordsOf(text: string): readonly string[] {
  return (
    text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,40}|[\p{L}\p{N}_]{3,60}/gu) ?? []
  ).flatMap((word) => (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) ? pairsOf(word) : [word]))
}

const denial = /\b(?:not|never|cannot|no longer|without|avoid)\b|n't\b|不|勿|禁止/i

function preferredIn(sentence: string): readonly [string, string] | null {
  const found =
    /([\p{L}\p{N}_]{2,60})[^\p{L}\p{N}_]{1,9}(?:instead of|rather than)[^\p{L}\p{N}_]{1,9}(?:(?:a|an|the)\s)?([\p{L}\p{N}_]{2,60})/iu.exec(
      sentence,
    )
  return found === null ? null : [(found[1] as string).toLowerCase(), (found[2] as string).toLowerCase()]
}

function standsBefore(line: string, [one, other]: readonly [string, string]): boolean {
  const lower = line.toLowerCase()
  const at = lower.indexOf(one)
  return at >= 0 && lower.includes(other, at + one.length)
}
