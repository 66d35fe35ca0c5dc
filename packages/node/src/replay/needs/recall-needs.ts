import { type Message, type Part, recall } from '@plimsoll/core'
import type { RecallAnswer, RecallFold, RecallSource } from '@plimsoll/core/session'
import type { RecordedSession, RecordedStep } from '../record-session.ts'
import { callKind, callTexts, partText } from './call-texts.ts'
import type { Need, NeedOutcome } from './need.ts'
import { holds } from './need-match.ts'
import { symbolsIn } from './need-symbols.ts'

/** Gets things back as an agent in the middle of a session would, knowing only what stands before its next action. */
export interface Recaller {
  /**
   * What a handle brings that holds the need. Of a long text the lines that visible words point to are asked for first, and all of it
   * where these do not hold the need. Null where it brings nothing of the kind. `known` is a text that holds the need.
   */
  readonly byHandle: (need: Need, handle: string, from: HandleSource, known: string) => Recalled | null
  /** The best places for visible words, where one of the first three holds the need; null where none does. */
  readonly byQuery: (need: Need, originals: readonly Message[]) => string | null
}

/** What came back, and what did before that and was of no use. */
export type Recalled = Pick<NeedOutcome, 'recalled' | 'tried'>

/** Where the text behind a handle is looked for. */
export type HandleSource = Message | RecallFold

/** The recaller of a session. What it found once it knows, whatever view is asked about. */
export function recallerOf(session: RecordedSession): Recaller {
  const known = remembered.get(session)
  if (known !== undefined) return known
  const recaller = createRecaller(session)
  remembered.set(session, recaller)
  return recaller
}

const remembered = new WeakMap<RecordedSession, Recaller>()
const budget = 2000
const mostSpans = 3
/** Characters of a text that is not worth asking for in pieces. */
const shortText = budget * 4

function createRecaller(session: RecordedSession): Recaller {
  const words = new Map<number, VisibleWords>()
  const texts = new WeakMap<HandleSource, Map<string, string | null>>()
  const narrowed = new WeakMap<HandleSource, Map<string, string | null>>()
  const searches = new Map<number, RecallAnswer>()

  function wordsAt(step: number): VisibleWords {
    return remember(words, step, () => {
      const { segment, length, answer } = session.steps[step] as RecordedStep
      // What the last answer says is itself what is asked about.
      const end = step === session.steps.length - 1 ? 0 : answer.parts.findIndex(({ type }) => type === 'tool-call')
      return visibleWords((session.segments[segment] ?? []).slice(0, length), answer.parts.slice(0, Math.max(0, end)))
    })
  }

  return {
    byHandle(need, handle, from, known) {
      const whole = remember(mapOf(texts, from), handle, () => foundText(recall({ handle }, sourceOf(from))))
      if (whole === null || !(whole === known || holds(need.class, whole, need.text))) return null
      const { pattern } = wordsAt(need.step)
      if (pattern === null || whole.length <= shortText) return { recalled: whole }
      const part = remember(mapOf(narrowed, from), `${need.step} ${handle}`, () =>
        foundText(recall({ handle, pattern, budget }, sourceOf(from))),
      )
      if (part !== null && holds(need.class, withoutNumbers(part), need.text)) return { recalled: part }
      return { recalled: whole, tried: part ?? '' }
    },
    byQuery(need, originals) {
      const { query } = wordsAt(need.step)
      const answer = remember(searches, need.step, () => recall({ query, budget }, sourceOf(...originals)))
      if (answer.kind !== 'spans') return null
      return answer.spans.slice(0, mostSpans).some(({ text }) => holds(need.class, text, need.text)) ? answer.text : null
    },
  }
}

function foundText(answer: RecallAnswer): string | null {
  return answer.kind === 'found' ? answer.text : null
}

/** Recall puts its own number before a line that matched. */
function withoutNumbers(text: string): string {
  return text.replaceAll(/^\d{1,9}: /gm, '')
}

function sourceOf(...from: readonly HandleSource[]): RecallSource {
  return {
    messages: () => from.filter((source) => 'parts' in source),
    folds: () => from.filter((source) => 'messages' in source),
    whole: (part) => ({ part }),
    // The patterns are made of plain words here, so none of them is slow.
    findLines(pattern, lines) {
      const expression = new RegExp(pattern)
      return { found: lines.flatMap((line, index) => (expression.test(line) ? [index] : [])) }
    },
  }
}

/** The handles that a part which is shown in place of another names. */
export function handlesIn(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![0-9A-Za-z])[0-9a-f]{12}(?![0-9A-Za-z])/g))].slice(0, mostHandles)
}

const mostHandles = 8

function remember<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  if (known.has(key)) return known.get(key) as Value
  const found = find()
  known.set(key, found)
  return found
}

function mapOf<Value>(maps: WeakMap<HandleSource, Map<string, Value>>, key: HandleSource): Map<string, Value> {
  let map = maps.get(key)
  if (map === undefined) {
    map = new Map()
    maps.set(key, map)
  }
  return map
}

/** What somebody who is about to act could ask for, knowing only what stands before the action. */
interface VisibleWords {
  /** Words for a search. */
  readonly query: string
  /** A pattern for the lines of one text; null where there is no word to look for. */
  readonly pattern: string | null
}

/**
 * The words of what was said last: by the model, by people after it, and by the model before it acts; and the paths and commands of
 * the calls before. `saying` is what an answer says before its first call.
 */
function visibleWords(messages: readonly Message[], saying: readonly Part[]): VisibleWords {
  const from = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages.slice(Math.max(0, from)).filter(({ role }) => role === 'assistant' || role === 'user')
  const text = [...last.flatMap(({ parts }) => parts), ...saying].map(saidIn).join('\n').slice(-longestText)
  const named = symbolsIn(text)
  const plain = [...new Set(text.match(/(?<![\w/.-])[A-Za-z]{5,30}(?![\w/-])/g))]
  const words = [...new Set([...fileNamesIn(text), ...named, ...(named.length < enoughNames ? plain : [])])].slice(0, mostWords)
  return {
    query: [...words, text.slice(longestQueryWords - longestText)].join(' ').slice(0, longestText),
    pattern: words.length === 0 ? null : `\\b(?:${words.join('|')})\\b`,
  }
}

const longestText = 1000
const longestQueryWords = 200
const enoughNames = 4
const mostWords = 16

function saidIn(part: Part): string {
  if (part.type !== 'tool-call') return part.type === 'tool-result' ? '' : partText(part)
  const isShell = callKind(part) === 'terminal'
  return callTexts(part)
    .filter(({ key, text }) => text.length < 300 && (isShell || /path|file|pattern|query|command/i.test(key)))
    .map(({ text }) => text)
    .join('\n')
}

/** `handler` of `src/handler.go`. */
function fileNamesIn(text: string): readonly string[] {
  return [...text.matchAll(/[/\s"'`]([A-Za-z_]\w{3,60})\.[a-z]{1,5}\b/g)].map(([, name]) => name as string)
}
