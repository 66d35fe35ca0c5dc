import { type Message, type Part, policiesNamed, type ToolResultPart } from '@plimsoll/core'
import { rememberedBytes } from './request.ts'

/** A reference line with a wrong claim about where lines are shown. */
export interface FalseReference {
  /** The message of the view and its part. */
  readonly message: string
  readonly part: number
  /** The line as the model reads it. */
  readonly text: string
  readonly reason: 'not shown before it' | 'does not match the original' | 'never shown' | 'cannot be recalled'
}

/** The result of checking one view. */
export interface ReferenceCheck {
  /** Reference lines to content shown above. */
  readonly above: number
  /** Lines that only name omitted content and its handle. */
  readonly restated: number
  readonly wrong: readonly FalseReference[]
}

/** Checks the references in the views of one conversation. Knows only the form of a reference, nothing else about the engine. */
export interface ReferenceChecker {
  readonly check: (
    originals: readonly Message[],
    view: readonly Message[],
    isRecallable: (handle: string) => boolean,
  ) => ReferenceCheck
  /** Remembers what a model has seen. */
  readonly accepted: (originals: readonly Message[], view: readonly Message[]) => void
}

/** Starts a conversation that no model has seen yet. */
export function createReferenceChecker(): ReferenceChecker {
  const index = createLineIndex()
  const acceptedTexts = new Set<ShownText>()
  const known = new Set<string>()
  // Results of the last view that are complete, counting the lines of their references.
  let complete: (readonly string[])[] = []
  // A model has answered them, but not to one of our requests: another client sent them unchanged.
  const noteAnswered = (originals: readonly Message[]) => {
    const answered = originals.slice(0, originals.findLastIndex(({ role }) => role === 'assistant') + 1)
    const others = answered.filter((message) => !known.has(rememberedBytes(message)))
    for (const message of others) known.add(rememberedBytes(message))
    for (const shown of placesIn(others, index).keys()) acceptedTexts.add(shown)
    const forms = others.length === 0 ? null : shorterForms(originals)
    for (const { id, parts } of others)
      for (const at of parts.keys()) {
        const form = forms?.get(`${id}.${at}`)
        if (form !== undefined) acceptedTexts.add(index.add(resultLines(form)))
      }
  }
  return {
    check(originals, view, isRecallable) {
      noteAnswered(originals)
      complete = []
      const marked = markedResults(view)
      if (marked.length === 0) return { above: 0, restated: 0, wrong: [] }
      const places = placesIn(view, index)
      const originalsByCall = resultsByCall(originals)
      const sum = { above: 0, restated: 0 }
      const wrong: FalseReference[] = []
      for (const { message, at, part, result } of marked) {
        const sources = originalsByCall(message.id, result)
        const text = resultLines(result)
        const shown = index.add(text)
        const isBefore = (other: ShownText, line: number, count: number, marker: number) => {
          const first = places.get(other)
          return other === shown && line + count <= marker
            ? true
            : first !== undefined && (first.at < at || (first.at === at && first.part < part))
        }
        let least: readonly FalseReference[] | null = null
        let counted = { above: 0, restated: 0 }
        for (const source of sources) {
          const markers = markersOf(text, source)
          const found = markers.flatMap((marker): readonly FalseReference[] => {
            const lineText = text[marker.line] as string
            const isWrong = (reason: FalseReference['reason']) => [{ message: message.id, part, text: lineText, reason }]
            if (marker.kind === 'restated' && !isRecallable(marker.handle)) return isWrong('cannot be recalled')
            const isShown: IsShown =
              marker.kind === 'restated'
                ? (other) => acceptedTexts.has(other)
                : (other, line, count) => isBefore(other, line, count, marker.line)
            const outcome = holds(marker, text, source, index, isShown)
            if (outcome === 'true') return []
            if (outcome === 'unaligned') return isWrong('does not match the original')
            return isWrong(marker.kind === 'restated' ? 'never shown' : 'not shown before it')
          })
          if (least !== null && found.length >= least.length) continue
          least = found
          if (found.length === 0 && isWhole(text, source)) complete.push(source)
          counted = {
            above: markers.filter(({ kind }) => kind === 'above').length,
            restated: markers.filter(({ kind }) => kind === 'restated').length,
          }
        }
        sum.above += counted.above
        sum.restated += counted.restated
        wrong.push(...(least ?? []))
      }
      return { ...sum, wrong }
    },
    accepted(originals, view) {
      for (const message of originals) known.add(rememberedBytes(message))
      for (const shown of placesIn(view, index).keys()) acceptedTexts.add(shown)
      // A model that saw some lines and correct references for the lines between them has seen all of them.
      for (const lines of complete) acceptedTexts.add(index.add(lines))
    },
  }
}

