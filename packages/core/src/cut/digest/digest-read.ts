import type { DigestFields, DigestSource } from '../../facts.ts'
import { isRecord, resultData, resultText, type ToolResultPart } from '../../message.ts'
import { countLines, firstLines } from '../../text/lines.ts'
import { clip, clipLine, entriesOf, lineWidth, subject, truncatedFlag } from './digest-entries.ts'

export function digestRead(text: string, { about, fields, input, settings }: DigestSource): DigestFields {
  const path = subject('path', about)
  if (countLines(text) <= settings.read_lines) return { ...path, content: text, ...noteIn(text) }
  const banner = partBanner.exec(text)
  const body = (banner === null ? text : text.slice(banner[0].length)).replace(wayOn, '')
  const kept = firstLines(body, settings.read_lines)
  const lines = kept.split('\n')
  const own = ownNumbers(lines)
  const first = own?.first ?? (banner === null ? (firstLine(fields) ?? firstLine(input) ?? 1) : Number(banner[1]))
  const last = own === null ? first + lines.length - 1 : own.last
  return {
    ...path,
    ...(last === null ? {} : { lines: `${first}-${last}` }),
    // Headings, notes and frames around numbered lines are not lines of the file.
    lines_read: own === null ? countLines(body) : body.split('\n').filter((line) => numberOf(line) !== null).length,
    content: own === null ? lines.map((line, index) => `${first + index}→${line}`).join('\n') : kept,
    ...noteIn(text),
  }
}

/** The header that Gemini CLI prints above part of a file, whose lines are not numbered. */
const partBanner =
  /^\s{0,4}IMPORTANT: The file content has been truncated\.\s{1,4}Status: Showing lines (\d{1,9})-\d{1,9} of [^\n]{1,80}\n[^\n]{0,500}\n{1,3}--- FILE CONTENT[^\n]{0,80}\n/

/** The last line of pi's answer about part of a file, whose lines are not numbered. */
const wayOn = /\n\n\[(?:\d{1,9} more lines in file|Showing lines \d{1,9}-\d{1,9} of)[^\n]{1,80} to continue\.?\]\s{0,4}$/

const numbered = /^\s{0,12}L?(\d{1,9})(?:→|\t| ?\||: )/

/** Line numbers printed with the lines. `last` is null if they are not one range, as with several files. */
function ownNumbers(lines: readonly string[]): { readonly first: number; readonly last: number | null } | null {
  const above = lines.slice(0, maxHeading + 1).findIndex((line) => numbered.test(line))
  const first = numberOf(lines[above])
  if (first === null) return null
  const next = lines[above + 1]
  if (next !== undefined && numberOf(next) !== first + 1) return null
  const last = first + lines.length - above - 1
  return { first, last: numberOf(lines.at(-1)) === last ? last : null }
}

/** Lines above the first line of the file: opencode prints path, type and a tag. */
const maxHeading = 3

function numberOf(line: string | undefined): number | null {
  const found = line === undefined ? null : numbered.exec(line.slice(0, 40))
  return found === null ? null : Number(found[1])
}

function firstLine(fields: DigestFields | null): number | undefined {
  const range = fields?.['view_range']
  const said = [fields?.['offset'], fields?.['start_line'], fields?.['startLine'], Array.isArray(range) ? range[0] : undefined]
  return said.find((value): value is number => Number.isSafeInteger(value) && (value as number) > 0)
}

/** Reads an envelope `{ status, data, … }` with its subject, flags and note; other JSON; or text. */
export function readResult(part: ToolResultPart, isError: boolean) {
  const text = resultText(part)
  const value = resultData(part)
  if (isEnvelope(value)) return readEnvelope(value, text, isError)
  const fields = fieldsOf(value)
  const error = isError && fields !== null ? (fields['error'] ?? fields['message']) : undefined
  return { status: isError ? 'error' : 'success', fields: without(fields, error), text, error, lifted: {} }
}

type Envelope = DigestFields & { readonly status: string }

function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value['status'] !== 'string' || !statuses.has(value['status'])) return false
  return 'data' in value || 'error' in value || ('text' in value && ('stats' in value || 'context' in value))
}

/** Status values of an envelope; a `status` with any other value is data. */
const statuses: ReadonlySet<string> = new Set(['success', 'ok', 'partial', 'warning', 'error', 'failed'])

