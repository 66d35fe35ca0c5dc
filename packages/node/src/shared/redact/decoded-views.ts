import { mergeSpans, type Span, type Window, windowsOf } from './spans.ts'

/** Finds secrets that begin in these windows of a text; spans may overlap, and the first one found names the kind. */
export type FindSecrets = (text: string, windows: readonly Window[]) => readonly Span[]

interface ViewOptions {
  /** How many levels of escapes are decoded. */
  readonly levels: number
  /** Looks only where this occurs; default: everywhere. */
  readonly only?: string
}

/**
 * Looks at a text as it is, and as it reads once its escapes are decoded, up to this many times: an argument of a tool call is JSON in
 * JSON, an address has its own escapes, and colours stand between letters. Finds are spans of the text as it is. Each view is looked at only
 * where it differs.
 */
export function findInViews(text: string, find: FindSecrets, { levels, only = '' }: ViewOptions, view?: View): readonly Span[] {
  const windows = (within: View | undefined, whole: string, isPlace: (window: Window) => boolean = () => true) =>
    windowsOf(whole, (window) => window.text.includes(only) && within?.hasChange(window) !== false && isPlace(window))
  const spans = [...find(text, windows(view, text))]
  if (controls.test(text)) {
    // A colour may end a word or stand within one.
    for (const separator of ['\t', '']) {
      const plain = replaced(text, sequences, () => separator)
      if (plain !== null) spans.push(...find(plain.text, windows(plain, plain.text)).map(plain.original))
    }
  }
  if (severalLines.test(text)) {
    const bare = replaced(text, linePrefixes, () => '')
    const isPlace = (window: Window) => severalLines.test(window.text)
    if (bare !== null) spans.push(...find(bare.text, windows(bare, bare.text, isPlace)).map(bare.original))
  }
  if (levels > 0) {
    const clear = replaced(text, escapes, decoded)
    if (clear !== null) spans.push(...findInViews(clear.text, find, { levels: levels - 1, only }, clear).map(clear.original))
  }
  return mergeSpans(spans)
}

const controls = /[\u001b\u009b]|\[\d{1,3}(?:;\d{1,3}){0,5}m/
/** Colours and other sequences of a terminal, also where only the escape character was taken out, and links. */
const sequences =
  /[\u001b\u009b](?:\][^\u0007\u001b]{0,2048}(?:\u0007|\u001b\\)|[[(]?[0-9;:?]{0,40}[@-~])|(?:\^\[)?\[\d{1,3}(?:;\d{1,3}){0,5}m/g

/** What secrets of several lines begin or end with; only these need their lines without numbers, names of files or signs of comments. */
const severalLines =
  /IBA[A-Za-z0-9+/]{20}|CAQ[A-Za-z0-9+/]{20}|b3BlbnNzaC1r|PRIVATE KEY|Private-Lines|[:=][ \t]{0,4}[|>][+-]?[ \t]{0,4}\r?\n|(?:^|\W)machine[ \t]|(?:PASSWORD|TOKEN|SECRET|KEY|PASS)["']?\r?\n|<string>|(?:tokens|secrets|passwords|keys|auth|api|credentials?):[ \t]{0,4}\r?\n|OpenVPN Static|kind: Secret|odes?:\s|auth-user-pass>|SSH2 ENCRYPTED/
/** Also times, names of containers and programs before each line of a log, and frames of a terminal. */
const linePrefixes =
  /(?<=^|\n)(?:\d{4}-\d{2}-\d{2}T[\d:.]{8,20}Z? |[A-Z][a-z]{2} {1,2}\d{1,2} [\d:]{8} \S{1,80} [^\s:]{1,80}: |[\w.-]{1,60} {1,20}\| |[│┃|] |[ \t]{0,8}\d{1,7}(?:→|\t|:|[ \t]?\|)[ \t]?|[^\s:"']{1,120}[:-]\d{1,7}[:-]|[+-](?![+-])[ \t]?|[ \t]{0,40}(?:#|\/\/|\*|>)[ \t])/g

/** What JSON, shells and other languages, addresses and HTML write in another way; a plus is a blank in a form; and blanks of other widths or none. */
const escapes =
  /[\u00a0\u2000-\u200f\u202f\u2060\u3000\ufeff]|\+(?=[^\s"'<>]{0,100}%[2-7][0-9a-fA-F])|(?<=%[2-7][0-9a-fA-F][^\s"'<>]{0,100})\+|\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|0[0-3]?[0-7]{1,2}|[nrtbfe"'`\\/&=:@$!#?%~^*+ -])|%[2-7][0-9a-fA-F]|%0[adAD9]|%[c-fC-F][0-9a-fA-F](?:%[89abAB][0-9a-fA-F]){1,3}|&(?:quot|apos|amp|lt|gt|#\d{2,3}|#x[0-9a-fA-F]{2});/g

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: '\n', e: '\u001b' }
const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>' }

function decoded(escape: string): string {
  if (escape.startsWith('%')) return decodedAddress(escape)
  if (escape.startsWith('&')) {
    const name = escape.slice(1, -1)
    const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return entities[name] ?? String.fromCharCode(code)
  }
  if (escape.length === 1) return /[\u200b-\u200f\u2060\ufeff]/.test(escape) ? '' : ' '
  const first = escape[1] ?? ''
  if ((first === 'u' || first === 'x') && escape.length > 2) return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  if (first === '0') return String.fromCharCode(Number.parseInt(escape.slice(1), 8))
  return letters[first] ?? first
}

function decodedAddress(escape: string): string {
  try {
    return decodeURIComponent(escape)
  } catch {
    return escape
  }
}

/** A text with replacements. */
interface View {
  readonly text: string
  /** Where a span of it is in the text itself. */
  readonly original: (span: Span) => Span
  /** Whether anything in or around the window was replaced. */
  readonly hasChange: (window: Window) => boolean
}

/** Null if there is nothing to replace. */
function replaced(text: string, pattern: RegExp, replacement: (found: string) => string): View | null {
  const pieces: string[] = []
  // For each replacement: its place in the view, its length there, and where the text continues.
  const [places, lengths, begins, ends]: number[][] = [[], [], [], []]
  let position = 0
  let length = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const instead = replacement(found[0])
    pieces.push(text.slice(position, found.index), instead)
    length += found.index - position
    places?.push(length)
    lengths?.push(instead.length)
    begins?.push(found.index)
    length += instead.length
    position = pattern.lastIndex
    ends?.push(position)
  }
  if (pieces.length === 0 || places === undefined) return null
  pieces.push(text.slice(position))

  /** Where the character at this place of the view begins and ends in the text. */
  const range = (place: number): readonly [number, number] => {
    const index = lastUpTo(places, place)
    if (index === -1) return [place, place + 1]
    const inside = place - (places[index] ?? 0) - (lengths?.[index] ?? 0)
    if (inside < 0) return [begins?.[index] ?? 0, ends?.[index] ?? 0]
    const start = (ends?.[index] ?? 0) + inside
    return [start, start + 1]
  }
  const original = ({ start, end, kind }: Span): Span => ({ start: range(start)[0], end: range(end - 1)[1], kind })
  const hasChange = ({ offset, text: { length: around } }: Window) =>
    lastUpTo(places, offset + around) !== lastUpTo(places, offset - 1)
  return { text: pieces.join(''), original, hasChange }
}

/** The last index whose value is at most this; -1 if there is none. */
function lastUpTo(sorted: readonly number[], value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low - 1
}
