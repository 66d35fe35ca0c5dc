import type { ToolOutcome } from '@plimsoll/core'
import { failed, told } from '../tool.ts'
import { openPdf, type PdfDocument } from './pdf-document.ts'

/** A PDF that was read from a file. */
export interface PdfFile {
  /** Its path, as it may stand in a text. */
  readonly name: string
  readonly path: string
  readonly mtime: number
}

/** What is wanted of it. */
export interface PdfWindow {
  /** Such as `3` or `1-5`. Default: from the first page on. */
  readonly pages: string | undefined
  readonly maxChars: number
  readonly signal: AbortSignal
}

/** The most bytes of a PDF whose text is taken out: the library holds several copies. */
export const largestPdf = 50_000_000

/** The text of a PDF, page by page. */
export async function readPdf(bytes: Uint8Array, file: PdfFile, { pages, maxChars, signal }: PdfWindow): Promise<ToolOutcome> {
  let document: PdfDocument
  try {
    document = await openPdf(bytes, { signal })
  } catch (error) {
    signal.throwIfAborted()
    return failed(`${file.name} ${whyUnreadable(error)}`)
  }
  try {
    const total = document.pages
    const range = rangeOf(pages, total)
    if (typeof range === 'string') return failed(`${file.name}: ${range}`)
    const texts: string[] = []
    let [page, characters] = [range.from, 0]
    while (page <= range.to && (characters < maxChars || texts.length === 0)) {
      signal.throwIfAborted()
      const text = await document.textOf(page, maxChars)
      characters += text.length
      texts.push(`--- page ${page} ---\n${text.trim() === '' ? '(no text on this page)' : text}`)
      page += 1
    }
    const last = page - 1
    const more =
      last < total ? [`(truncated: pages ${last + 1}-${total} are not shown; go on with pages: "${last + 1}-${total}")`] : []
    return told([`${file.name} pages ${range.from}-${last} of ${total}, PDF`, ...texts, ...more].join('\n'), {
      path: file.path,
      mtime: file.mtime,
      from: range.from,
      to: last,
      pages: total,
    })
  } catch (error) {
    signal.throwIfAborted()
    return failed(`${file.name} ${whyUnreadable(error)}`)
  } finally {
    await document.close()
  }
}

/** What the caller asked for, or what is wrong with it. */
function rangeOf(pages: string | undefined, total: number): { readonly from: number; readonly to: number } | string {
  if (pages === undefined) return { from: 1, to: total }
  const [, first, last] = /^\s*(\d{1,7})\s*(?:-\s*(\d{1,7})?\s*)?$/.exec(pages) ?? []
  if (first === undefined) return `"pages" has to be like "3" or "1-5"`
  const from = Number(first)
  const to = Math.min(total, last !== undefined ? Number(last) : pages.includes('-') ? total : from)
  if (from < 1 || from > total) return `it has ${total} pages; page ${from} is not one of them`
  return to < from ? `"pages" has to name the smaller number first` : { from, to }
}

function whyUnreadable(error: unknown): string {
  const { name, message } = error as Partial<Error>
  if (name === 'PasswordException') return 'is a PDF that is locked with a password'
  return `is no PDF that can be read: ${String(message ?? error).slice(0, 200)}`
}
