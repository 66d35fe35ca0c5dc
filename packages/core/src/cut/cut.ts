import type { ModelStrings } from '../strings/specification.ts'
import { escapeMarks } from '../text/labels.ts'
import { countCodePoints, countLines, countNewlines, firstCharacters, firstLines, withoutLastNewline } from '../text/lines.ts'
import { endsOf } from './cut-text.ts'
import { codeOfMessage, diagnosticOf } from './notable/diagnostics.ts'
import { writeNames } from './notable/file-names.ts'
import { type Candidate, frameOf, kindOf, ranks } from './salient.ts'
import type { Scan } from './scan.ts'

export type Shape = 'head-and-tail' | 'head'

export type Owner = 'cap' | 'tool'

export interface CutLimit {
  readonly maxChars: number
  /** Null: no line limit. A trailing newline does not start a line. */
  readonly maxLines: number | null
  /** Origin of `maxChars`; decides marker and reserve. */
  readonly by: Owner
  readonly linesBy?: Owner
  readonly strings: ModelStrings
  /** Whether removed salient lines are shown. Default: true. */
  readonly salient?: boolean
  /** When the text names the handle of its original, if there is room. Default: below salient lines. */
  readonly names?: 'always' | 'never'
}

export interface CutText {
  readonly text: string
  readonly salientLines: number
  readonly limitedBy: Owner
}

/** Cuts a scanned text that is over its limit. If the limit is too small for a marker, only the head is kept. */
export function cut(scan: Scan, handle: string, limit: CutLimit, shape: Shape): CutText {
  const exceeded = ownerOfExceeded(scan.chars, linesOf(scan), limit)
  const plans = [
    { plan: cutLines, limitedBy: limit.linesBy ?? limit.by },
    { plan: cutChars, limitedBy: limit.by },
    { plan: cutBoth, limitedBy: exceeded },
  ]
  for (const { plan, limitedBy } of plans) {
    let plain: Pieces | null = null
    for (const pieces of plan(scan, limit, shape)) {
      if (!isWithin(pieces, scan, limit)) continue
      const removed = limit.salient === false ? [] : removedBy(pieces, scan)
      const assembled = assemble(pieces, removed, scan, handle, limit)
      if (assembled !== null) return { ...assembled, limitedBy }
      plain ??= pieces
      if (removed.length === 0) break
    }
    if (plain !== null) return { text: join(plain), salientLines: 0, limitedBy }
  }
  const head = firstCharacters(scan.prefix, limit.maxChars)
  return { text: limit.maxLines === null ? head : firstLines(head, limit.maxLines), salientLines: 0, limitedBy: exceeded }
}

/** The tool, if any exceeded limit is its own; otherwise the cap. */
export function ownerOfExceeded(chars: number, lines: number, { maxChars, maxLines, by, linesBy = by }: CutLimit): Owner {
  const tool = (chars > maxChars && by === 'tool') || (maxLines !== null && lines > maxLines && linesBy === 'tool')
  return tool ? 'tool' : 'cap'
}

interface Pieces {
  readonly head: string
  readonly between: string
  readonly tail: string
  /** Where the tail starts, counted from the end of the text. */
  readonly back: number
  /** The same cut with fewer lines at both ends, to make room for `lines` salient ones. */
  readonly giving?: { readonly max: number; readonly withRoomFor: (lines: number) => Pieces }
}

/** First equal halves, then fewer lines, in case the lines are shorter than the marker. */
function* cutLines(scan: Scan, limit: CutLimit, shape: Shape): Generator<Pieces, void> {
  if (limit.maxLines === null || linesOf(scan) <= limit.maxLines) return
  const keep = limit.maxLines - 2
  for (let given = 0; given < keep; given = given === 0 ? 2 : given * 2) {
    yield linesAround(scan, limit, shape, keep - given)
    // If there are too many characters as well, cutting characters works better.
    if (scan.chars > limit.maxChars) return
  }
}

function linesAround(scan: Scan, limit: CutLimit, shape: Shape, keep: number): Pieces {
  const headLines = shape === 'head' ? keep : keep >> 1
  const { head, tail } = endsOf(scan, { head: headLines, tail: keep - headLines, in: 'lines' })
  const back = tail.length
  // The head excludes the newline of its last line, so a trailing empty line counts separately.
  const inHead = headLines === 0 ? 0 : countNewlines(head) + 1 + foldedWithin(scan, 0, head.length + 1)
  const removed = linesOf(scan) - inHead - linesInTail(scan, back)
  return {
    head,
    between: `${headLines === 0 ? '' : '\n'}${limit.strings.cutByLines(removed)}\n`,
    tail: withoutLastNewline(tail),
    back,
    giving: {
      max: shape === 'head' ? 0 : Math.floor(keep / 5),
      withRoomFor: (room) => linesAround(scan, limit, shape, keep - room),
    },
  }
}

