import { Worker } from 'node:worker_threads'

/** A PDF that is read beside the thread everything else runs in. */
export interface PdfDocument {
  readonly pages: number
  /** The first characters of a page's text. Rejects with the library's error, or with the reason of the signal. */
  readonly textOf: (page: number, maxChars: number) => Promise<string>
  readonly close: () => Promise<void>
}

/** What a document is opened with. */
export interface PdfOptions {
  readonly signal: AbortSignal
  /** How long one answer may take. Default: 20,000. */
  readonly milliseconds?: number
}

/**
 * Opens a PDF in a thread of its own: a small file can unfold into work without end, which cannot be interrupted from within, so
 * that thread is ended. Rejects with the library's error, or with the reason of the signal.
 */
export async function openPdf(bytes: Uint8Array, options: PdfOptions): Promise<PdfDocument> {
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
    return { pages, textOf: async (page, maxChars) => (await ask(worker, { page, maxChars }, options)) as string, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Answer = { readonly value: unknown } | { readonly name: string; readonly message: string }

function ask(worker: Worker, question: object, { signal, milliseconds = 20_000 }: PdfOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const giveUp = (reason: Error) => {
      void worker.terminate()
      settle(() => reject(reason))
    }
    const timer = setTimeout(() => giveUp(new Error('it takes too long')), milliseconds)
    const onAbort = () => giveUp(signal.reason as Error)
    const onError = (error: Error) => settle(() => reject(error))
    const onExit = () => settle(() => reject(new Error('it was closed')))
    const onMessage = (answer: Answer) =>
      settle(() =>
        'value' in answer ? resolve(answer.value) : reject(Object.assign(new Error(answer.message), { name: answer.name })),
      )
    function settle(finish: () => void): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      finish()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    if (signal.aborted) onAbort()
    else worker.postMessage(question, [])
  })
}

// It complains on the console unless told not to.
const script = `
const { parentPort, workerData } = require('node:worker_threads')
const { library, bytes } = workerData
const opened = import(library).then(({ getDocumentProxy }) => getDocumentProxy(bytes, { verbosity: 0 }))
// The library leaves some of its promises to nobody; whoever asks hears of what failed.
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
