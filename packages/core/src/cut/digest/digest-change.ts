import type { DigestFields, DigestSource } from '../../facts.ts'
import { countLines } from '../../text/code-points.ts'
import { clip, clipLine, clipLines, lineWidth } from './clip.ts'
import { subject } from './digest-entries.ts'

/** A change to a file: the file, the lines that changed, and a fragment; of a long diff only its counts and places. */
export function digestEdit(text: string, { about, settings }: DigestSource): DigestFields {
  const path = subject('path', about)
  const diff = readDiff(text, about.length === 1)
  if (diff === null || countLines(text) <= settings.edit_lines)
    return { ...path, ...changedLines(text), fragment: fragmentOf(text, settings.edit_lines) }
  const { summary, added, removed, ranges } = diff
  return {
    ...path,
    ...(summary === '' ? {} : { summary }),
    added,
    removed,
    changed: ranges.slice(0, settings.edit_lines),
    ...(ranges.length > settings.edit_lines ? { changed_total: ranges.length } : {}),
  }
}

/** A file that was written: the file, whether it is new, and its first lines. */
export function digestWrite(text: string, { about, settings }: DigestSource): DigestFields {
  return { ...subject('path', about), ...actionOf(text, about), fragment: fragmentOf(text, settings.write_lines) }
}

/** Characters for each line of a fragment, on the average. */
const averageWidth = 80

function fragmentOf(text: string, lines: number): string {
  return clip(clipLines(text, lines, lineWidth).join('\n').trimEnd(), lines * averageWidth)
}

/** What the tool says above the file that it did; the file's own name says nothing about it. */
function actionOf(text: string, about: readonly string[]): DigestFields {
  const line = clipLines(text.trimStart(), 1, lineWidth * 2)[0] ?? ''
  const said = about.reduce((rest, path) => rest.replaceAll(path, ''), line)
  if (/overwr|updated|replaced|existing/i.test(said)) return { action: 'overwritten' }
  return /creat|new file|^--- \/dev\/null/i.test(said) ? { action: 'created' } : {}
}

/** The lines a snippet shows, where they are numbered. */
function changedLines(text: string): DigestFields {
  const numbers = [...text.matchAll(/^\s{0,12}(\d{1,9})(?:→|\t)/gm)]
  const [first, last] = [numbers[0]?.[1], numbers.at(-1)?.[1]]
  return first === undefined || last === undefined ? {} : { changed: [`${first}-${last}`] }
}

interface Diff {
  /** What the tool says above the diff. */
  readonly summary: string
  readonly added: number
  readonly removed: number
  /** The lines of the new file that each hunk covers, with its name where the call does not tell of one file. */
  readonly ranges: readonly string[]
}

function readDiff(text: string, isOneFile: boolean): Diff | null {
  const ranges: string[] = []
  let [added, removed] = [0, 0]
  let file = ''
  for (const line of text.split('\n')) {
    const hunk = /^@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line)
    if (hunk !== null) {
      const first = Number(hunk[1])
      ranges.push(`${file}${first}-${first + Math.max(1, Number(hunk[2] ?? 1)) - 1}`)
    } else if (line.startsWith('+++ ')) {
      const [, name = ''] = /^\+\+\+ (?:b\/)?([^\t]{1,400})/.exec(line) ?? []
      file = isOneFile || name === '' ? '' : `${clipLine(name.trim(), lineWidth)}:`
    } else if (ranges.length > 0 && line.startsWith('+')) added += 1
    else if (ranges.length > 0 && line.startsWith('-') && !line.startsWith('--- ')) removed += 1
  }
  if (ranges.length === 0) return null
  const head = clipLines(text, 1, lineWidth)[0] ?? ''
  return { summary: /^(?:[-+@]|diff |index )/.test(head) ? '' : clipLine(head, lineWidth), added, removed, ranges }
}
