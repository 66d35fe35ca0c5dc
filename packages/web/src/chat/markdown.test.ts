import { describe, expect, it } from 'vitest'
import { documentText, safeAddress } from './markdown.tsx'

describe('documentText', () => {
  it('decodes character references and shows hidden characters', () => {
    expect(documentText('a &amp;&lt;b&gt; &#65; &#x202e; &unknown; &#0; &constructor;')).toBe(
      'a &<b> A \\u202e &unknown; &#0; &constructor;',
    )
  })
})

describe('safeAddress', () => {
  it.each([
    ['https://a.example/b?c=1', 'https://a.example/b?c=1'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['javascript:alert(1)', null],
    [' JaVaScRiPt:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['/api/hello', null],
    ['//evil.example', null],
    ['https://', null],
  ])('%s', (href, address) => expect(safeAddress(href)).toBe(address))
})