/** The specification's arithmetic: two fifths of the limit minus a reserve, at each end. */
function cutChars(scan: Scan, limit: CutLimit, shape: Shape): readonly Pieces[] {
  const left = limit.maxChars - (limit.by === 'cap' ? 200 : 100)
  const size = shape === 'head' ? left : Math.trunc(left * 0.4)
  if (scan.chars <= limit.maxChars || size <= 0) return []
  return [marked(endsOf(scan, { head: size, tail: shape === 'head' ? 0 : size, in: 'characters' }), scan, limit)]
}

function cutBoth(scan: Scan, limit: CutLimit, shape: Shape): readonly Pieces[] {
  const [chars] = cutChars(scan, limit, shape)
  if (chars === undefined || limit.maxLines === null) return []
  const breaks = limit.maxLines - 1 - countNewlines(chars.between) - (limit.names === 'always' ? 1 : 0)
  if (breaks < 0) return []
  const headBreaks = shape === 'head' ? breaks : breaks >> 1
  const lines = { head: headBreaks + 1, tail: breaks - headBreaks + 1, in: 'lines' } as const
  return [marked(endsOf({ prefix: chars.head, suffix: chars.tail }, lines), scan, limit)]
}

function marked({ head, tail }: Pick<Pieces, 'head' | 'tail'>, scan: Scan, { by, strings }: CutLimit): Pieces {
  const chars = scan.chars - countCodePoints(head) - countCodePoints(tail)
  const folded = foldedWithin(scan, 0, head.length + 1) + foldedWithin(scan, scan.length - tail.length, scan.length)
  const lines = scan.newlines - countNewlines(head) - countNewlines(tail) - folded
  return { head, between: by === 'tool' ? strings.cutByTool(chars) : strings.cutByCap(chars, lines), tail, back: tail.length }
}

function isWithin(pieces: Pieces, scan: Scan, limit: CutLimit): boolean {
  const text = join(pieces)
  const chars = countCodePoints(text)
  return chars <= limit.maxChars && chars < scan.chars && (limit.maxLines === null || countLines(text) <= limit.maxLines)
}

function assemble(
  pieces: Pieces,
  removed: readonly Kind[],
  scan: Scan,
  handle: string,
  limit: CutLimit,
): Omit<CutText, 'limitedBy'> | null {
  const { head, tail, giving } = pieces
  if (removed.length === 0 || head === '' || tail === '') return null
  // A line that names a file may be there twice: with its message, and for the name.
  const different = new Set(removed.flatMap(({ lines }) => lines.map(({ start }) => start))).size
  const room = Math.min(giving?.max ?? 0, different)
  const roomy = giving !== undefined && room > 0 ? giving.withRoomFor(room) : pieces
  if (roomy.head === '' || roomy.tail === '') return null
  const text = join(roomy)
  const glue = roomy.between.endsWith('\n') ? '' : '\n'
  const kept = keptLines(
    roomy === pieces ? removed : removedBy(roomy, scan),
    {
      shown: shownLines(scan, roomy.head, roomy.back),
      lines: lastLine(scan),
      handle: limit.names === 'never' ? null : handle,
      around: text,
    },
    Math.min(limit.maxChars, scan.chars - 1) - countCodePoints(text) - glue.length,
    (limit.maxLines ?? Number.MAX_SAFE_INTEGER) - countLines(text) - glue.length,
  )
  return kept === null ? null : { text: join(roomy, glue + kept.text), salientLines: kept.lines }
}

function join({ head, between, tail }: Pieces, kept = ''): string {
  return head + between + kept + tail
}

function linesOf(scan: Scan): number {
  return scan.newlines + (scan.endsWithNewline ? 0 : 1)
}