/** A line of a shown result that replaces lines of its original. */
interface Marker {
  readonly kind: 'above' | 'restated'
  readonly line: number
  readonly count: number
  readonly isRepeating: boolean
  readonly handle: string
}

const markerLine = /^\[(\d{1,7}) lines( as shown above)?( over and over)?: .{1,200}; recall ([0-9a-f]{12})\]$/

function markerAt(text: string, line: number): Marker | null {
  const found = markerLine.exec(text)
  if (found === null) return null
  const [, count, above, often, handle = ''] = found
  return {
    kind: above === undefined ? 'restated' : 'above',
    line,
    count: Number(count),
    isRepeating: often !== undefined,
    handle,
  }
}

/** The markers of a shown text that are not in its original. */
function markersOf(shown: readonly string[], original: readonly string[]): readonly Marker[] {
  const own = new Set(original)
  return shown.flatMap((text, line) => (text.startsWith('[') && !own.has(text) ? (markerAt(text, line) ?? []) : []))
}

interface MarkedResult {
  readonly message: Message
  readonly at: number
  readonly part: number
  readonly result: ToolResultPart
}

function markedResults(view: readonly Message[]): readonly MarkedResult[] {
  const marked: MarkedResult[] = []
  for (const [at, message] of view.entries()) {
    for (const [part, result] of message.parts.entries()) {
      if (result.type !== 'tool-result') continue
      const isMarked = textsOf(result).some((text) => text.includes('; recall ') && text.split('\n').some(isMarkerLine))
      if (isMarked) marked.push({ message, at, part, result })
    }
  }
  return marked
}

function isMarkerLine(line: string): boolean {
  return line.startsWith('[') && markerLine.test(line)
}

/** Finds the possible originals of a shown result: that of the same message, else all results of the same call. */
function resultsByCall(
  originals: readonly Message[],
): (message: string, result: ToolResultPart) => readonly (readonly string[])[] {
  // A reference in a result that is shown in a shorter form stands between lines of that form.
  const shorter = shorterForms(originals)
  const all = originals.flatMap(({ id, parts }) =>
    parts.flatMap((part, index) => {
      if (part.type !== 'tool-result') return []
      const form = shorter.get(`${id}.${index}`)
      const own = { id, part, lines: () => resultLines(part) }
      return form === undefined ? [own] : [own, { id, part, lines: () => resultLines(form) }]
    }),
  )
  const byCall = Map.groupBy(all, ({ part }) => part.callId)
  return (message, { callId }) => {
    const found = byCall.get(callId) ?? []
    return found.toSorted((one, other) => Number(other.id === message) - Number(one.id === message)).map(({ lines }) => lines())
  }
}

/** Results in the shorter form that loses nothing, as `message.part`: who has seen the one has seen the other. */
function shorterForms(originals: readonly Message[]): ReadonlyMap<string, ToolResultPart> {
  const edits = policiesNamed(['shorten-losslessly']).flatMap((policy) => policy.plan(originals, {}))
  return new Map(
    edits.flatMap((edit) =>
      edit.kind === 'replace' && edit.with.type === 'tool-result' ? [[`${edit.message}.${edit.part}`, edit.with]] : [],
    ),
  )
}

/** Whether a shown text and its references cover every line of an original. */
function isWhole(shown: readonly string[], original: readonly string[]): boolean {
  const { cut, total } = layoutOf(shown)
  return cut === null && total === original.length
}

type IsShown = (text: ShownText, line: number, count: number) => boolean

/** Whether the lines that a marker replaces are shown where it says. */
function holds(
  marker: Marker,
  shown: readonly string[],
  original: readonly string[],
  index: LineIndex,
  isShown: IsShown,
): 'true' | 'false' | 'unaligned' {
  const bare = bareLines(original)
  const layout = layoutOf(shown)
  const fromStart = layout.lines.slice(0, marker.line).reduce((sum, { count }) => sum + count, 0)
  const fromEnd = bare.length - layout.total + fromStart
  for (const from of placesInOriginal(marker, layout, fromStart, fromEnd)) {
    const run = bare.slice(from, from + marker.count)
    if (from < 0 || run.length < marker.count) continue
    if (isRunShown(marker.isRepeating ? run.slice(0, periodOf(run)) : run, index, isShown))
      return isAligned(shown, bare, layout) ? 'true' : 'unaligned'
  }
  // The marker may replace lines of a cut text, including the notice of the cut.
  if (layout.cut === null && layout.total === bare.length) return 'false'
  const isCopy = ({ text, line }: LinePlace) =>
    isShown(text, line, marker.count) && isCutOf(text, line, marker.count, bare, fromStart, fromEnd)
  return index.cutWindows(marker.count).some(isCopy) ? 'true' : 'false'
}

