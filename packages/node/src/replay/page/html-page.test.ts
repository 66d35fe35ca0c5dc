import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { makeSummary } from '../testing/made-summary.ts'
import { htmlPage } from './html-page.ts'

const english = stringsFor('en').replay
const chinese = stringsFor('zh').replay

describe('htmlPage', () => {
  it.each([
    ['English', english, 'en'],
    ['Chinese', chinese, 'zh'],
  ])('returns a complete page in %s, with all tags closed in order', (_name, strings, language) => {
    const html = htmlPage(makeSummary({ unreadable: [{ path: 'x.jsonl', reason: 'empty' }] }), strings)
    expect(unbalanced(html)).toEqual([])
    expect(html).toContain(`<html lang="${language}">`)
    expect(html.match(/<svg /g)).toHaveLength(6)
    expect(html.match(/<table>/g)).toHaveLength(6)
  })

  it('loads nothing and runs nothing', () => {
    const html = htmlPage(makeSummary(), english)
    expect(html).toContain(`content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"`)
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\shref=|url\(|@import|\son\w+=/i)
  })

  it('escapes names', () => {
    const name = '"><script>alert(1)</script>\u001b[31m.jsonl'
    const html = htmlPage(makeSummary({ sessions: [[name, 200]], unreadable: [{ path: name, reason: '<b>no</b>' }] }), english)
    expect(html).not.toMatch(/<script|<b>|\u001b/)
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(unbalanced(html)).toEqual([])
  })

  it('states the assumption at every table and plot, and marks invalid sets', () => {
    const html = htmlPage(makeSummary({ broken: ['prefix'] }), english)
    expect(html.split(english.assumption)).toHaveLength(12 + 1)
    expect(html).toContain('<tr class="invalid"><th scope="row">spec-immediate !</th>')
    expect(html).toContain(english.invalid('spec-immediate', 2, english.gates.prefix))
  })

  it('draws no invalid coordinates', () => {
    for (const summary of [
      makeSummary(),
      makeSummary({ sessions: [['one', 1]] }),
      makeSummary({ sessions: [] }),
      makeSummary({ rows: ['gpt-5.5'] }),
    ])
      expect(htmlPage(summary, english)).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('supports light and dark', () => expect(htmlPage(makeSummary(), english)).toContain('prefers-color-scheme: dark'))
})

/** Tags that are closed without being open, or never closed. */
function unbalanced(html: string): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [, close, name = '', rest = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g)) {
    if (name === 'meta' || rest.endsWith('/')) continue
    if (close === '') open.push(name)
    else if (open.pop() !== name) wrong.push(name)
  }
  return [...wrong, ...open]
}
