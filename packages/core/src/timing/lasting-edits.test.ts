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

describe('lastingReplacements', () => {
  const own = replace('limit-tool-output', 'm')
  const moved = replace('limit-tool-output', 'moved')

  it.each<[name: string, inForce: readonly Edit[], proposals: readonly Edit[], expected: readonly Edit[]]>([
    ['keeps edits of logged messages', [own], [], [own]],
    ['drops edits of the last resort', [own, replace('fit-window', 'm')], [], [own]],
    [
      'keeps edits of a message that is inserted again, in any place',
      [insert('long', 'a'), moved],
      [insert('long', 'b')],
      [moved],
    ],
    [
      'drops edits of an inserted message with other content, as after a rewind',
      [insert('long', 'a'), own, moved],
      [insert('lost', 'a')],
      [own],
    ],
    ['drops edits of a message that was not inserted before', [moved], [insert('long', 'a')], []],
    ['keeps edits of a message that loses the same parts again', [fewer('second'), moved], [fewer('second')], [moved]],
    ['drops edits of a message that lost a part since', [moved, own], [fewer('second')], [own]],
    ['drops edits of a message that regained a part', [fewer('second'), moved], [], []],
  ])('%s', (_name, inForce, proposals, expected) => expect(lastingReplacements(inForce, proposals)).toEqual(expected))
})