function readEnvelope(envelope: Envelope, whole: string, isError: boolean) {
  const { data, error, text, context } = envelope as DigestFields
  const said = envelope.status
  const flags = ['truncated', 'applied', 'fallback', 'modified_externally'].filter((key) => typeof envelope[key] === 'boolean')
  const fields = fieldsOf(data)
  // Omit the text if the data or the error contains it; otherwise it is the response.
  const isTold = !isEmpty(data) || (isError && !isEmpty(error))
  const answer = typeof data === 'string' ? data : !isTold && typeof text === 'string' ? text : null
  return {
    status: isError === (said === 'error' || said === 'failed') ? said : isError ? 'error' : 'success',
    fields: answer === null ? (fields ?? {}) : null,
    text: answer ?? whole,
    error: isError ? error : undefined,
    lifted: { ...liftedFrom(context), ...Object.fromEntries(flags.map((key) => [key, envelope[key]])), ...noteIn(text) },
  }
}

function isEmpty(data: unknown): boolean {
  return data === undefined || data === null || (isRecord(data) && Object.keys(data).length === 0)
}

function fieldsOf(value: unknown): DigestFields | null {
  if (Array.isArray(value)) return { items: value }
  return isRecord(value) ? value : null
}

function without(fields: DigestFields | null, error: unknown): DigestFields | null {
  if (fields === null || error === undefined) return fields
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== error || (key !== 'error' && key !== 'message')),
  )
}

function liftedFrom(context: unknown): DigestFields {
  if (!isRecord(context)) return {}
  const places = [context, ...['params_input', 'params', 'input', 'arguments'].map((key) => context[key])].filter(isRecord)
  return Object.fromEntries(
    ['path', 'pattern', 'query', 'modified_externally'].flatMap((key): readonly (readonly [string, unknown])[] => {
      const value = places.find((place) => Object.hasOwn(place, key))?.[key]
      if (typeof value === 'string') return [[key, clip(value, lineWidth)]]
      return typeof value === 'boolean' ? [[key, value]] : []
    }),
  )
}

function noteIn(text: unknown): DigestFields {
  return typeof text === 'string' && changedNote.test(text) ? { modified_externally: true } : {}
}

const changedNote = /^Note: [^\n]{1,500} was modified externally\.\r?$/m

export function digestSearch(text: string, { about, settings }: DigestSource): DigestFields {
  const { matches, files, first } = readMatches(text, settings.search_matches)
  // A search that prints only file names or an unknown format: count every line.
  const lines = matches > 0 ? [] : entriesOf(text)
  const found =
    matches > 0
      ? { matches, ...(files > 0 ? { files } : {}), first }
      : { matches: lines.length, first: lines.slice(0, settings.search_matches).map(shown) }
  return { ...subject('pattern', about), ...found, ...truncatedFlag(text) }
}

// `a.ts:12:text`, and below a file name `12:text`, `L12: text`, `Line 12: text`, `12 | text`.
const withFile = /^(.{1,400}?):(\d{1,9}):/
const underHeading = /^\s{0,40}(?:L|Line )?(\d{1,9})(?::| \|)/
// Context lines: `a.ts-12-text`, `12-text`.
const context = /^(?:.{1,400}?-)?\d{1,9}-/
const maxPrefixLength = 420

function readMatches(text: string, count: number) {
  const files = new Set<string>()
  const first: string[] = []
  let heading = ''
  let matches = 0
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const prefix = text.slice(start, Math.min(end, start + maxPrefixLength))
    const under = underHeading.exec(prefix)
    const file = under === null ? withFile.exec(prefix)?.[1] : heading
    if (file === undefined) {
      if (prefix.trim() !== '' && !/^-{2,9}\s*$/.test(prefix) && !context.test(prefix))
        heading = prefix.trim().replace(/^(?:File:|#) |:$/g, '')
    } else {
      matches += 1
      if (file !== '') files.add(file)
      const line = text.slice(start, Math.min(end, start + lineWidth * 2 + maxPrefixLength))
      if (first.length < count) first.push(shown(under === null || heading === '' ? line : `${heading}:${line.trimStart()}`))
    }
    start = end + 1
  }
  return { matches, files: files.size, first }
}

function shown(text: string): string {
  return clipLine(text.trimEnd(), lineWidth)
}
