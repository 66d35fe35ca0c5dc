import { writeNotice } from '../../cut/cut.ts'
import { cutText, endsOf, type Gap } from '../../cut/cut-text.ts'
import { cutLists } from '../../cut/notable/cut-lists.ts'
import { diagnosticOf, isFileHeading } from '../../cut/notable/diagnostics.ts'
import { foldRepeats } from '../../cut/notable/fold-repeats.ts'
import { type OddLine, oddLines } from '../../cut/notable/odd-lines.ts'
import { endOfShown, forEachSegment, maxLineLength, strikingIn } from '../../cut/notable/segments.ts'
import { frameOf, isDetail, isTotal, ranks, salienceOf } from '../../cut/salient.ts'
import { escapeMarks } from '../../text/labels.ts'
import { countLines, countNewlines, detached, grouped, shorten } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'
import type { EconomyRules } from './economy-rules.ts'

export interface CutRoom extends Pick<EconomyRules, 'headShare' | 'tailShare' | 'cutPaths' | 'tightBelow'> {
  readonly characters: number
  readonly handle: string
  /** Whether the lines of the text are those of the original, so that they may be numbered. */
  readonly hasLines: boolean
}

/**
 * Folds repeats and keeps head and tail (without blank lines at the end if that is enough), between them the most salient lines and the paths of the cut text, and the handle of the original. Depends only on the text: a text that
 * was cut before fits its room, so marks in a text are never read. Null if that saves less than a tenth.
 */
export function cutOutput(text: string, room: CutRoom): string | null {
  const { characters } = room
  if (text.length <= characters) return null
  const shown = text.trimEnd()
  if (shown.length <= characters) return detached(shown)
  const records = cutLists(text, characters, room.handle)
  if (records !== null) return ifWorthwhile(records, text.length)
  const folded = foldRepeats(text)
  if (folded === null) return cutMiddle(text, text.length, room)
  const notice = `\n[${grouped(folded.lines)} lines folded; recall ${room.handle}]`
  return folded.text.length + notice.length <= characters
    ? detached(folded.text + notice)
    : cutMiddle(folded.text, text.length, { ...room, hasLines: false })
}

function cutMiddle(text: string, length: number, given: CutRoom): string | null {
  const room = { ...given, characters: Math.max(0, given.characters - markLength) }
  const candidates = candidatesIn(text, 1, oddLines(text))
  const ends = endsFor(text, candidates, room)
  const cut = cutText(text, { ...ends, in: 'whole lines' }, (gap) => markOf(gap, candidates, countLines(text), ends.paths, room))
  return ifWorthwhile(detached(cut), length)
}

function ifWorthwhile(cut: string, length: number): string | null {
  return cut.length <= Math.min(length * 0.9, length - minSaved) ? cut : null
}

/** Of the longest mark with the notice below it, which names lines by up to nine digits. */
const markLength = 70

/** What the mark of a cut and its handle cost in tokens is more than their length. */
const minSaved = 80

/** Characters of head and tail, and of the paths of what is cut. In a tight room what differs comes first, then the last line, and the ends get what is left. */
function endsFor(
  text: string,
  candidates: readonly Candidate[],
  room: CutRoom,
): { readonly head: number; readonly tail: number; readonly paths: number } {
  const { characters } = room
  const [head, tail] = [share(room.headShare), share(room.tailShare)]
  const listed = pathsIn(text, room.cutPaths * 2).join(' ').length
  const most = Math.min(Math.floor(characters * forPaths), listed === 0 ? 0 : listed + pathsLabel.length + 1)
  const different = differentIn(candidates)
  const above = new Set([
    ...different.flatMap(({ heading }) => heading ?? []),
    ...candidates.filter(({ until }) => until === text.length),
  ])
  const wanted = [...different, ...above].reduce((sum, { short }) => sum + short.length + 1, 0)
  const last = text.length - text.lastIndexOf('\n', text.trimEnd().length - 1)
  if (!isTight(room)) {
    // What differs may take more than the ends leave it.
    const taken = most + Math.max(0, wanted - characters * Math.max(0, 1 - head - tail))
    const ends = Math.max(0, 1 - taken / (characters * (head + tail) || 1))
    const least = Math.max(minEnds, ends)
    const isLastWhole = last <= Math.floor(characters * tail)
    return {
      head: Math.floor(characters * head * least),
      tail: Math.max(Math.floor(characters * tail * least), isLastWhole ? last : 0),
      paths: most,
    }
  }
  const forLast = last * 3 <= characters ? last : 0
  const paths = Math.min(most, Math.max(0, characters - wanted - forLast - 1))
  const left = Math.max(0, characters - wanted - paths - 1)
  const forTail = Math.max(Math.floor((left * tail) / (head + tail || 1)), forLast)
  const { length } = endsOf(text, { head: 0, tail: forTail, in: 'whole lines' }).tail
  return { head: Math.max(0, left - length), tail: length, paths }
}

