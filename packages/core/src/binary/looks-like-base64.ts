import type { Block } from './base64-block.ts'

/** Decides from a sample. Lines of one width may be a list, so they must look like one encoded stream. */
export function looksLikeBase64(text: string, block: Block, isAlone: boolean): boolean {
  if (block.lines.length === 1) return looksLikeRun(text, block)
  const lines = sampleLines(text, block)
  const sample = lines.map(({ line }) => line).join('')
  if (!isVaried(sample) || mixesAlphabets(sample)) return false
  if (looksLikeStream(text, block, lines, sample)) return true
  return isAlone && block.width >= minWidthAlone && isNoList(block, lines, sample)
}

/** Narrower lines are more often tokens than wrapped data. */
const minWidthAlone = 60

function isNoList(block: Block, lines: readonly SampledLine[], sample: string): boolean {
  if (/^[\da-f]+$/i.test(sample)) return false
  if (meanLowerCaseRun(sample) > maxLowerCaseRun.inLines && new Set(sample).size < 62) return false
  // A repeated pattern gives equal lines; losing a list that repeats one entry hundreds of times is harmless.
  if (lines.every(({ line, below }) => line === below)) return true
  return !hasFixedColumn(lines, block.width) && (hasBothSymbols(sample) || encodesText(lines, block.width))
}

/** Whether a short text is more likely base64 than a word or a name. */
export function looksLikePiece(piece: string): boolean {
  return isVaried(piece) && meanLowerCaseRun(piece) <= maxLowerCaseRun.inLines
}

function isVaried(sample: string): boolean {
  return /[A-Z]/.test(sample) && /[a-z]/.test(sample) && /[0-9]/.test(sample)
}

// In base64 about every second character is not a lower-case letter; in names and paths only one in five.
const maxLowerCaseRun = { inRun: 3, inLines: 2.5 }

function looksLikeRun(text: string, { start, end }: Block): boolean {
  const windows = 16
  const length = 64
  let sample = ''
  for (let index = 0; index < windows; index += 1) {
    const from = start + Math.floor(((end - start) * index) / windows)
    sample += text.slice(from, Math.min(end, from + length))
  }
  if (mixesAlphabets(sample) || !(isVaried(sample) || encodesLetters(text, start, end))) return false
  // The alphabet in order has long runs too, but no word contains all of it.
  return meanLowerCaseRun(sample) <= maxLowerCaseRun.inRun || new Set(sample).size >= 62
}

/** A short repeated text may encode to base64 without digits, but it still decodes to text. */
function encodesLetters(text: string, start: number, end: number): boolean {
  const line = text.slice(start, Math.min(end, start + 1024))
  return /[A-Z]/.test(line) && /[a-z]/.test(line) && wrongBytes(line, 0) === 0
}

function looksLikeStream(text: string, block: Block, lines: readonly SampledLine[], sample: string): boolean {
  if (meanLowerCaseRun(sample) > maxLowerCaseRun.inLines || hasFixedColumn(lines, block.width)) return false
  // Lines of random tokens look like wrapped data, except that a list does not end in a shorter line.
  const noTokens = block.ends || block.width === mimeWidth || startsLikeFile(text, block)
  return (noTokens && hasBothSymbols(sample)) || encodesText(lines, block.width)
}

/** The width at which most encoders wrap, and no token ends. */
const mimeWidth = 76

function startsLikeFile(text: string, { start }: Block): boolean {
  const before = text.slice(Math.max(0, start - 8), start)
  return before.trimEnd().endsWith('-----') || knownFile.test(text.slice(start, start + 16))
}

// PNG, JPEG, GIF, PDF, ZIP and Office files, gzip, WebAssembly, ELF, RIFF (WebP, WAV), MP3, Ogg.
const knownFile = /^(?:iVBORw0KGgo|\/9j\/|_9j_|R0lGOD|JVBERi0|UEsDB|H4sI|AGFzbQ|f0VMRg|UklGR|SUQz|T2dnUw)/

type SampledLine = ReturnType<typeof sampleLines>[number]

function sampleLines(text: string, { lines, width }: Block) {
  const step = Math.ceil(lines.length / 160)
  const lineAt = (index: number) => text.slice(lines[index], (lines[index] as number) + width)
  const sampled = []
  for (let index = 0; index + 1 < lines.length; index += step)
    sampled.push({ index, line: lineAt(index), below: lineAt(index + 1) })
  return sampled
}

function mixesAlphabets(sample: string): boolean {
  return /[+/]/.test(sample) && /[-_]/.test(sample)
}

/** Random bytes give both symbols. Names use at most one as a separator; hashes and plain tokens use none. */
function hasBothSymbols(sample: string): boolean {
  return (sample.includes('+') && sample.includes('/')) || (sample.includes('-') && sample.includes('_'))
}

function meanLowerCaseRun(sample: string): number {
  const runs = sample.match(/[a-z]+/g) ?? []
  return runs.reduce((sum, run) => sum + run.length, 0) / Math.max(1, runs.length)
}

function hasFixedColumn(lines: readonly SampledLine[], width: number): boolean {
  for (let column = 0; column < width; column += 1) {
    let same = 0
    for (const { line, below } of lines) {
      const unit = line.charCodeAt(column)
      if (unit !== below.charCodeAt(column) || unit === zeroSextet) continue
      if (unit !== line.charCodeAt(column - 1) && unit !== line.charCodeAt(column + 1)) same += 1
    }
    if (same >= lines.length * 0.9) return true
  }
  return false
}

const zeroSextet = 'A'.charCodeAt(0)

/** Whether the sample decodes to text, which may lack the symbols. It may start at any position of a four-character group. */
function encodesText(lines: readonly SampledLine[], width: number): boolean {
  const bytes = lines.length * width * 0.75
  return [0, 1, 2, 3].some((phase) => {
    let wrong = 0
    for (const { index, line } of lines) wrong += wrongBytes(line, (phase + index * width) & 3)
    return wrong <= bytes * 0.05
  })
}

/** Counts bytes that are not UTF-8: almost none if the line encodes text, else half. `phase` is its position in a group of four. */
function wrongBytes(line: string, phase: number): number {
  let wrong = 0
  let bits = 0
  // Continuation bytes still needed. The line may start inside a character.
  let needed = -1
  for (let index = (4 - phase) & 3, count = 0; index < line.length; index += 1, count += 1) {
    bits = ((bits << 6) | (sextets[line.charCodeAt(index)] as number)) & 0xffff
    const place = count & 3
    if (place === 0) continue
    const byte = (bits >> (6 - 2 * place)) & 0xff
    const continues = byte >> 6 === 0b10
    if (continues ? needed === 0 : needed > 0) wrong += 1
    if (continues) needed = Math.max(needed - 1, needed === -1 ? -1 : 0)
    else needed = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
  }
  return wrong
}

const sextets = new Uint8Array(128)
for (const [sextet, unit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  sextets[unit.charCodeAt(0)] = sextet
sextets['-'.charCodeAt(0)] = 62
sextets['_'.charCodeAt(0)] = 63
