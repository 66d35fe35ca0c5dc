import { completeConfig } from '../config.ts'
import { cutText } from '../cut/cut-text.ts'
import { perItem } from '../derive.ts'
import type { Facts } from '../facts.ts'
import { type Message, messageText } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { withoutLastNewline } from '../text/lines.ts'
import { changedFiles, type FileChange } from './changed-files.ts'
import { parseSummary } from './parse-summary.ts'
import { spokenText } from './quote-instructions.ts'
import { roundsOf, type Segment } from './rounds.ts'
import { sharedNames } from './shared-names.ts'
import { stackAndEnvironment, type UnresolvedError, unresolvedErrors } from './unresolved-errors.ts'

/** Facts that must survive the folding of a segment. Oldest first throughout. */
export interface SegmentFacts {
  readonly start: string
  readonly cutoff: string
  /** The goal in the first summary, else the first request; empty if there is none. */
  readonly goal: string
  readonly instructions: readonly Instruction[]
  /** Per round the request and the last answer; empty if there was none. */
  readonly milestones: readonly { readonly asked: string; readonly answered: string; readonly calls: number }[]
  readonly decisions: readonly string[]
  readonly learnings: readonly string[]
  readonly preferences: readonly string[]
  readonly files: readonly FileChange[]
  readonly errors: readonly UnresolvedError[]
  /** Paths and identifiers that the kept messages still mention, most mentioned first. */
  readonly names: readonly string[]
  readonly stack: readonly string[]
  readonly environment: readonly string[]
  readonly handle: string
}

export interface Instruction {
  readonly texts: readonly string[]
  readonly attached: readonly string[]
  readonly isGoal?: true
}

/** Extracts facts from the messages of a segment without a model. Cached per segment. */
export function factsOfSegment(segment: Segment, { root, platform, tools, config }: Facts): SegmentFacts {
  return readFacts(root, platform, tools, completeConfig(config).outdated_commands.stderr_is_error)(segment)
}

const readFacts = perItem(
  (
    segment: Segment,
    root: string | undefined,
    platform: string | undefined,
    tools: Facts['tools'],
    stderr_is_error: boolean,
  ): SegmentFacts => {
    const facts: Facts = {
      ...(root === undefined ? {} : { root }),
      ...(platform === undefined ? {} : { platform }),
      ...(tools === undefined ? {} : { tools }),
      config: { outdated_commands: { stderr_is_error } },
    }
    const results = toolResults(segment.messages, facts)
    const later = toolResults(segment.kept, { ...facts })
    const times = segment.messages.flatMap(({ at }) => (typeof at === 'number' ? [at] : []))
    // The first summary, if any, covers the start of the conversation.
    const earlier = segment.summaries[0]
    const goal = earlier === undefined ? '' : parseSummary(messageText(earlier)).goal.join(' ')
    const opening = goal === '' ? openingRequest(segment.messages) : undefined
    const users = segment.messages.filter(({ role }) => role === 'user')
    const files = changedFiles(results, commandsInText(segment.messages), facts)
    const listed = new Set(files.map(({ path }) => path))
    return {
      start: utcTime(times[0]),
      cutoff: utcTime(times.at(-1)),
      goal: opening === undefined ? goal : askedIn(opening),
      instructions: users.map((user) => (user === opening ? { ...instructionOf(user), isGoal: true } : instructionOf(user))),
      milestones: milestonesOf(segment.messages),
      ...statementsOf(segment.messages),
      files,
      errors: unresolvedErrors(results, later, facts),
      names: sharedNames(segment.messages, segment.kept, maxNames).filter((name) => !listed.has(name)),
      ...stackAndEnvironment(results, facts),
      handle: transcriptHandle(segment.messages),
    }
  },
)

const maxNames = 60

/** The first request that was acted on; earlier ones are slips or messages to the program. */
function openingRequest(messages: readonly Message[]): Message | undefined {
  const rounds = roundsOf(messages)
  const worked = rounds.find(({ first, last }) => {
    const { answered, calls } = answerIn(messages, first, last)
    return answered !== '' || calls > 0
  })
  return messages[(worked ?? rounds[0])?.first ?? messages.length]
}

function instructionOf({ parts }: Message): Instruction {
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    attached: parts.flatMap((part) => (part.type === 'media' ? [part.mediaType] : [])),
  }
}

function milestonesOf(messages: readonly Message[]): SegmentFacts['milestones'] {
  const rounds = roundsOf(messages)
  const before = (rounds[0]?.first ?? messages.length) - 1
  return [
    // The rest of a round that starts elsewhere.
    ...(before < 0 ? [] : [{ asked: 'an earlier request', ...answerIn(messages, 0, before) }]),
    ...rounds.map(({ first, last }) => ({ asked: askedIn(messages[first] as Message), ...answerIn(messages, first, last) })),
  ]
}

function askedIn(message: Message): string {
  const { spoken, wrapped } = spokenText(messageText(message))
  return [spoken, wrapped].filter((text) => text !== '').join('\n')
}

function answerIn(messages: readonly Message[], first: number, last: number) {
  const said = messages.slice(first, last + 1).filter(({ role }) => role === 'assistant')
  return {
    answered: said.map(messageText).findLast((text) => text.trim() !== '') ?? '',
    calls: said.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call')).length,
  }
}