/** Share of the room that a list of paths may take, and of head and tail that it leaves. */
const forPaths = 0.6
const minEnds = 0.35

function isTight({ characters, tightBelow }: CutRoom): boolean {
  return characters < tightBelow
}

function share(value: number): number {
  return Number.isFinite(value) ? Math.min(0.9, Math.max(0, value)) : 0
}

function markOf(
  { head, middle, tail }: Gap,
  candidates: readonly Candidate[],
  total: number,
  roomOfPaths: number,
  given: CutRoom,
): string {
  const { characters, cutPaths, handle, hasLines } = given
  const tight = isTight(given)
  const isWhole = hasLines && head.endsWith('\n') && middle.endsWith('\n')
  const before = countNewlines(head)
  const within = candidates.filter(({ at }) => at >= head.length && at < head.length + middle.length)
  const write = isWhole && !tight ? numbered : unnumbered
  const room = characters - head.length - tail.length
  const heading = within.find(({ until }) => until > head.length + middle.length) ?? null
  const lines = linesOf(withTestsOnce(within, head + tail), room - roomOfPaths, { tight, write, heading }).map((line) =>
    escapeMarks(line),
  )
  const left = lines.reduce((sum, line) => sum - line.length - 1, room)
  const paths = pathsBeside(middle, lines, cutPaths, left)
  const tailStart = Math.max(before, total - Math.max(1, countLines(tail)) + 1)
  const notice = isWhole
    ? writeNotice({ shown: [[1, before], [tailStart, total]], lines: total, handle }) // biome-ignore format: two ranges
    : `[${grouped(middle.length)} characters cut; recall ${handle}]`
  const written = ['[cut]', ...lines, ...(paths === '' ? [] : [paths]), notice, '']
  return `${head === '' || head.endsWith('\n') ? '' : '\n'}${written.join('\n')}`
}

const pathsLabel = 'paths: '
/** Of the longest number of others. */
const pathsRest = ' and at least 999 more\n'.length

function pathsBeside(middle: string, lines: readonly string[], max: number, characters: number): string {
  // At most four times as many are looked for, so the number of others is the least there are.
  const paths = pathsIn(middle, max * 4).filter((path) => !lines.some((line) => line.includes(path)))
  const all = `${pathsLabel}${paths.join(' ')}`
  if (paths.length === 0) return ''
  if (paths.length <= max && all.length < characters) return all
  let length = pathsLabel.length + pathsRest
  const fitting = paths.findIndex((path, index) => {
    length += path.length + 1
    return index >= max || length > characters
  })
  return fitting === 0 ? '' : `${pathsLabel}${paths.slice(0, fitting).join(' ')} and at least ${paths.length - fitting} more`
}

function pathsIn(text: string, max: number): readonly string[] {
  const paths = pathsInText(withoutOthers(text), max)
  // A report may name a file twice, from the root and from its folder.
  const ends = new Set(paths.flatMap((path) => (path.startsWith('/') ? endsOfPath(path) : [])))
  return paths.filter((path) => !ends.has(path))
}

function endsOfPath(path: string): readonly string[] {
  const names = path.split('/')
  return names.slice(1, maxFolders).map((_, index) => names.slice(index + 1).join('/'))
}

const maxFolders = 20

/** Files whose tests passed, and those of libraries in a stack trace, are not looked at next. */
function withoutOthers(text: string): string {
  return mayHavePassed.test(text) || mayHaveFrames.test(text)
    ? text
        .split('\n')
        .filter((line) => !passed.test(line) && frameOf(line.slice(0, 500)) !== 'library')
        .join('\n')
    : text
}

const mayHaveFrames = /\n\s{1,20}(?:at|File) /

/** Shares of the room: first for codes and failing tests, then for lines unlike all others. */
const forNamed = 0.85
const forDifferent = 0.5

interface Part {
  readonly text: string
  readonly firstLine: number | null
  readonly odd?: readonly OddLine[]
}

/**
 * The most salient lines that fit, in order and numbered: in half of the room (all of a tight one) the first diagnostic of each code, lines unlike all others and failing tests,
 * then failures, their own frames, definitions, lines that name files, frames in libraries, totals and warnings. Below them the codes and failing tests that no line names.
 */
