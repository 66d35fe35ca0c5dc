import { expect, it } from 'vitest'
import { lookingContext } from '../testing/looking-context.ts'
import { pdfOf } from '../testing/pdf.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { openPdf } from './read-pdf.ts'
import { readTool } from './read-tool.ts'

/** One page of very many words, which takes seconds; packed, such a page fits into a small file. */
const endless = pdfOf([`${'x) Tj ('.repeat(4_000_000)}x`])

it('a PDF that is work without end can be stopped while it is read', async () => {
  const root = await temporaryWorkspace({ 'a.pdf': endless })
  const stop = new AbortController()
  setTimeout(() => stop.abort(new Error('stopped by the user')), 200)
  const reading = readTool.run({ path: 'a.pdf' }, lookingContext(root, { signal: stop.signal }))
  await expect(reading).rejects.toThrow('stopped by the user')
})

it('a PDF that is work without end is given up after a time', async () => {
  const { signal } = new AbortController()
  const { pages, textOf, close } = await openPdf(pdfOf(['short']), { signal })
  expect([pages, await textOf(1, 3)]).toEqual([1, 'sho'])
  await close()
  const reading = openPdf(endless, { signal, milliseconds: 500 }).then((document) => document.textOf(1, 1000))
  await expect(reading).rejects.toThrow('it takes too long')
})
