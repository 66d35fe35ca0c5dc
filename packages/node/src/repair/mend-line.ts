import { withEscapedControls } from '@plimsoll/core/text'
import type { MendKind } from '../shared/mend.ts'
import { withoutLoneSurrogates } from './lone-surrogates.ts'
import { wholeEntries } from './whole-entries.ts'

/** What a line's text became: none, one or several texts, each a JSON object, and what was done for that. */
export interface MendedLine {
  readonly texts: readonly string[]
  readonly kinds: readonly MendKind[]
}

/** How the texts of a log are told apart. */
export interface LineRules {
  /** The object that a text holds as JSON; undefined for any other text, and for one that nests too deep to be walked. */
  readonly parse: (text: string) => Readonly<Record<string, unknown>> | undefined
  /** Whether an object is an entry of this log, and no piece from the inside of one. */
  readonly isEntry: (value: Readonly<Record<string, unknown>>) => boolean
}

/** Makes what can be made of one line of a log. A line that is whole comes back as the very same text, with nothing done. */
export function mendLine(line: string, rules: LineRules): MendedLine {
  const kinds: MendKind[] = []
  let text = line
  if (text.startsWith('\ufeff')) {
    text = text.slice(1)
    kinds.push('byte-order-mark')
  }
  if (text.includes('\0')) {
    text = text.replaceAll('\0', '')
    kinds.push('nul-bytes')
  }
  if (!/\S/.test(text)) return { texts: [], kinds }
  if (rules.parse(text) !== undefined) return wellFormed([text], kinds)
  const escaped = withEscapedControls(text)
  if (escaped !== text && rules.parse(escaped) !== undefined) return wellFormed([escaped], [...kinds, 'control-characters'])
  const { texts, isCut } = wholeEntries(escaped, rules)
  if (texts.length === 0) return { texts, kinds: ['cut-line'] }
  return wellFormed(texts, [
    ...kinds,
    ...(texts.length > 1 ? (['split-line'] as const) : []),
    ...(isCut ? (['cut-piece'] as const) : []),
  ])
}

function wellFormed(texts: readonly string[], kinds: readonly MendKind[]): MendedLine {
  const mended = texts.map(withoutLoneSurrogates)
  if (mended.every((text) => text === null)) return { texts, kinds }
  return { texts: texts.map((text, index) => mended[index] ?? text), kinds: [...kinds, 'lone-surrogates'] }
}
