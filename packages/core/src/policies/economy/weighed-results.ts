import { failureLines } from '../../compaction/unresolved-errors.ts'
import { perEach } from '../../derive.ts'
import type { Facts, Tokenizer } from '../../facts.ts'
import { type Message, resultText } from '../../message.ts'
import { noReferences } from '../../results/references.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { labelText } from '../../text/labels.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { pathsInText } from './cut-text.ts'
import type { EconomyRules, ResultClass } from './economy-rules.ts'
import { profileOf, type ResultProfile } from './result-profile.ts'

/** Facts about a result that do not depend on later messages. */
export interface WeighedResult {
  readonly result: PlacedResult
  /** As `message.part`. */
  readonly key: string
  readonly profile: ResultProfile
  readonly tokens: number
  /** Whether the log itself has a stub there. */
  readonly isStub: boolean
}

export function weighResults(messages: readonly Message[], facts: Facts): readonly WeighedResult[] {
  return weighAll(facts.tokens ?? estimator, facts.root, facts.platform)(toolResults(messages, facts))
}

const weighAll = perEach(
  (result: PlacedResult, tokenizer: Tokenizer, root: string | undefined, platform: string | undefined): WeighedResult => ({
    result,
    key: `${result.message.id}.${result.partIndex}`,
    profile: profileOf(root, platform)(result),
    tokens: countPart(result.part, tokenizer),
    isStub: isStub(resultText(result.whole)),
  }),
)

/** The other parts that show lines which this one omits. */
export function namesOf(key: string, { references = noReferences }: Facts): readonly string[] {
  const found = references.size === 0 ? undefined : references.get(key)
  return found === undefined ? noNames : [...new Set(found.map(({ part }) => part).filter((part) => part !== key))]
}

const noNames: readonly string[] = []

export interface StubSource {
  readonly class: ResultClass
  readonly tool: string
  /** The paths, commands or patterns of the call. */
  readonly about: readonly string[]
  readonly handle: string
  readonly text: string
  readonly isError: boolean
}

export function placeholderText({ tool, about, handle }: StubSource, rules: EconomyRules): string {
  const subject = labelText(about.slice(0, 20).join(', '), rules.stubAbout)
  return `[${labelText(tool, 60)}${subject === '' ? '' : `: ${subject}`}; recall ${handle}]`
}

/**
 * The rest of an old result: what it was and its handle; the first line of a search or a failure; error lines; the last line; and the paths it names.
 * Depends only on the result.
 */
export function stubText(source: StubSource, rules: EconomyRules): string {
  const { text, class: kind } = source
  const lines = new Set<string>()
  const add = (line: string) => {
    const shown = labelText(line, rules.stubWidth)
    if (shown !== '') lines.add(shown)
  }
  if (kind === 'search' || source.isError) add(/\S[^\n]*/.exec(text.slice(0, maxLookLength))?.[0] ?? '')
  if (kind !== 'read' || source.isError) for (const line of failureLines(text, text.length, rules.stubErrorLines)) add(line)
  if (kind !== 'read') add(lastLine(text))
  const head = placeholderText(source, rules)
  const shown = [head, ...lines].join('\n')
  const paths = pathsInText(text, rules.stubPaths * 2).filter((path) => !shown.includes(path))
  return paths.length === 0 ? shown : `${shown}\npaths: ${paths.slice(0, rules.stubPaths).join(' ')}`
}

/** Whether a text is already a stub, in a view that is read as a log. A longer text only starts like one. */
export function isStub(text: string): boolean {
  return text.length <= maxStubLength && stubHead.test(text)
}

const maxStubLength = 8000
// A result that omits repeated lines may start with a similar line.
const stubHead = /^\[(?!\d+ lines(?: as shown above(?: over and over)?)?: )[^\n]{1,500}; recall [0-9a-f]{12}\](?:\n|$)/

function lastLine(text: string): string {
  const near = text.slice(-maxLookLength).trimEnd()
  return near.slice(near.lastIndexOf('\n') + 1)
}

const maxLookLength = 4000
