import { describe, expect, it } from 'vitest'
import type { Edit, ReplaceEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { lastingReplacements } from './lasting-edits.ts'

const part = (text: string) => ({ type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text } }) as const
const message = (text: string): Message => ({ id: 'moved', role: 'tool', parts: [part(text)] })
const insert = (text: string, after: string): Edit => {
  return { id: 'i', policy: 'pair-tool-calls', kind: 'insert', after, message: message(text), why: '' }
}
const fewer = (text: string): Edit => {
  return { id: 'f', policy: 'pair-tool-calls', kind: 'fold', first: 'moved', last: 'moved', into: message(text), why: '' }
}
const replace = (policy: string, id: string): ReplaceEdit => {
  return { id: `${policy}:${id}`, policy, kind: 'replace', message: id, part: 0, with: part('short'), why: '' }
}

describe('the edits in force that stay', () => {
  const own = replace('limit-tool-output', 'm')
  const moved = replace('limit-tool-output', 'moved')

  it.each<[name: string, inForce: readonly Edit[], proposals: readonly Edit[], expected: readonly Edit[]]>([
    ['those of the log', [own], [], [own]],
    ['not those of the last resort', [own, replace('fit-window', 'm')], [], [own]],
    ['those of a message that is put in again, wherever', [insert('long', 'a'), moved], [insert('long', 'b')], [moved]],
    ['not where it has another content, as after a rewind', [insert('long', 'a'), own, moved], [insert('lost', 'a')], [own]],
    ['not where nobody had put it in', [moved], [insert('long', 'a')], []],
    ['those of a message that is left with the same parts again', [fewer('second'), moved], [fewer('second')], [moved]],
    ['not where it has lost a part since, and another stands in its place', [moved, own], [fewer('second')], [own]],
    ['not where it has the lost part back', [fewer('second'), moved], [], []],
  ])('%s', (_name, inForce, proposals, expected) => expect(lastingReplacements(inForce, proposals)).toEqual(expected))
})
