import { type Message, type Part, recall } from '@plimsoll/core'
import type { RecallAnswer, RecallFold, RecallSource } from '@plimsoll/core/session'
import { getOrMake } from '../../shared/get-or-make.ts'
import type { RecordedSession, RecordedStep } from '../record-session.ts'
import { callKind, callTexts, partText } from './call-texts.ts'
import type { Need, NeedOutcome } from './need.ts'
import { holds } from './need-match.ts'
import { symbolsIn } from './need-symbols.ts'

export type Recaller = ReturnType<typeof createRecaller>

type HandleSource = Message | RecallFold

/** The recaller of a session, which caches its findings for all views. */
export function recallerOf(session: RecordedSession): Recaller {
  return getOrMake(remembered, session, () => createRecaller(session))
}

const remembered = new WeakMap<RecordedSession, Recaller>()
const budget = 2000
const maxSpans = 3
/** Characters up to which a text is recalled in full. */
const shortText = budget * 4

/** Recalls as an agent in the middle of a session would, knowing only what comes before its next action. */
function createRecaller(session: RecordedSession) {
  const words = new Map<number, VisibleWords>()
  const texts = new WeakMap<HandleSource, KnownTexts>()
  const narrowed = new WeakMap<HandleSource, KnownTexts>()
  const searches = new Map<number, RecallAnswer>()

  function wordsAt(step: number): VisibleWords {
    return getOrMake(words, step, () => {
      const { segment, length, answer } = session.steps[step] as RecordedStep
      // The last answer is checked itself, so its text is not visible yet.
      const end = step === session.steps.length - 1 ? 0 : answer.parts.findIndex(({ type }) => type === 'tool-call')
      return visibleWords((session.segments[segment] ?? []).slice(0, length), answer.parts.slice(0, Math.max(0, end)))
    })
  }

  return {
    /**
     * Recalls by handle, if that gives the need: of a long text the lines with visible words, or all of it if these do not hold
     * the need. `known` is a text that holds the need.
     */
    byHandle(need: Need, handle: string, from: HandleSource, known: string): Pick<NeedOutcome, 'recalled' | 'tried'> | null {
      const full = getOrMake(mapOf(texts, from), handle, () => foundText(recall({ handle }, sourceOf(from))))
      if (full === null || !(full === known || holds(need.class, full, need.text))) return null
      const { pattern } = wordsAt(need.step)
      if (pattern === null || full.length <= shortText) return { recalled: full }
      const part = getOrMake(mapOf(narrowed, from), `${need.step} ${handle}`, () =>
        foundText(recall({ handle, pattern, budget }, sourceOf(from))),
      )
      if (part !== null && holds(need.class, withoutNumbers(part), need.text)) return { recalled: part }
      return { recalled: full, tried: part ?? '' }
    },
    /** The best places for visible words, if one of the first three holds the need. */
    byQuery(need: Need, originals: readonly Message[]): string | null {
      const { query } = wordsAt(need.step)
      const answer = getOrMake(searches, need.step, () => recall({ query, budget }, sourceOf(...originals)))
      if (answer.kind !== 'spans') return null
      return answer.spans.slice(0, maxSpans).some(({ text }) => holds(need.class, text, need.text)) ? answer.text : null
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
    // The patterns consist of plain words, so none of them is slow.
    findLines(pattern, lines) {
      const expression = new RegExp(pattern)
      return { found: lines.flatMap((line, index) => (expression.test(line) ? [index] : [])) }
    },
  }
}

/** The handles that the replacement of a part names. */
export function handlesIn(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![0-9A-Za-z])[0-9a-f]{12}(?![0-9A-Za-z])/g))].slice(0, maxHandles)
}

const maxHandles = 8

type KnownTexts = Map<string, string | null>

function mapOf(maps: WeakMap<HandleSource, KnownTexts>, key: HandleSource): KnownTexts {
  return getOrMake(maps, key, () => new Map())
}

interface VisibleWords {
  readonly query: string
  /** A pattern for the lines of one text; null if there is no word to search for. */
  readonly pattern: string | null
}

/**
 * The words that the model and users said last, and the paths and commands of the calls before. `saying` is what an answer says
 * before its first call.
 */
function visibleWords(messages: readonly Message[], saying: readonly Part[]): VisibleWords {
  const from = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages.slice(Math.max(0, from)).filter(({ role }) => role === 'assistant' || role === 'user')
  const text = [...last.flatMap(({ parts }) => parts), ...saying].map(saidIn).join('\n').slice(-maxText)
  const named = symbolsIn(text)
  const plain = [...new Set(text.match(/(?<![\w/.-])[A-Za-z]{5,30}(?![\w/-])/g))]
  const words = [...new Set([...fileNamesIn(text), ...named, ...(named.length < enoughNames ? plain : [])])].slice(0, maxWords)
  return {
    query: [...words, text.slice(maxQueryWords - maxText)].join(' ').slice(0, maxText),
    pattern: words.length === 0 ? null : `\\b(?:${words.join('|')})\\b`,
  }
}

const maxText = 1000
const maxQueryWords = 200
const enoughNames = 4
const maxWords = 16

function saidIn(part: Part): string {
  if (part.type !== 'tool-call') return part.type === 'tool-result' ? '' : partText(part)
  const isShell = callKind(part) === 'terminal'
  return callTexts(part)
    .filter(({ key, text }) => text.length < 300 && (isShell || /path|file|pattern|query|command/i.test(key)))
    .map(({ text }) => text)
    .join('\n')
}

function fileNamesIn(text: string): readonly string[] {
  return [...text.matchAll(/[/\s"'`]([A-Za-z_]\w{3,60})\.[a-z]{1,5}\b/g)].map(([, name]) => name as string)
}
