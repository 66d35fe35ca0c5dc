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

/** What has to survive the folding of a segment, as the messages themselves show it. Oldest first throughout. */
export interface SegmentFacts {
  readonly start: string
  readonly cutoff: string
  /** What the user wanted at first: as the first summary has it, else the first request here; empty where there is none. */
  readonly goal: string
  readonly instructions: readonly Instruction[]
  /** For each round what was asked, and the last that was answered; empty where nothing was. */
  readonly milestones: readonly { readonly asked: string; readonly answered: string; readonly calls: number }[]
  readonly decisions: readonly string[]
  readonly learnings: readonly string[]
  readonly preferences: readonly string[]
  readonly files: readonly FileChange[]
  readonly errors: readonly UnresolvedError[]
  /** Paths and identifiers from here that the kept messages still mention, the most mentioned first. */
  readonly names: readonly string[]
  readonly stack: readonly string[]
  readonly environment: readonly string[]
  readonly handle: string
}

/** What a user wrote in one message. */
export interface Instruction {
  readonly texts: readonly string[]
  readonly attached: readonly string[]
  /** Set for the request that the whole conversation began with. */
  readonly isGoal?: true
}

/** Reads what must survive from the messages of a segment, by code alone. Remembered for the segment. */
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
    // What a conversation is about was said at its beginning, which an earlier summary stands for.
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

/** The first request on which anything was done: what comes before it are slips, and words between a user and the program. */
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
    // The rest of a round whose beginning stands elsewhere.
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

/** The shell blocks in the text of an agent without tool calls. With a single call, such text is only talk. */
function commandsInText(messages: readonly Message[]): readonly string[] {
  if (messages.some(({ parts }) => parts.some((part) => part.type === 'tool-call'))) return []
  return messages.flatMap(({ role, parts }) =>
    role === 'assistant' ? parts.flatMap((part) => (part.type === 'text' ? fencedCommands(part.text) : [])) : [],
  )
}

function fencedCommands(text: string): readonly string[] {
  return [...text.matchAll(shellBlock)].map(([, body = '']) => withoutLastNewline(body))
}

const shellBlock = /^```\w{0,30}(?:bash|shell|sh|zsh|console)\w{0,30}[^\S\n]*\n((?:(?!```)[^\n]*\n)*)```/gm

/** The sentences of a text in order; code blocks, tables, questions and what is too short or too long to be one are left out. */
export function sentencesOf(text: string): readonly string[] {
  const kept = { end: longestText / 2, start: text.length - longestText / 2 }
  const near = text.length > longestText ? cutText(text, kept, () => '\n') : text
  const sentences: string[] = []
  let inCode = false
  for (const line of near.split('\n')) {
    if (/^\s{0,9}(?:```|~~~)/.test(line)) inCode = !inCode
    else if (!inCode && !/^\s{0,9}\|/.test(line)) {
      for (const piece of line.split(ends)) {
        const bare = piece.replace(listMark, '').trim()
        // Half of what makes words bold is of no use.
        const sentence = bare.split('**').length % 2 === 0 ? bare.replace('**', '') : bare
        // What ends in a colon announces what follows and says nothing by itself.
        if (sentence.length >= shortest && sentence.length <= longest && !/[?？:：]$/.test(sentence)) sentences.push(sentence)
      }
    }
  }
  return sentences
}

function isOfKind(sentence: string, kind: keyof typeof patterns): boolean {
  if (!patterns[kind].test(sentence)) return false
  // A wish may be two words long; less than five tell of no decision and no cause, and neither do headings and next steps.
  const isLong =
    sentence.split(/\s+/, 5).length === 5 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{4}/u.test(sentence)
  return kind === 'preference' || (isLong && !nextStep.test(sentence) && !/^\*\*[^*]{1,400}\*\*$/.test(sentence))
}

const listMark = /^(?:\s{1,20}|>|#{1,6}\s|[*\-•+]\s|\d{1,3}[.)]\s|\[[ xX✓]\]\s){1,6}/
const nextStep = /^(?:(?:now|next|first|then|so|ok|okay|good|great|perfect|also)[,.!]?\s){0,3}let(?: me|'s|’s)\b/i

const longestText = 40_000
const shortest = 5
const longest = 400
// Behind the mark, so that it stays with its sentence.
const ends = /(?<=[.!?])\s+|(?<=[。！？；])/

const patterns = {
  decision:
    /\b(?:decided?|decision|chose|chosen|choosing|opt(?:ed)? for|settled on|agreed|go(?:ing)? with|went with|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|(?:we|i)(?:'ll| will) (?:use|keep|drop|avoid)|instead of|rather than|abandon(?:ed)?|ruled out|rejected|no longer|replaced? .{1,60} with)\b|决定|选择|选用|采用|改用|放弃|不再使用|约定|方案定为/i,
  learning:
    /\b(?:turns? out|root cause|caused by|the (?:problem|issue|bug|reason|cause) (?:is|was)|because of|found that|discovered|note that|beware|gotcha|caveat|requires?|only works|must be set|expects?)\b|原因是|根因|发现|注意|需要设置|坑/i,
  preference:
    /\b(?:always|never|prefer(?:s|red|ably)?|please (?:do|don't|use|keep|avoid)|(?<!\b(?:i|we|you|they|it|these|those) )(?:do not|don't)|must(?: not)?|make sure|from now on|only use|i (?:like|want|hate|dislike))\b|总是|一律|始终|不要|不准|必须|务必|请用|请勿|优先|习惯|喜欢|以后/i,
}

/** A time as people write it, such as `2026-01-31 12:00 UTC`; `unknown` where there is none. */
export function utcTime(milliseconds: number | undefined): string {
  // The range of times that have a date at all, in every language that has dates.
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
