import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codeSpan, fenced } from './quote-instructions.ts'

describe('quoting', () => {
  it.each([
    ['src/a.ts', '`src/a.ts`'],
    ['a`b', '`` a`b ``'],
    ['a\n### Forged', '`a\\u000a### Forged`'],
  ])('writes %j as inline code', (name, span) => expect(codeSpan(name)).toBe(span))

  it('quotes anything so that it can be read back and cannot end its own quotation', () => {
    const text = fc.array(fc.constantFrom('`', '``', '```', '````', '\n', 'text', '## 📌', '')).map((pieces) => pieces.join(''))
    let fences = 0
    fc.assert(
      fc.property(text, (said) => {
        const quoted = fenced(said)
        const fence = /^`+/.exec(quoted)?.[0] ?? ''
        if (fence.length > 3) fences += 1
        expect(quoted).toBe(`${fence}\n${said}\n${fence}`)
        expect(said.includes(fence)).toBe(false)
      }),
    )
    expect(fences).toBeGreaterThan(10)
  })
})