/** How many lines each shown line represents, and where a cut is. */
interface Layout {
  readonly lines: readonly { readonly count: number }[]
  readonly cut: number | null
  readonly notice: number | null
  readonly total: number
}

const notice = /^\[(?:shown \d+-\d+, \d+-\d+|[\d,]+ characters cut); recall [0-9a-f]{12}\]$/

const layouts = new WeakMap<readonly string[], Layout>()

function layoutOf(shown: readonly string[]): Layout {
  const known = layouts.get(shown)
  if (known !== undefined) return known
  const made = readLayout(shown)
  layouts.set(shown, made)
  return made
}

function readLayout(shown: readonly string[]): Layout {
  const lines = shown.map((text, line) => ({ count: text.startsWith('[') ? (markerAt(text, line)?.count ?? 1) : 1 }))
  const cut = shown.indexOf('[cut]')
  const end = cut < 0 ? -1 : shown.findIndex((text, line) => line > cut && notice.test(text))
  return {
    lines,
    cut: cut < 0 || end < 0 ? null : cut,
    notice: cut < 0 || end < 0 ? null : end,
    total: lines.reduce((sum, { count }) => sum + count, 0),
  }
}

/** Where a marker's first line may be in the original, counted from its start and from its end. */
function placesInOriginal({ line }: Marker, { cut, notice: end }: Layout, fromStart: number, fromEnd: number): readonly number[] {
  if (cut === null || end === null) return fromStart === fromEnd ? [fromStart] : [fromStart, fromEnd]
  return line < cut ? [fromStart] : line > end ? [fromEnd] : []
}

const alignments = new WeakMap<readonly string[], WeakMap<readonly string[], boolean>>()

/** Whether the lines shown verbatim are at the position in the original that the markers between them imply. */
function isAligned(shown: readonly string[], bare: readonly string[], layout: Layout): boolean {
  const known = alignments.get(shown) ?? new WeakMap<readonly string[], boolean>()
  alignments.set(shown, known)
  const answer = known.get(bare) ?? align(shown, bare, layout)
  known.set(bare, answer)
  return answer
}

function align(shown: readonly string[], bare: readonly string[], layout: Layout): boolean {
  const { lines, cut, notice: end, total } = layout
  const isWhole = cut === null && total === bare.length
  let fromStart = 0
  for (const [line, text] of shown.entries()) {
    const { count } = lines[line] as { readonly count: number }
    const fromEnd = bare.length - (total - fromStart)
    const said = withoutNumber(text)
    const isThere = isWhole
      ? bare[fromStart] === said
      : cut === null || end === null
        ? // A marker replaces one end of the cut or both.
          bare[fromStart] === said || bare[fromEnd] === said || isOfCut(said, bare) || isKeptLine(said)
        : line < cut
          ? // A cut may end in the middle of a line.
            bare[fromStart] === said || (line === cut - 1 && (bare[fromStart] ?? '').startsWith(said))
          : line > end
            ? bare[fromEnd] === said || (line === end + 1 && (bare[fromEnd] ?? '').endsWith(said))
            : true
    if (!isThere && !isMarkerLine(text)) return false
    fromStart += count
  }
  return true
}

/** Whether a line has the number that a cut puts before kept lines. It may differ once terminal codes are removed. */
function isKeptLine(line: string): boolean {
  return /^\d+: /.test(line)
}

/** Whether a line is one of those that a cut keeps, or says how to recall the rest. */
function isOfCut(line: string, bare: readonly string[]): boolean {
  if (line === '[cut]' || notice.test(line) || line.startsWith('paths: ')) return true
  const said = line
    .replace(/^\s*\d+[:|→\t]\s?/, '')
    .replace(/…$/, '')
    .replaceAll('\\', '')
  return wholeText(bare).includes(said)
}

const wholeTexts = new WeakMap<readonly string[], string>()

function wholeText(bare: readonly string[]): string {
  const whole = wholeTexts.get(bare) ?? bare.join('\n').replaceAll('\\', '')
  wholeTexts.set(bare, whole)
  return whole
}

const bares = new WeakMap<readonly string[], readonly string[]>()

function bareLines(original: readonly string[]): readonly string[] {
  const bare = bares.get(original) ?? original.map(withoutNumber)
  bares.set(original, bare)
  return bare
}

/**
 * Whether lines of a cut text, repeated in another result, are what a cut of that one shows: lines from the start of the original, the
 * lines that the cut kept, and lines up to its end. A cut may end in the middle of a line.
 */
function isCutOf(
  { lines }: ShownText,
  line: number,
  count: number,
  bare: readonly string[],
  fromStart: number,
  fromEnd: number,
): boolean {
  const cut = lines.indexOf('[cut]')
  const end = lines.findIndex((text, at) => at > cut && text !== null && notice.test(text))
  return lines.slice(line, line + count).every((text, at) => {
    if (text === null) return false
    const place = line + at
    if (place < cut) {
      const wanted = bare[fromStart + at] ?? ''
      return place === cut - 1 ? wanted.startsWith(text) : wanted === text
    }
    if (place > end) {
      const wanted = bare[fromEnd + at] ?? ''
      return place === end + 1 ? wanted.endsWith(text) : wanted === text
    }
    return isOfCut(text, bare)
  })
}

