import { describe, expect, it } from 'vitest'
import { redactHomeFolders } from './redact.ts'

describe('redactHomeFolders', () => {
  it.each([
    ['/home/ada/src/index.ts', '~/src/index.ts'],
    ['cd "/Users/ada.l-1/My Files"', 'cd "~/My Files"'],
    ['file:///home/ada/x and /home/bob', 'file://~/x and ~'],
    ['C:\\Users\\ada\\src', '~\\src'],
    ['C:\\Users\\Ada Lovelace\\src', '~\\src'],
    ['{"path":"C:\\\\Users\\\\ada\\\\src"}', '{"path":"~\\\\src"}'],
    ['D:/Users/ada/src', '~/src'],
    ['{"command":"ls\\n/home/ada/x"}', '{"command":"ls\\n~/x"}'],
    ['/home/李雷/项目', '~/项目'],
    ['see C:\\Users\\ada and more', 'see ~ and more'],
  ])('shortens %s', (text, expected) => expect(redactHomeFolders(text)).toBe(expected))

  it.each(['/Users/Shared/x', '/home/linuxbrew/.linuxbrew', 'C:\\Users\\Public\\x', 'src/home/ada', './Users/ada', '/home', ''])(
    'leaves %s alone',
    (text) => expect(redactHomeFolders(text)).toBe(text),
  )

  it('changes nothing on a second run', () => {
    const once = redactHomeFolders('/home/home/ada /Users/x C:\\Users\\y\\z')
    expect([once, redactHomeFolders(once)]).toEqual(['~/ada ~ ~\\z', once])
  })

  it('handles a very long text', () => {
    const text = `C:\\Users\\${'a '.repeat(200_000)}${'/home/'.repeat(200_000)}`
    expect(redactHomeFolders(text).length).toBeGreaterThan(0)
  })
})