export function salientMiddle({ text, firstLine, odd = [] }: Part, characters: number, tight = false): readonly string[] {
  const candidates = withTestsOnce(candidatesIn(text, firstLine ?? 1, odd), '')
  return linesOf(candidates, characters, { tight, write: firstLine === null ? unnumbered : numbered, heading: null })
}

interface Writing {
  readonly tight: boolean
  readonly write: (line: Piece) => string
  /** The heading of the lines below the cut. */
  readonly heading: Candidate | null
}

const numbered = ({ line, short }: Piece) => `${line}: ${short}`
const unnumbered = ({ short }: Piece) => short

function linesOf(candidates: readonly Candidate[], characters: number, writing: Writing): readonly string[] {
  const lines = chooseLines(candidates, characters, writing)
  const unnamed = namesBeside(candidates, lines)
  if (unnamed.length === 0) return lines
  const roomFor = (names: readonly string[]) =>
    Math.min(Math.floor(characters * forNames), names.join(' ').length + namesLabel.length + namesRest)
  let room = roomFor(unnamed)
  let fewer = chooseLines(candidates, characters - room - 1, writing)
  let names = namesBeside(candidates, fewer)
  // Fewer lines leave more to name.
  for (let tries = 0; tries < maxTries && roomFor(names) > room; tries += 1) {
    room = roomFor(names)
    fewer = chooseLines(candidates, characters - room - 1, writing)
    names = namesBeside(candidates, fewer)
  }
  let length = namesLabel.length + namesRest - 1
  const fitting = names.findIndex((name) => {
    length += name.length + 1
    return length > room
  })
  const shown = fitting === -1 ? names : names.slice(0, fitting)
  return shown.length === 0
    ? lines
    : [...fewer, `${namesLabel}${shown.join(' ')}${fitting === -1 ? '' : ` and ${names.length - fitting} more`}`]
}

const maxTries = 4
const namesLabel = 'also: '
/** Of the longest number of others. */
const namesRest = ' and 9999 more'.length
/** Share of the room for names of which no line fits. */
const forNames = 0.4

/** Codes and failing tests, each once. */
function namesBeside(candidates: readonly Candidate[], lines: readonly string[]): readonly string[] {
  const names = new Set(candidates.flatMap(({ code, test }) => code ?? test ?? []))
  return [...names].filter((name) => !lines.some((line) => line.includes(name)))
}

function chooseLines(
  candidates: readonly Candidate[],
  characters: number,
  { tight, write, heading }: Writing,
): readonly string[] {
  const codes = new Set<string>()
  const firstOfCodes = candidates.filter(({ code }) => code !== null && !codes.has(code) && codes.add(code))
  const lastTotal = tight ? candidates.filter(({ key }) => isTotal(key)).slice(-1) : []
  const named = [...firstOfCodes, ...lastTotal, ...(tight ? [] : candidates.filter(({ test }) => test !== null))]
  const different = candidates.filter(({ isOdd, test }) => isOdd || test !== null)
  const ranked = candidates.filter(({ rank }) => rank !== null).toSorted((one, other) => (one.rank ?? 0) - (other.rank ?? 0))
  const starts = new Set(candidates.map(({ start }) => start))
  const chosen = new Set<number>()
  let left = 0
  const take = (list: readonly Candidate[], room: number) => {
    left += room
    for (const candidate of list) {
      const above = candidate.heading
      const lines = [...(above !== null && starts.has(above.start) ? [above] : []), candidate]
      const missing = lines.filter(({ start }) => !chosen.has(start))
      const length = missing.reduce((sum, line) => sum + write(line).length + 1, 0)
      if (length > left) continue
      left -= length
      for (const { start } of missing) chosen.add(start)
    }
  }
  const first = heading === null ? [] : [heading]
  take([...first, ...named], tight ? characters : Math.floor(characters * forNamed))
  // What is left of that is not for odd lines, which may be many.
  const spare = tight ? 0 : Math.max(0, left - Math.floor(characters * forDifferent))
  left -= spare
  take(different, 0)
  take(ranked, tight ? 0 : spare + characters - Math.floor(characters * forNamed))
  return candidates.filter(({ start }) => chosen.has(start)).map(write)
}