function statementsOf(messages: readonly Message[]): Pick<SegmentFacts, 'decisions' | 'learnings' | 'preferences'> {
  const [decisions, learnings, preferences] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'user') continue
    const text = messageText(message)
    for (const sentence of sentencesOf(message.role === 'user' ? spokenText(text).spoken : text)) {
      if (message.role === 'user' && isOfKind(sentence, 'preference')) preferences.add(sentence)
      else if (isOfKind(sentence, 'decision')) decisions.add(sentence)
      else if (message.role === 'assistant' && isOfKind(sentence, 'learning')) learnings.add(sentence)
    }
  }
  return { decisions: [...decisions], learnings: [...learnings], preferences: [...preferences] }
}

/** Shell blocks in the text of an agent without tool calls. With any tool call, such text is only talk. */
function commandsInText(messages: readonly Message[]): readonly string[] {
  if (messages.some(({ parts }) => parts.some((part) => part.type === 'tool-call'))) return []
  return messages.flatMap(({ role, parts }) =>
    role === 'assistant' ? parts.flatMap((part) => (part.type === 'text' ? fencedCommands(part.text) : [])) : [],
  )
}

function fencedCommands(text: string): readonly string[] {
  return [...text.matchAll(shellBlock)].map(([, body = '']) => withoutLastNewline(body))
}

const shellBlock = /^```\w{0,30}(?:bash|shell|sh|zsh|console)\w{0,30}[^\S\n]{0,20}\n((?:(?!```)[^\n]{0,5000}\n){0,2000})```/gm

/** The sentences of a text, without code blocks, tables, questions and ones that are too short or too long. */
export function sentencesOf(text: string): readonly string[] {
  const kept = { end: maxTextLength / 2, start: text.length - maxTextLength / 2 }
  const near = text.length > maxTextLength ? cutText(text, kept, () => '\n') : text
  const sentences: string[] = []
  let inCode = false
  for (const line of near.split('\n')) {
    if (/^\s{0,9}(?:```|~~~)/.test(line)) inCode = !inCode
    else if (!inCode && !/^\s{0,9}\|/.test(line)) {
      for (const piece of line.split(ends)) {
        const bare = piece.replace(listMark, '').trim()
        // Drop an unpaired bold marker.
        const sentence = bare.split('**').length % 2 === 0 ? bare.replace('**', '') : bare
        // A sentence that ends in a colon only announces the next one.
        if (sentence.length >= minSentence && sentence.length <= maxSentence && !/[?？:：]$/.test(sentence))
          sentences.push(sentence)
      }
    }
  }
  return sentences
}

function isOfKind(sentence: string, kind: keyof typeof patterns): boolean {
  if (!patterns[kind].test(sentence)) return false
  // A preference may be two words long; a decision or cause has at least five, and is not a heading or a next step.
  const isLong =
    sentence.split(/\s+/, 5).length === 5 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(sentence)
  return kind === 'preference' || (isLong && !nextStep.test(sentence) && !/^\*\*[^*]{1,400}\*\*$/.test(sentence))
}

const listMark = /^(?:\s{1,20}|>|#{1,6}\s|[*\-•+]\s|\d{1,3}[.)]\s|\[[ xX✓]\]\s){1,6}/
const nextStep = /^(?:(?:now|next|first|then|so|ok|okay|good|great|perfect|also)[,.!]?\s){0,3}let(?: me|'s|’s)\b/i

const maxTextLength = 40_000
const minSentence = 5
const maxSentence = 400
// Splits after the mark, so that it stays with its sentence.
const ends = /(?<=[.!?])\s+|(?<=[。！？；])/

const patterns = {
  decision:
    /\b(?:decided?|decision|chose|chosen|choosing|opt(?:ed)? for|settled on|agreed|go(?:ing)? with|went with|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|(?:we|i)(?:'ll| will) (?:use|keep|drop|avoid)|instead of|rather than|abandon(?:ed)?|ruled out|rejected|no longer|replaced? .{1,60} with)\b|决定|选择|选用|采用|改用|放弃|不再使用|约定|方案定为/i,
  learning:
    /\b(?:turns? out|root cause|caused by|the (?:problem|issue|bug|reason|cause) (?:is|was)|because of|found that|discovered|note that|beware|gotcha|caveat|requires?|only works|must be set|expects?)\b|原因是|根因|发现|注意|需要设置|坑/i,
  preference:
    /\b(?:always|never|prefer(?:s|red|ably)?|please (?:do|don't|use|keep|avoid)|(?<!\b(?:i|we|you|they|it|these|those) )(?:do not|don't)|must(?: not)?|make sure|from now on|only use|i (?:like|want|hate|dislike))\b|总是|一律|始终|不要|不准|必须|务必|请用|请勿|优先|习惯|喜欢|以后/i,
}

/** Formats as `2026-01-31 12:00 UTC`, or `unknown`. */
export function utcTime(milliseconds: number | undefined): string {
  if (typeof milliseconds !== 'number' || !(Math.abs(milliseconds) <= 8.64e15)) return 'unknown'
  const minutes = Math.floor(milliseconds / 60_000)
  const days = Math.floor(minutes / 1440)
  const minute = minutes - days * 1440
  return `${dateOf(days)} ${two(Math.floor(minute / 60))}:${two(minute % 60)} UTC`
}

function dateOf(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const day = shifted - era * 146_097
  const year = Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365)
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  const civilMonth = month < 10 ? month + 3 : month - 9
  const civilYear = year + era * 400 + (civilMonth <= 2 ? 1 : 0)
  return `${civilYear < 0 ? '-' : ''}${String(Math.abs(civilYear)).padStart(4, '0')}-${two(civilMonth)}-${two(dayOfMonth)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
