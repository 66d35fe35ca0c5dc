import { describe, expect, it } from 'vitest'
import { peopleStrings } from './people.ts'

describe('peopleStrings', () => {
  it.each([
    ['zh', '用户'],
    ['zh_CN.UTF-8', '用户'],
    ['ZH-TW', '用户'],
    ['en_GB.UTF-8', 'user'],
    ['de', 'user'],
    ['C', 'user'],
    [null, 'user'],
  ])('%s', (locale, user) => expect(peopleStrings(locale).view.user).toBe(user))

  it('says in Chinese whatever it says in English, with the same numbers and names in it', () => {
    const sentences = (locale: string) => flatten(peopleStrings(locale))
    const english = sentences('en')
    const chinese = sentences('zh')
    expect(english.length).toBeGreaterThan(100)
    expect(chinese.map(([key]) => key)).toEqual(english.map(([key]) => key))
    // Signs and numbers need no language, and the program's name is the same in all.
    const hasWords = (text: string) => /\p{L}/u.test(text.replace(/ARG\d/g, ''))
    const untranslated = chinese.filter(([, text], index) => text === english[index]?.[1] && hasWords(text))
    expect(untranslated).toEqual([['.web.shell.title', 'Plimsoll']])
    for (const [index, [key, text]] of chinese.entries()) {
      expect([key, namesIn(text, key)]).toEqual([key, namesIn(english[index]?.[1] ?? '', key)])
    }
  })
})

/** Every text of a table by its key, functions called with arguments that can be found again in the text. */
function flatten(value: unknown, key = ''): readonly (readonly [key: string, text: string])[] {
  if (value === null) return []
  if (typeof value === 'string') return [[key, value]]
  if (typeof value === 'function') return [[key, (value as (...names: readonly unknown[]) => string)(...argumentsFor(key))]]
  return Object.entries(value as object).flatMap(([name, field]) => flatten(field, `${key}.${name}`))
}

function argumentsFor(key: string): readonly unknown[] {
  if (key.endsWith('outputCut'))
    return [{ characters: 'ARG1', maxCharacters: 'ARG2', maxLines: 'ARG3', kept: 'head-and-tail', salientLines: 4 }]
  // A code without a sentence of its own is shown as it is, whatever the language.
  if (key.endsWith('session.reason')) return ['ENOSPC']
  if (key.endsWith('listenReason')) return ['EACCES']
  if (/offlineModel\.(?:plan|stopped|notUnderstood)$/.test(key)) return [['ARG1', 'ARG2']]
  return ['ARG1', 'ARG2', 'ARG3', 'ARG4', 'ARG5']
}

function namesIn(text: string, key: string): readonly string[] {
  const names = [...new Set(text.match(/ARG\d|--[a-z]+|PLIMSOLL_[A-Z]+|"[a-z]+"|plimsoll\.yaml/g) ?? [])].sort()
  // The offline model is spoken to in the person's language, so what is quoted there is no name.
  return key.startsWith('.offlineModel') ? names.filter((name) => !name.startsWith('"')) : names
}