/** The most important removed lines that fit, with line numbers and counts such as `(x3)`, and the notice below them. */
function keptLines(kinds: readonly Kind[], notice: Notice & { readonly around: string }, maxChars: number, maxLines: number) {
  const last = `${writeNotice(notice)}\n`
  const left = { chars: maxChars - countCodePoints(last), lines: maxLines - 1 }
  const kept = new Map<Kind, Candidate[]>()

  function take(wanted: readonly Wanted[], share = 0): void {
    const spare = { chars: Math.floor(left.chars * share), lines: Math.floor(left.lines * share) }
    for (const [kind, line] of wanted) {
      // The shortest possible line is "1: x" and its newline.
      if (left.chars - spare.chars < 5 || left.lines - spare.lines < 1) break
      const others = kept.get(kind) ?? []
      if (others.includes(line)) continue
      // The first shown line of a kind carries the count of those that do not fit.
      const size = countCodePoints(numbered(line, others.length === 0 ? kind.total : line.count))
      if (size > left.chars - spare.chars) continue
      left.chars -= size
      left.lines -= 1
      others.push(line)
      kept.set(kind, others)
    }
  }

  const ofRank = (rank: number) => kinds.filter(({ lines }) => lines[0]?.rank === rank)
  // Test runs list their failing tests again at the end, which is shown.
  const isListed = ({ lines: [first] }: Kind): boolean => {
    const test = diagnosticOf(first?.text ?? '')?.test ?? null
    return test !== null && notice.around.includes(test)
  }
  const frameIn = ({ lines: [first] }: Kind) => frameOf(first?.text ?? '')
  const hasOwnFrames = kinds.some((kind) => frameIn(kind) === 'own')
  const allFailures = ofRank(ranks.failure)
  // The first diagnostic of a code may be shown above the cut.
  const isShown = ({ code, total }: Kind) => code !== null && total > maxOfCode && notice.around.includes(code)
  const failures = allFailures.filter((kind) => !isListed(kind) && !isShown(kind))
  // Of many with one code, the first is an example of all.
  const otherFailures = failures.flatMap((kind) => {
    if (kind.code === null) return wantedOf([kind], (lines) => lines.slice(1, -1))
    return kind.total > maxOfCode ? [] : wantedOf([kind], (lines) => lines.slice(1))
  })
  take(
    wantedOf(failures, (lines) => lines.slice(0, 1)),
    0.3,
  )
  take(firstAndLast(ofRank(ranks.odd)))
  const isNamed = (name: string) =>
    notice.around.includes(name) || [...kept.values()].flat().some(({ text }) => text.includes(name))
  const unnamed = () =>
    ofRank(ranks.name).flatMap(({ lines: [first] }) => (first === undefined || isNamed(first.text) ? [] : [first]))
  take(firstAndLast(failures.filter(({ code }) => code === null)), unnamed().length > 0 ? 0.5 : 0)
  const names = left.lines < 1 ? null : writeNames(unnamed(), left.chars)
  if (names !== null) {
    left.chars -= countCodePoints(names.text)
    left.lines -= 1
  }
  // Many failures of one kind must not crowd out their stack frames and totals, or the other way round.
  take(otherFailures, 0.5)
  for (const rank of [ranks.odd, ranks.detail, ranks.total, ranks.mention, ranks.warning]) {
    const wanted = ofRank(rank).filter((kind) => !hasOwnFrames || frameIn(kind) !== 'library')
    take(firstAndLast(wanted))
    // Others differ in numbers only, which says little unless something failed.
    if (rank !== ranks.mention && rank !== ranks.warning) take(wantedOf(wanted, (lines) => lines.slice(1, -1)))
  }
  take(otherFailures)
  take(wantedOf(allFailures.filter(isListed), (lines) => lines))

  const shown = [...kept].flatMap(([kind, lines]) => {
    const unsaid = kind.total - lines.reduce((sum, line) => sum + line.count, 0)
    return lines.map((line, index) => ({ start: line.start, text: numbered(line, line.count + (index === 0 ? unsaid : 0)) }))
  })
  if (names !== null) shown.push(names)
  if (shown.length === 0) return null
  shown.sort((a, b) => a.start - b.start)
  return { text: shown.map(({ text }) => text).join('') + last, lines: shown.length }
}

const maxOfCode = 3

type Wanted = readonly [Kind, Candidate]

function firstAndLast(kinds: readonly Kind[]): readonly Wanted[] {
  return [...wantedOf(kinds, (lines) => lines.slice(0, 1)), ...wantedOf(kinds, (lines) => lines.slice(1).slice(-1))]
}

function wantedOf(kinds: readonly Kind[], choose: (lines: Kind['lines']) => Kind['lines']): readonly Wanted[] {
  return kinds.flatMap((kind) => choose(kind.lines).map((line): Wanted => [kind, line]))
}

function numbered({ line, text }: Candidate, count: number): string {
  return `${line}: ${escapeMarks(text)}${count > 1 ? ` (x${count})` : ''}\n`
}

interface Kind {
  readonly lines: readonly Candidate[]
  readonly total: number
  /** Of diagnostics with one code, or of their messages; the first is an example of all. */
  readonly code: string | null
}

function removedBy({ head, back }: Pieces, scan: Scan): readonly Kind[] {
  const to = scan.length - back
  const removed = scan.candidates.filter(({ start, end }) => end > head.length && start < to).sort((a, b) => a.start - b.start)
  const kinds = new Map<string, { readonly lines: Map<string, Candidate>; total: number; readonly code: string | null }>()
  for (const candidate of removed) {
    const code = candidate.kind === undefined ? (diagnosticOf(candidate.text)?.code ?? null) : codeOfMessage(candidate.kind)
    const key = candidate.kind ?? code ?? kindOf(candidate)
    const kind = kinds.get(key) ?? { lines: new Map<string, Candidate>(), total: 0, code }
    kinds.set(key, kind)
    const same = kind.lines.get(candidate.text)
    kind.lines.set(candidate.text, same === undefined ? candidate : { ...same, count: same.count + candidate.count })
    kind.total += candidate.count + candidate.alike
  }
  return [...kinds.values()].map(({ lines, ...kind }) => ({ ...kind, lines: [...lines.values()] }))
}

