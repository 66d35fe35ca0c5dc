import { Worker } from 'node:worker_threads'
import type { ToolOutcome } from '../../shared/event.ts'
import { failed, told } from '../tool.ts'
import { askWorker, TimeLimitError, within } from '../work-limits.ts'

export interface DescribedFile {
  readonly name: string
  readonly path: string
  readonly mtime: number
}

interface PdfWindow {
  /** Such as `3` or `1-5`. Default: from the first page on. */
  readonly pages: string | undefined
  readonly maxChars: number
  readonly signal: AbortSignal
}

/** The most bytes of a PDF whose text is extracted: the library holds several copies. */
export const maxPdfBytes = 50_000_000

export async function readPdf(
  bytes: Uint8Array,
  file: DescribedFile,
  { pages, maxChars, signal }: PdfWindow,
): Promise<ToolOutcome> {
  let document: Awaited<ReturnType<typeof openPdf>> | null = null
  try {
    document = await openPdf(bytes, { signal })
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
      last < total ? [`(truncated: pages ${last + 1}-${total} are not shown; continue with pages: "${last + 1}-${total}")`] : []
    const metadata = { path: file.path, mtime: file.mtime, from: range.from, to: last, pages: total }
    return told([`${file.name} pages ${range.from}-${last} of ${total}, PDF`, ...texts, ...more].join('\n'), metadata)
  } catch (error) {
    signal.throwIfAborted()
    const { name, message } = error as Partial<Error>
    if (name === 'PasswordException') return failed(`${file.name} is a PDF that is locked with a password`)
    return failed(`${file.name} cannot be read as a PDF: ${String(message ?? error).slice(0, 200)}`)
  } finally {
    await document?.close()
  }
}

function rangeOf(pages: string | undefined, total: number): { readonly from: number; readonly to: number } | string {
  if (pages === undefined) return { from: 1, to: total }
  const [, first, last] = /^\s{0,9}(\d{1,7})\s{0,9}(?:-\s{0,9}(\d{1,7})?\s{0,9})?$/.exec(pages) ?? []
  if (first === undefined) return `"pages" has to be like "3" or "1-5"`
  const from = Number(first)
  const to = Math.min(total, last !== undefined ? Number(last) : pages.includes('-') ? total : from)
  if (from < 1 || from > total) return `it has ${total} pages; page ${from} is not one of them`
  return to < from ? `"pages" has to name the smaller number first` : { from, to }
}

interface PdfOptions {
  readonly signal: AbortSignal
  readonly milliseconds?: number
}

/** Opens a PDF in its own thread: a small file can take endless work, which only ends with that thread. */
export async function openPdf(bytes: Uint8Array, options: PdfOptions) {
  options.signal.throwIfAborted()
  const own = new Uint8Array(bytes)
  const worker = new Worker(script, {
    eval: true,
    env: {},
    workerData: { library: import.meta.resolve('unpdf'), bytes: own },
    transferList: [own.buffer],
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  const close = async () => void (await worker.terminate())
  try {
    const pages = (await ask(worker, { page: null }, options)) as number
    const textOf = async (page: number, maxChars: number) => (await ask(worker, { page, maxChars }, options)) as string
    return { pages, textOf, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function ask(worker: Worker, question: object, { signal, milliseconds = 20_000 }: PdfOptions): Promise<unknown> {
  try {
    const answer = (await within(milliseconds, signal, () => askWorker(worker, question))) as Answer | null
    if (answer === null) throw new Error('it was closed')
    if ('value' in answer) return answer.value
    throw Object.assign(new Error(answer.message), { name: answer.name })
  } catch (error) {
    const isLate = error instanceof TimeLimitError
    if (isLate || signal.aborted) void worker.terminate()
    throw isLate ? new Error('it takes too long', { cause: error }) : error
  }
}

type Answer = { readonly value: unknown } | { readonly name: string; readonly message: string }

// The library complains on the console unless told not to.
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { library, bytes } = workerData
const opened = import(library).then(({ getDocumentProxy }) => getDocumentProxy(bytes, { verbosity: 0 }))
// The library does not handle some of its promises; what failed is part of the answer.
process.on('unhandledRejection', () => undefined)

async function answer({ page, maxChars }) {
  const document = await opened
  if (page === null) return document.numPages
  const { items } = await (await document.getPage(page)).getTextContent()
  let text = ''
  for (const item of items) {
    if (text.length >= maxChars) break
    if ('str' in item) text += item.str + (item.hasEOL ? '\\n' : '')
  }
  return text.slice(0, maxChars)
}

parentPort.on('message', (question) => {
  answer(question).then(
    (value) => parentPort.postMessage({ value }),
    (error) => parentPort.postMessage({ name: String(error?.name), message: String(error?.message ?? error) }),
  )
})
`
