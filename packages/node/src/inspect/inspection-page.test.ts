import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EmbeddedInspection, WrittenInspection } from '../shared/inspection/embedded-inspection.ts'
import { packInspection } from '../shared/inspection/pack-inspection.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { inspectionPage } from './inspection-page.ts'

const strings = stringsFor('en').page
const hostile = '</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> \u2028\u2029 \u202e \u001b[31m'
const assets = { script: 'document.title = "</SCRIPT><!--"; /<!--/u.test("")', style: 'a::after { content: "</style>" }' }

describe('inspectionPage', () => {
  it('allows only its own script and style, by hash', () => {
    const page = pageOf('fine')
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? ''
    const code = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? ''
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? ''
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
    expect(policy).toBe(
      `default-src 'none'; script-src ${hash(code)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`,
    )
    // Text that would close the element is escaped, with the same meaning.
    expect(code).toBe('document.title = "\\x3c/SCRIPT>\\x3c!--"; /\\x3c!--/u.test("")')
    expect(style).toBe('a::after { content: "\\3c /style>" }')
  })

  it('embeds the session as data that its text cannot break out of', () => {
    const page = pageOf(hostile)
    const [data = ''] = dataIn(page)
    expect(data).not.toMatch(/[<\u2028\u2029]/)
    expect(JSON.parse(data)).toEqual(writtenOf(dataOf(hostile)))
    expect(page.match(/<script/g)).toHaveLength(2)
    expect(page.match(/<!--/g)).toBeNull()
    expect(/<title>([^<]*)<\/title>/.exec(page)?.[1]).not.toMatch(/[\u202e\u001b]/)
  })

  it('gives back whatever texts it carries', () => {
    let special = 0
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('</script>', '</script ', '<!--', '<script>', ']]>', '\u2028', '\ud800'),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        if (/<[/!s]/.test(text)) special += 1
        const [data = '', ...others] = dataIn(pageOf(text))
        expect([JSON.parse(data), others]).toEqual([writtenOf(dataOf(text)), []])
      }),
    )
    expect(special).toBeGreaterThan(0)
  })

  it('writes long lists in pieces', () => {
    const data = { ...dataOf('x'), messages: Array.from({ length: 450 }, () => dataOf('y').messages[0] as never) }
    const [written = ''] = dataIn([...inspectionPage(data, assets, strings)].join(''))
    expect(JSON.parse(written)).toEqual(writtenOf(data))
  })
})

function writtenOf(data: EmbeddedInspection): WrittenInspection {
  return { ...data, inspection: packInspection(data.inspection) }
}

function pageOf(text: string): string {
  return [...inspectionPage(dataOf(text), assets, strings)].join('')
}

function dataIn(page: string): readonly string[] {
  return [...page.matchAll(/<script type="application\/json" id="plimsoll-inspection">([^]*?)<\/script>/g)].map(
    (found) => found[1] ?? '',
  )
}

function dataOf(text: string): EmbeddedInspection {
  return {
    version: 1,
    locale: null,
    isRedacted: true,
    inspection: {
      session: {
        id: 's',
        title: text,
        format: 'x',
        isOwn: true,
        root: null,
        model: null,
        first: null,
        last: null,
        bytes: null,
        cost: { dollars: 0, unpriced: 0 },
        pins: [],
      },
      messages: { ids: [], roles: [], tokens: [], shown: [], categories: [], tools: [], toolNames: [text], times: [] },
      requests: [],
      edits: [],
      fill: { tokens: 0, categories: {}, results: [], source: 'estimate', window: 1, reserve: 0 },
      troubles: [text],
    },
    messages: [
      { number: 0, message: { id: 'm', role: 'user', parts: [{ type: 'text', text }] }, tokens: 1, isPinned: false, edits: [] },
    ],
    views: [],
    pool: [],
    edits: { [text]: { before: text, after: '', trouble: null } },
    whatIf: null,
    blobs: {},
  }
}
