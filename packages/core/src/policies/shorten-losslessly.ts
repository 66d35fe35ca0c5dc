import { perEach } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import { reasonsOf } from '../facts.ts'
import { callInput, resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { hasCodes, plainResult, withSaid } from '../results/plain-result.ts'
import { withoutPinned } from '../results/protect.ts'
import { aboutOf, type PlacedResult, toolResults } from '../results/tool-results.ts'
import { escapeMarks } from '../text/labels.ts'
import { hasEscapes, screenText } from '../text/terminal-screen.ts'
import { commandPrints } from './economy/command-reads.ts'
import { hasBlankSpace, withoutBlankSpace } from './lossless/blank-space.ts'
import { compactJson, mayBeIndented } from './lossless/compact-json.ts'
import { foldColumns, mayHaveColumns } from './lossless/fold-columns.ts'
import { foldMatches } from './lossless/fold-matches.ts'
import { foldPaths, mayListPaths } from './lossless/fold-paths.ts'
import { nameRepeatedBlocks } from './lossless/repeated-blocks.ts'

const name = 'shorten-losslessly'

export interface LosslessRules {
  /** What is shortened besides escape sequences and carriage returns. */
  readonly also: 'nothing' | 'output' | 'output and repeated blocks'
}

/**
 * Shows a result in a shorter form that loses nothing, when it is first sent and then always: as a terminal shows it, JSON without indentation, matches
 * under the name of their file. File reads stay as they are: an edit needs their text to the letter.
 */
export function createShortenLosslessly({ also }: LosslessRules): Policy {
  const editsFor = perEach((result: PlacedResult, why: string): ReplaceEdit | null => {
    const shown = shortForm(result, also)
    return shown === result.part ? null : replaceEdit(name, result.message.id, result.partIndex, shown, why)
  })
  return {
    name,
    cuts: true,
    plan(messages, facts) {
      const edits = editsFor(reasonsOf(facts).lossless)(toolResults(messages, facts))
      return withoutPinned(
        edits.filter((edit) => edit !== null),
        facts,
      )
    },
  }
}

/** In `economy`, `skip-shown-lines` names repeated blocks. */
export const shortenLosslessly = createShortenLosslessly({ also: 'output' })
/** For `spec`: what a terminal would show, and nothing else. */
export const showAsTerminal = createShortenLosslessly({ also: 'nothing' })
/** For the gateway's mode `safe`. */
export const shortenWithBlocks = createShortenLosslessly({ also: 'output and repeated blocks' })

/** How much of a result may change: `escapes` are removed even from what an edit may need to the letter. */
type Scope = 'nothing' | 'escapes' | 'screen' | 'matches' | 'output' | 'output with matches'

function shortForm(result: PlacedResult, also: LosslessRules['also']): ToolResultPart {
  const { part, kind } = result
  const text = resultText(part)
  if (!hasCodes(text) && (also === 'nothing' || !mayBeShorter(text, kind, also))) return part
  const scope = scopeOf(result)
  if (scope === 'nothing') return part
  // An extract of a larger result refers to its own lines.
  if (part.blob !== undefined) return plainResult(part)
  const plain = withSaid(part, scope === 'escapes' ? withoutEscapes : screenText)
  if (also === 'nothing' || scope === 'escapes' || scope === 'screen') return plain
  // Without escape sequences it has an entry in the report already.
  const saved = plain === part ? minSaved : 1
  return withShownText(plain, shorter(resultText(plain), scope, also, saved))
}

/** Quick, because most results stay as they are. */
function mayBeShorter(text: string, kind: PlacedResult['kind'], also: LosslessRules['also']): boolean {
  if (kind === 'file-read' || text.length < minLength) return false
  if (kind === 'search' || also !== 'output' || hasBlankSpace(text) || mayBeIndented(text)) return true
  return kind === 'terminal' && (/^[^\s:]{1,300}:/m.test(text.slice(0, 1000)) || mayListPaths(text) || mayHaveColumns(text))
}

function withoutEscapes(text: string): string {
  return hasEscapes(text) ? screenText(text) : text
}

function scopeOf(result: PlacedResult): Scope {
  const { kind, call } = result
  if (kind === 'file-read' || kind === 'recall') return 'nothing'
  if (kind === 'edit' || kind === 'write') return 'escapes'
  if (call === null) return 'screen'
  if (kind === 'search') return 'matches'
  if (kind !== 'terminal') return kind === 'other' && namesPath(callInput(call)) ? 'escapes' : 'output'
  const prints = commandPrints(aboutOf(result)[0] ?? '')
  if (prints === 'files') return 'escapes'
  return prints === 'matches' ? 'output with matches' : 'output'
}

/** A tool that is not in the table, and is given a path, may have read a file. */
function namesPath(input: Readonly<Record<string, unknown>> | null): boolean {
  return input === null || Object.keys(input).some((key) => /path|file|uri/i.test(key))
}

function shorter(text: string, scope: Scope, also: LosslessRules['also'], min: number): string {
  if (text.length < minLength || hasMark(text)) return text
  const json = scope === 'matches' ? null : compactJson(text)
  if (json !== null) return json.length <= text.length * jsonShare ? json : text
  const plain = scope === 'matches' ? text.replace(/(?<!\n)\n+$/, '') : withoutBlankSpace(text)
  const folded =
    (scope === 'output' ? foldPaths(plain) : shorterOf(foldMatches(plain), foldPaths(plain, 'matches'))) ??
    (scope === 'matches' ? null : foldColumns(plain))
  const shown = folded === null || folded.length > maxFolded ? plain : folded
  const named = also === 'output' ? null : nameRepeatedBlocks(shown)
  const shortest = named ?? shown
  return text.length - shortest.length >= min ? shortest : text
}

function shorterOf(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && other.length < one.length) ? other : one
}

/** Whether a text is or seems to be cut already, as in a view that is read as a log. */
function hasMark(text: string): boolean {
  return /recall/i.test(text) && escapeMarks(text) !== text
}

const minLength = 40
/** Fewer characters are not worth an entry in the report. */
const minSaved = 8
/** Of one-line JSON, blanks are a few characters and hardly a token. */
const jsonShare = 0.97
/** What is cut later names the file with each line. */
const maxFolded = 4000