/** The length of the shortest run that, repeated, gives all of these lines. */
function periodOf(run: readonly string[]): number {
  const borders: number[] = [0]
  for (let at = 1, border = 0; at < run.length; at += 1) {
    while (border > 0 && run[at] !== run[border]) border = borders[border - 1] as number
    if (run[at] === run[border]) border += 1
    borders.push(border)
  }
  return run.length - (borders.at(-1) ?? 0)
}

function isRunShown(run: readonly string[], index: LineIndex, isShown: IsShown): boolean {
  let rarest = 0
  for (const [at, line] of run.entries())
    if (index.placesOf(line).length < index.placesOf(run[rarest] as string).length) rarest = at
  return index.placesOf(run[rarest] as string).some(({ text, line }) => {
    const from = line - rarest
    return from >= 0 && run.every((each, at) => text.lines[from + at] === each) && isShown(text, from, run.length)
  })
}

/** A text of a view, as lines without their numbers; null for a line that stands for others. */
interface ShownText {
  readonly lines: readonly (string | null)[]
}

interface LinePlace {
  readonly text: ShownText
  readonly line: number
}

interface LineIndex {
  readonly add: (lines: readonly string[]) => ShownText
  readonly placesOf: (line: string) => readonly LinePlace[]
  /** All runs of this many lines in texts that were cut. */
  readonly cutWindows: (count: number) => readonly LinePlace[]
}

function createLineIndex(): LineIndex {
  const texts = new Map<string, ShownText>()
  const byLines = new WeakMap<readonly string[], ShownText>()
  const places = new Map<string, LinePlace[]>()
  const cut: ShownText[] = []
  return {
    add(lines) {
      const same = byLines.get(lines)
      if (same !== undefined) return same
      const key = lines.join('\n')
      const known = texts.get(key)
      if (known !== undefined) {
        byLines.set(lines, known)
        return known
      }
      const text: ShownText = { lines: lines.map((line) => (isMarkerLine(line) ? null : withoutNumber(line))) }
      texts.set(key, text)
      byLines.set(lines, text)
      for (const [line, shown] of text.lines.entries()) {
        if (shown === null) continue
        const list = places.get(shown)
        if (list === undefined) places.set(shown, [{ text, line }])
        else list.push({ text, line })
      }
      if (lines.includes('[cut]')) cut.push(text)
      return text
    },
    placesOf: (line) => places.get(line) ?? [],
    cutWindows: (count) =>
      cut.flatMap((text) => Array.from({ length: Math.max(0, text.lines.length - count + 1) }, (_, line) => ({ text, line }))),
  }
}

/** Where each text of a view appears first: results, and the texts in arguments of calls. */
function placesIn(
  view: readonly Message[],
  index: LineIndex,
): ReadonlyMap<ShownText, { readonly at: number; readonly part: number }> {
  const places = new Map<ShownText, { at: number; part: number }>()
  for (const [at, message] of view.entries()) {
    for (const [part, value] of message.parts.entries()) {
      for (const lines of shownLinesOf(value)) {
        const text = index.add(lines)
        if (!places.has(text)) places.set(text, { at, part })
      }
    }
  }
  return places
}

const shownLines = new WeakMap<Part, readonly (readonly string[])[]>()

function shownLinesOf(part: Part): readonly (readonly string[])[] {
  const known = shownLines.get(part)
  if (known !== undefined) return known
  const made =
    part.type === 'tool-result'
      ? [resultLines(part)]
      : part.type === 'tool-call'
        ? stringsIn(parsed(part.input)).map((text) => text.split('\n'))
        : []
  shownLines.set(part, made)
  return made
}

/** Returns the same list for the same text, so that facts cached for it are found again. */
function resultLines(part: ToolResultPart): readonly string[] {
  const text = textsOf(part).join('\n')
  const lines = linesOfText.get(text) ?? text.split('\n')
  linesOfText.set(text, lines)
  return lines
}

const linesOfText = new Map<string, readonly string[]>()

function textsOf({ content }: ToolResultPart): readonly string[] {
  if (content.type === 'text') return [content.text]
  if (content.type === 'json') return stringsIn(content.value)
  return content.items.flatMap((item) => (item.type === 'text' ? [item.text] : []))
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

/** A line without a tool's line number, or the mark that is left of it. */
function withoutNumber(line: string): string {
  return line.replace(/^(?: {0,8}\d{1,7}[→\t]|→)/, '')
}