/** Of the lines that name a failing test the last one, since its reason is below it; none of a test that is named around them. */
function withTestsOnce(candidates: readonly Candidate[], around: string): readonly Candidate[] {
  const last = new Map(candidates.flatMap((candidate) => (candidate.test === null ? [] : [[candidate.test, candidate] as const])))
  // With the suites that it is in, a test is named once more.
  const inSuites = new Set([...last.keys()].flatMap((test) => behindSuites.exec(test)?.[1] ?? []))
  return candidates.filter(
    (one) => one.test === null || (last.get(one.test) === one && !inSuites.has(one.test) && !around.includes(one.test)),
  )
}

const behindSuites = /(?: [›>] |::)([^›>:]{1,300})$/

/** Lines that say more than the ends of a text do: of each code the first, of each failing test the last, lines unlike all others, and what failed. */
function differentIn(candidates: readonly Candidate[]): readonly Candidate[] {
  const codes = new Set<string>()
  return withTestsOnce(candidates, '').filter(({ rank, isOdd, test, code }) => {
    if (code !== null && codes.has(code)) return false
    if (code !== null) codes.add(code)
    return isOdd || test !== null || code !== null || (rank !== null && rank < 2)
  })
}

type Piece = NonNullable<ReturnType<typeof pieceOf>>

interface Candidate extends Piece {
  /** The line that names the file or folder of the lines below it, of which this is one. */
  readonly heading: Piece | null
}

const width = 200
const maxRead = 500_000

/** Of very long texts the beginning and the end are read in full, and between them lines with salient words. */
function candidatesIn(text: string, firstLine: number, odd: readonly OddLine[]): readonly Candidate[] {
  const found = new Map<string, Piece>()
  const blocks = blocksIn(text)
  const add = (start: number, end: number, line: number, isOdd = false): void => {
    const candidate = pieceOf(text, { start, end }, line, { isOdd, until: blocks.get(start) ?? 0 })
    const key = blocks.has(start) ? `${start}` : candidate?.key
    if (candidate === null || key === undefined || (found.has(key) && !isOdd)) return
    found.set(key, candidate)
  }
  const isLong = text.length > maxRead * 2
  const from = isLong ? startOfLine(text, maxRead) : text.length
  forEachSegment(text.slice(0, from), firstLine, add)
  if (isLong) {
    const to = startOfLine(text, text.length - maxRead)
    const line = firstLine + countNewlines(text.slice(0, from))
    for (const segment of strikingIn(text, from, to, line)) add(segment.start, segment.end, segment.line)
    const behind = line + countNewlines(text.slice(from, to))
    forEachSegment(text.slice(to), behind, (start, end, at) => add(to + start, to + end, at))
  }
  for (const { start, end, line } of odd) add(start, end, line, true)
  let above: Piece | null = null
  return [...found.values()]
    .toSorted((one, other) => one.start - other.start)
    .map((one) => {
      if (one.until > 0) above = one
      return { ...one, heading: above !== one && above !== null && one.start < above.until ? above : null }
    })
}

/** Where the lines end that are below the name of their file or folder, by where that line starts. */
function blocksIn(text: string): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>()
  for (let start = 0; start < text.length; ) {
    const blank = text.indexOf('\n\n', start)
    const end = blank === -1 ? text.length : blank
    const newline = text.indexOf('\n', start)
    if (newline !== -1 && newline < end && newline - start <= maxPathLength && isHeading(text.slice(start, newline)))
      blocks.set(start, end)
    start = end + 2
  }
  return blocks
}

function isHeading(line: string): boolean {
  return /^[^\s:|]{2,300}:$/.test(line) ? line.includes('/') : isFileHeading(line)
}

/** The start of the line at a place, or the place itself in a line that is too long. */
function startOfLine(text: string, at: number): number {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return at - start > maxLineLength ? at : start
}

interface Place {
  readonly isOdd: boolean
  /** Of a heading, where the lines below it end. */
  readonly until: number
}

function pieceOf(
  all: string,
  { start, end }: { readonly start: number; readonly end: number },
  line: number,
  { isOdd, until }: Place,
) {
  // A single character says nothing, two may be a word.
  if (end - start < 2) return null
  const text = terminalText(all.slice(start, endOfShown(all, start, end)))
  const found = salienceOf(text)
  // What the next segment has is found there.
  const salience = found !== null && found.at < end - start ? found : null
  const rank = rankOf(text, salience?.rank ?? null)
  const diagnostic = diagnosticOf(text)
  if (rank === null && diagnostic === null && until === 0 && (!isOdd || text.trim() === '')) return null
  const short = shorten(text, salience ?? { at: 0, length: 0 }, width)
  return {
    start,
    /** Of what is salient in it: a segment may start before a cut. */
    at: start + (salience?.at ?? 0),
    line,
    rank,
    code: diagnostic?.code ?? null,
    isOdd,
    until,
    test: diagnostic?.test ?? null,
    // Frames differ in their addresses.
    key: short.trim().replaceAll(/\b0x[\da-f]{4,16}\b/gi, '0x'),
    short,
  }
}

