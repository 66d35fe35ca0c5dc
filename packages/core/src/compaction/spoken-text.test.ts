import { describe, expect, it } from 'vitest'
import { spokenText } from './quote-instructions.ts'

describe('spokenText', () => {
  it.each<[string, string, string, string]>([
    ['text alone', 'fix the form', 'fix the form', ''],
    ['a reminder before them', '<system-reminder>\nBe brief.\n</system-reminder>\nfix it', 'fix it', 'Be brief.'],
    ['a reminder after them', 'fix it\n<note>now</note>', 'fix it', 'now'],
    ['tags alone', '<command-name>/go</command-name>\n  <command-args>now</command-args>', '', '/go\nnow'],
    ['tags inside of tags', '<task>\n<id>7</id>\n<result>done</result>\n</task>', '', '7 \n done'],
    ['a tag with a setting', '<file path="a.ts">x</file> see above', 'see above', 'x'],
    ['a tag in a sentence', 'why does <div>x</div> not show?', 'why does <div>x</div> not show?', ''],
    ['a tag that is never closed', '<div>\nwhy </p> not?', '<div>\nwhy </p> not?', ''],
    ['a comparison', 'a <b and c> d </x>', 'a <b and c> d </x>', ''],
  ])('%s', (_, text, spoken, wrapped) => expect(spokenText(text)).toEqual({ spoken, wrapped }))

  it.each([
    '<a>\n'.repeat(200_000),
    `${Array.from({ length: 60_000 }, (_, index) => `<a${index}>`).join('\n')}</`,
    `</${'<'.repeat(500_000)}`,
    '<a></a>'.repeat(100_000),
    `<a>${'<b '.repeat(200_000)}</a>`,
  ])('comes to an end with hostile text', (text) => expect(spokenText(text).spoken.length).toBeLessThanOrEqual(text.length))
})
