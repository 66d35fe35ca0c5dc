import { expect, it } from 'vitest'
import { isDoubtfulName } from './doubtful-names.ts'

it.each(['Button', 'github', 'checkpoint', 'innerText', 'class_name', 'WriteString', 'CombinedOutput', 'file_path'])(
  'doubts %s',
  (name) => expect(isDoubtfulName(name, [])).toBe(true),
)

it.each(['markSessionEnded', 'checkpoint_id', 'LogsDir', 'utf16Length'])('does not doubt %s', (name) =>
  expect(isDoubtfulName(name, [`${name}(input)`, `x.${name} = 1`, `if ${name} == 2 {`])).toBe(false),
)

it.each([
  'const shadowRef = open()',
  'shadowRef, err := open()',
  'func shadowRef(x int) {',
  'x()\nshadowRef = open()',
  'for shadowRef of all',
])('doubts a name that the action declares: %s', (text) => expect(isDoubtfulName('shadowRef', [text])).toBe(true))

it('does not take a part of a name for the name', () => {
  expect(isDoubtfulName('shadowRef', ['const shadowRefs = 1', 'const theshadowRef = 1'])).toBe(false)
})
