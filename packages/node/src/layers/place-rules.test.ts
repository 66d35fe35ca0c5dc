import { describe, expect, it } from 'vitest'
import { placeRules, rulesText } from './assemble-layers.ts'

const rules = ['Use tabs.', 'Write tests.', 'Ask before deleting.', 'Be kind.', 'Keep it short.'].join('\n')
const changed = rules.replace('Write tests.', 'Write no tests.')

describe('placeRules', () => {
  it('R004-46 shows the rules as they are at every build', () => {
    expect(placeRules({ timing: 'immediate', shown: rules, current: changed, cold: false })).toEqual({
      rules: changed,
      announcement: null,
    })
  })

  it.each(['economic', 'auto'] as const)('leaves the layer alone under %s and announces the change', (timing) => {
    expect(placeRules({ timing, shown: rules, current: changed, cold: false })).toEqual({
      rules,
      announcement:
        'The project rules above have changed.\n\nThese lines no longer apply:\n\nWrite tests.\n\nThese lines hold now:\n\nWrite no tests.',
    })
  })

  it.each([
    ['at a cold moment', { shown: rules, current: changed, cold: true }, changed],
    ['in the first request', { shown: undefined, current: rules, cold: false }, rules],
    ['when nothing changed', { shown: rules, current: rules, cold: false }, rules],
    ['when the change was reverted', { shown: null, current: null, cold: false }, null],
  ])('rebuilds the layer %s', (_when, input, expected) => {
    expect(placeRules({ timing: 'economic', ...input })).toEqual({ rules: expected, announcement: null })
  })

  it.each<[what: string, shown: string | null, current: string | null, announcement: string]>([
    ['no rules any more', rules, null, 'The project rules above no longer apply: the project has none any more.'],
    ['the first rules', null, 'Be kind.', 'The project has rules now:\n\nBe kind.'],
    [
      'other rules altogether',
      rules,
      'Be quick.',
      'The project rules above have changed. In place of them, these hold:\n\nBe quick.',
    ],
    ['one line more', rules, `${rules}\nNo.`, 'The project rules above have changed.\n\nThese lines hold now:\n\nNo.'],
    [
      'one line less',
      rules,
      rules.replace('Be kind.\n', ''),
      'The project rules above have changed.\n\nThese lines no longer apply:\n\nBe kind.',
    ],
  ])('announces %s', (_what, shown, current, announcement) => {
    expect(placeRules({ timing: 'economic', shown, current, cold: false })).toEqual({ rules: shown, announcement })
  })

  it('is done with long rules', () => {
    const long = 'line\n'.repeat(50_000)
    expect(placeRules({ timing: 'economic', shown: long, current: `x${long}`, cold: false }).announcement).toBe(
      'The project rules above have changed.\n\nThese lines no longer apply:\n\nline\n\nThese lines hold now:\n\nxline',
    )
  })
})

describe('rulesText', () => {
  it.each([
    [[], null],
    [[{ name: 'CODE_LAW.md', text: ' \n' }], null],
    [
      [{ name: 'CODE_LAW.md', text: '', cutFrom: 9 }],
      'Project rules (CODE_LAW.md):\n\n\n[CODE_LAW.md is cut here: the whole file has 9 bytes]',
    ],
    [[{ name: 'CODE_LAW.md', text: 'Be kind.\n' }], 'Project rules (CODE_LAW.md):\n\nBe kind.'],
    [
      [
        { name: 'CODE_LAW.md', text: 'a', cutFrom: 9 },
        { name: 'AGENTS.md', text: 'b' },
      ],
      'Project rules (CODE_LAW.md):\n\na\n[CODE_LAW.md is cut here: the whole file has 9 bytes]\n\nProject rules (AGENTS.md):\n\nb',
    ],
  ])('R004-2 writes %j', (files, text) => expect(rulesText(files)).toBe(text))
})