function shownLines(scan: Scan, head: string, back: number): Notice['shown'] {
  const { prefix, suffix, wholeLines } = scan
  const last = lastLine(scan)
  const headIsWhole = head.endsWith('\n') || (head.length < prefix.length ? prefix[head.length] === '\n' : wholeLines.before)
  const tailIsWhole = back < suffix.length ? suffix[suffix.length - back - 1] === '\n' : wholeLines.after
  const firstBreak = suffix.slice(suffix.length - back).indexOf('\n')
  const wholeBack = tailIsWhole ? back : firstBreak === -1 ? 0 : back - firstBreak - 1
  // A folded line counts once its text is shown, with or without its newline.
  const inHead = countLines(head) + foldedWithin(scan, 0, head.length + 1)
  return [
    [1, Math.max(1, inHead - (headIsWhole ? 0 : 1))],
    [Math.min(last, last - linesInTail(scan, wholeBack) + 1), last],
  ]
}

export function lastLine(scan: Scan): number {
  return scan.numbered + (scan.endsWithNewline ? 0 : 1)
}

function linesInTail(scan: Scan, back: number): number {
  return countLines(scan.suffix.slice(scan.suffix.length - back)) + foldedWithin(scan, scan.length - back, scan.length)
}

function foldedWithin(scan: Scan, from: number, to: number): number {
  return scan.folds.reduce((sum, fold) => (fold.at > from && fold.at <= to ? sum + fold.newlines : sum), 0)
}

/** Written after a cut that kept salient lines: which original lines are shown around it, and how to get the rest. */
export interface Notice {
  /** Line ranges before and after the cut: complete lines, or the first and last line if none is complete. */
  readonly shown: readonly [readonly [first: number, last: number], readonly [first: number, last: number]]
  readonly lines: number
  /** Null if it is not named. */
  readonly handle: string | null
}

/** Writes the format that `noticeAt` reads. */
export function writeNotice({ shown: [head, tail], handle }: Notice): string {
  return `[shown ${head[0]}-${head[1]}, ${tail[0]}-${tail[1]}${handle === null ? '' : `; recall ${handle}`}]`
}

/** Reads the notice at `index`. The caller has to verify it. */
export function noticeAt(text: string, index: number): { readonly notice: Notice; readonly end: number } | null {
  noticeHere.lastIndex = index
  const found = noticeHere.exec(text)
  const [, a, b, n, handle = null] = found ?? []
  const [last, first, lines] = [Number(a), Number(b), Number(n)]
  if (found === null || last < 1 || first < last || lines < first) return null
  return { notice: { shown: [[1, last], [first, lines]], lines, handle }, end: noticeHere.lastIndex } // biome-ignore format: two ranges, one line
}

const noticeHere = /\[shown 1-(\d{1,12}), (\d{1,12})-(\d{1,12})(?:; recall ([0-9a-f]{12}))?\]\n/y

/** The text with a line below it that names the original. */
export function withHandleLine(text: string, handle: string): string {
  return `${text}${text.endsWith('\n') ? '' : '\n'}[recall ${handle}]`
}

/** Reads what `withHandleLine` wrote: the handle, and what the text before it can have been. */
export function readHandleLine(text: string): { readonly handle: string; readonly texts: readonly string[] } | null {
  const found = /\n\[recall ([0-9a-f]{12})\]$/.exec(text.slice(-handleLineLength))
  if (found === null) return null
  const before = text.length - handleLineLength
  return { handle: found[1] as string, texts: [text.slice(0, before), text.slice(0, before + 1)] }
}

const handleLineLength = '\n[recall 0123456789ab]'.length

/** Builds a pattern from a marker that users can customize, with a group per number; null if the marker shows no numbers. */
export function markerPattern(write: (...numbers: readonly number[]) => string, count: number): RegExp | null {
  const probes = [731_946_025, 862_057_139].slice(0, count)
  const sample = write(...probes)
  const source = sample.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const found = probes.map((probe) => source.indexOf(String(probe)))
  const ordered = found.every((place, index) => place > (found[index - 1] ?? -1))
  if (!ordered) return null
  return new RegExp(
    probes.reduce((pattern, probe) => pattern.replace(String(probe), '(\\d{1,15})'), source),
    'g',
  )
}
