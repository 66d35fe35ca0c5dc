import { describe, expect, it } from 'vitest'
import { type Conversation, createConversation } from '../conversation.ts'
import type { ReplaceEdit } from '../edit.ts'
import { prepare } from '../engine/prepare.ts'
import { type Message, resultText } from '../message.ts'
import { economyPolicies } from '../policies/economy-policies.ts'
import { exchange, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'

const minute = 60_000
const lines = (count: number, name = 'setting') =>
  Array.from({ length: count }, (_, index) => `export const ${name}${index} = readSetting('the ${index}th of them')`)
const file = lines(40).join('\n')
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()
const textOf = (messages: readonly Message[], id: string) => {
  const part = messages.find((message) => message.id === id)?.parts[0]
  return part?.type === 'tool-result' ? resultText(part) : null
}
const economy = () => createConversation({ policies: economyPolicies, timing: 'economic' })

/** Sends the conversation after each of its exchanges, one minute apart. */
function send(conversation: Conversation, messages: readonly Message[], from: number, start: number): number {
  let now = start
  for (let length = from; length <= messages.length; length += 2) {
    now += minute
    conversation.next(messages.slice(0, length), { now })
    conversation.accepted()
  }
  return now
}

describe('a reference to lines shown above', () => {
  it('keeps its bytes if it refers to lines further up in the same result', () => {
    const conversation = economy()
    const twice = [user('u', 'fix the cart tests'), ...exchange('read', 'Read', { file_path: 'a.ts' }, `${file}\n${file}`)]
    const first = conversation.next(twice, { now: 0 })
    conversation.accepted()
    const second = conversation.next([...twice, ...steps(1)], { now: minute })
    expect(textOf(first.messages, 'read')).toContain('[40 lines as shown above: Read a.ts, lines 1-40')
    expect(textOf(second.messages, 'read')).toBe(textOf(first.messages, 'read'))
    expect(second.report.rewrite).toBeNull()
  })

  it('is corrected in the same announced rewrite when its source becomes a stub', () => {
    const conversation = economy()
    const read = [user('u', 'fix the cart tests'), ...exchange('read', 'Bash', { command: 'cat a.ts' }, file)]
    const again = exchange('again', 'Bash', { command: 'cat a.ts b.ts' }, `${file}\nend`)
    const messages = [...read, ...again, ...steps(30)]
    const now = send(conversation, messages, read.length, 0)
    expect(textOf(conversation.next(messages, { now }).messages, 'again')).toContain('[40 lines as shown above: Bash cat a.ts')
    // After an hour nothing is cached, so old results become stubs.
    const { messages: view, report } = conversation.next([...messages, ...steps(1, 50)], { now: now + 60 * minute })
    expect(textOf(view, 'read')).toMatch(/^\[Bash: cat a\.ts; 40 lines removed; recall [0-9a-f]{12}\]/)
    expect(textOf(view, 'again')).not.toContain('as shown above')
    expect(report.rewrite).toMatchObject({ reason: 'idle', message: 'read' })
  })

  it('refers to its own text once the client has dropped the source', () => {
    const conversation = economy()
    const again = exchange('again', 'Bash', { command: 'cat a.ts b.ts' }, `${file}\nend`)
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('read', 'Bash', { command: 'cat a.ts' }, file),
      ...again,
      ...steps(2),
    ]
    send(conversation, messages, messages.length, 0)
    const shortened = messages.filter(({ id }) => id !== 'read' && id !== 'readc')
    const { messages: view } = conversation.next(shortened, { now: 2 * minute })
    expect(textOf(view, 'again')).toBe(`[40 lines: Bash cat a.ts; recall ${handleOf(`${file}\nend`)}]\nend`)
  })

  it('is not made to unseen lines whose source is hidden', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('read', 'Bash', { command: 'cat a.ts' }, file),
      ...exchange('again', 'Read', {}, file),
    ]
    const stub: ReplaceEdit = {
      id: 'custom:read.0',
      policy: 'custom',
      kind: 'replace',
      message: 'read',
      part: 0,
      with: { type: 'tool-result', callId: 'call-read', tool: null, content: { type: 'text', text: 'gone' } },
      why: 'a custom policy',
    }
    const policies = [...economyPolicies, { name: 'custom', plan: () => [stub] }]
    const conversation = createConversation({ policies, timing: 'economic' })
    const { messages: view } = conversation.next(messages, { now: 0 })
    expect([textOf(view, 'read'), textOf(view, 'again')]).toEqual(['gone', file])
    // Once a model has seen them, they do not vanish either.
    conversation.accepted()
    const later = conversation.next([...messages, ...steps(2)], { now: minute })
    expect(textOf(later.messages, 'again')).toBe(file)
    expect(later.report.rewrite).toBeNull()
  })

  it('is parsed from the text of edits stored without references', () => {
    const conversation = economy()
    const again = exchange('again', 'Bash', { command: 'cat a.ts b.ts' }, `${file}\nend`)
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('read', 'Bash', { command: 'cat a.ts' }, file),
      ...again,
      ...steps(2),
    ]
    send(conversation, messages, messages.length, 0)
    const state = conversation.state()
    const old = {
      ...state,
      edits: state.edits.map((edit) => {
        if (edit.kind !== 'replace') return edit
        const { refers: _refers, ...rest } = edit
        return rest
      }),
    }
    const next = (list: readonly Message[], from: typeof state) =>
      prepare(list, from, null, { now: 2 * minute }, { policies: [], timing: 'economic', rules: [], number: 1 })
    expect(next(messages, old).messages).toEqual(next(messages, state).messages)
    const shortened = messages.filter(({ id }) => id !== 'read' && id !== 'readc')
    expect(textOf(next(shortened, old).messages, 'again')).not.toContain('as shown above')
  })
})