function rankOf(line: string, salience: number | null): number | null {
  if (salience === ranks.failure) return 0
  if (salience === ranks.detail || (salience === null && isDetail(line))) return frameOf(line) === 'library' ? 4 : 1
  if (definition.test(line) || salience === ranks.mention) return 2
  if (passed.test(line)) return null
  if (pathsInText(line.slice(0, 500), 1).length > 0) return 3
  return salience === null ? null : 5
}

/** Tests that passed name files too. */
const mayHavePassed = /[✓✔√] |PASS|\nok \d|\.\.\. ok\n/
const passed = /^\s{0,12}(?:[✓✔√] |PASS\b|ok \d|--- PASS)|\bPASSED\b|\.\.\. ok$/

const definition =
  /^[ \t]{0,12}(?:\d{1,7}[:\t|→ -]{1,4})?(?:(?:export|default|pub(?:\([a-z]{1,9}\))?|public|private|protected|static|async|abstract|final|declare|unsafe)[ \t]{1,4}){0,4}(?:function|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace)[ \t*]{1,4}[A-Za-z_$(]|^(?:export[ \t]{1,4})?(?:const|let|var)[ \t]{1,4}[A-Za-z_$]/

/** The distinct paths in a text, in order and as spelled, at most `most`. Linear in the text. */
export function pathsInText(text: string, max: number): readonly string[] {
  if (max <= 0) return []
  const found = new Set<string>()
  let slash = text.indexOf('/')
  let dot = text.indexOf('.')
  for (let end = 0; slash >= 0 || dot >= 0; ) {
    // Most words have neither.
    const mark = slash < 0 || (dot >= 0 && dot < slash) ? dot : slash
    let start = mark
    while (start > end && isInPath(text, start - 1)) start -= 1
    start += Math.floor((mark - start) / maxPathLength) * maxPathLength
    end = mark + 1
    while (end - start < maxPathLength && isInPath(text, end)) end += 1
    const path = pathOf(text.slice(start, end))
    if (path !== null && found.add(path).size >= max) break
    if (slash >= 0 && slash < end) slash = text.indexOf('/', end)
    if (dot >= 0 && dot < end) dot = text.indexOf('.', end)
  }
  return [...found]
}

const maxPathLength = 300
const pathCodes = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.@~+/-]/.test(String.fromCharCode(code)) ? 1 : 0))

function isInPath(text: string, at: number): boolean {
  return pathCodes[text.charCodeAt(at)] === 1
}

const extension =
  /\.(?:[cm]?[jt]sx?|py|pyi|rs|go|rb|java|kts?|swift|c|cc|cpp|cxx|h|hh|hpp|cs|php|sh|bash|zsh|sql|html?|s?css|less|vue|svelte|json[l5c]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|xml|proto|gradle|tf|ipynb|lua|ex|exs|erl|hs|ml|scala|clj|dart|zig|nix|log|diff|patch|svg|png|jpe?g|gif|pdf)$/i

/** Named by commands and traces, and nothing to look at. */
const isDevice = /^\/dev\/(?:null|zero|random|urandom|tty|std(?:in|out|err))$/

const topFolders: ReadonlySet<string> = new Set(
  'app bin boot data dev etc home lib media mnt opt proc repo root run sbin srv src sys testbed tmp usr var work workspace'.split(
    ' ',
  ),
)

export function pathOf(token: string): string | null {
  let end = token.length
  while (end > 0 && '.-/+'.includes(token[end - 1] as string)) end -= 1
  // Behind `file:`.
  const path = token.slice(token.startsWith('///') ? 2 : 0, end)
  if (path.length < 4 || path.startsWith('//') || !/[A-Za-z]/.test(path) || isDevice.test(path)) return null
  if (extension.test(path)) return path
  if (/^(?:\.{1,2}|~)\//.test(path)) return path
  const [first = '', ...names] = path.split('/')
  // `/type` is a key or a closing tag, unless it is a folder that systems have.
  if (first === '') return names.length > 1 || topFolders.has(names[0] ?? '') ? path : null
  // `and/or`, `text/html` and the keys `Esc/q/Tab` are not paths: it takes three names, and not only words and letters with capitals.
  return names.length < 2 || /^[A-Z][a-z]*(?:\/(?:[A-Z][a-z]*|[a-z])){2}$/.test(path) ? null : path
}
