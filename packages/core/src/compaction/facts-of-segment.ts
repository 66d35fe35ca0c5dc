import { configOf, type Facts } from '../facts.ts'
import { type Message, messageText } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { changedFiles } from './changed-files.ts'
import { commandsInText } from './commands-in-text.ts'
import type { FileChange } from './file-change.ts'
import { parseSummary } from './parse-summary.ts'
import { roundsOf } from './rounds.ts'
import type { Segment } from './segment.ts'
import { isOfKind, type SentenceKind, sentencesOf } from './sentences.ts'
import { sharedNames } from './shared-names.ts'
import { spokenText } from './spoken-text.ts'
import { stackAndEnvironment } from './stack-and-environment.ts'
import { type UnresolvedError, unresolvedErrors } from './unresolved-errors.ts'
import { utcTime } from './utc-time.ts'

/** What has to survive the folding of a segment, as the messages themselves show it. Oldest first throughout. */
export interface SegmentFacts {
  readonly start: string
  readonly cutoff: string
  /** What the user wanted at first: as the first summary has it, else the first request here; empty where there is none. */
  readonly goal: string
  /** Every message of a user, in its own words. */
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
  /** The handle of the segment's transcript. */
  readonly handle: string
}

/** What a user wrote in one message. */
export interface Instruction {
  readonly texts: readonly string[]
  /** Kinds of what was attached, such as `image/png`. */
  readonly attached: readonly string[]
  /** Set for the request that the whole conversation began with. */
  readonly isGoal?: true
}

/** Reads what must survive from the messages of a segment, by code alone. Remembered for the segment. */
export function factsOfSegment(segment: Segment, facts: Facts): SegmentFacts {
  const known = remembered.get(segment)
  const config = configOf(facts)
  const key = [facts.root, facts.platform, facts.tools, config.outdated_commands.stderr_is_error]
  if (known?.key.every((value, index) => value === key[index]) === true) return known.read
  const read = readFacts(segment, facts)
  remembered.set(segment, { key, read })
  return read
}

const remembered = new WeakMap<Segment, { readonly key: readonly unknown[]; readonly read: SegmentFacts }>()

function readFacts(segment: Segment, given: Facts): SegmentFacts {
  // Facts of its own: what was remembered for the request's list is still wanted after this.
  const facts: Facts = { ...given }
  const results = toolResults(segment.messages, facts)
  const later = toolResults(segment.kept, { ...given })
  const times = segment.messages.flatMap(({ at }) => (typeof at === 'number' ? [at] : []))
  const goal = earlierGoal(segment.summaries)
  const opening = goal === null ? openingRequest(segment.messages) : undefined
  const users = segment.messages.filter(({ role }) => role === 'user')
  const files = changedFiles(results, commandsInText(segment.messages), facts)
  const listed = new Set(files.map(({ path }) => path))
  return {
    start: utcTime(times[0]),
    cutoff: utcTime(times.at(-1)),
    goal: goal ?? (opening === undefined ? '' : askedIn(opening)),
    instructions: users.map((user) => (user === opening ? { ...instructionOf(user), isGoal: true } : instructionOf(user))),
    milestones: milestonesOf(segment.messages),
    ...statementsOf(segment.messages),
    files,
    errors: unresolvedErrors(results, later, facts),
    names: sharedNames(segment.messages, segment.kept, mostNames).filter((name) => !listed.has(name)),
    ...stackAndEnvironment(results, facts),
    handle: transcriptHandle(segment.messages),
  }
}

const mostNames = 60

/** What a conversation is about was said at its beginning, which an earlier summary stands for. */
function earlierGoal([first]: readonly Message[]): string | null {
  const goal = first === undefined ? [] : parseSummary(messageText(first)).goal
  return goal.length === 0 ? null : goal.join(' ')
}

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

/** The person's own words first, then what the program around has added. */
function askedIn(message: Message): string {
  const { spoken, wrapped } = spokenText(messageText(message))
  return [spoken, wrapped].filter((text) => text !== '').join('\n')
}

function answerIn(
  messages: readonly Message[],
  first: number,
  last: number,
): { readonly answered: string; readonly calls: number } {
  let answered = ''
  let calls = 0
  for (let index = first; index <= last; index += 1) {
    const message = messages[index] as Message
    if (message.role !== 'assistant') continue
    const text = messageText(message)
    if (text.trim() !== '') answered = text
    calls += message.parts.filter((part) => part.type === 'tool-call').length
  }
  return { answered, calls }
}

function statementsOf(messages: readonly Message[]): Pick<SegmentFacts, 'decisions' | 'learnings' | 'preferences'> {
  const found: Record<SentenceKind, Set<string>> = { decision: new Set(), learning: new Set(), preference: new Set() }
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'user') continue
    const text = messageText(message)
    for (const sentence of sentencesOf(message.role === 'user' ? spokenText(text).spoken : text)) {
      if (message.role === 'user' && isOfKind(sentence, 'preference')) found.preference.add(sentence)
      else if (isOfKind(sentence, 'decision')) found.decision.add(sentence)
      else if (message.role === 'assistant' && isOfKind(sentence, 'learning')) found.learning.add(sentence)
    }
  }
  return { decisions: [...found.decision], learnings: [...found.learning], preferences: [...found.preference] }
}
