import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Message, type Part, resultText, type ToolResultPart, withShownText } from '../message.ts'
import { type Patch, patchText, patchValue } from '../text/patch.ts'
import { type Codec, ReadError } from '../wire/dialect.ts'
import { deepFreeze } from './messages.ts'

/** The samples a codec is tested with. */
export interface CodecTrial {
  /** Conversations by name; together they cover the API format. */
  readonly fixtures: Readonly<Record<string, unknown>>
  /** Any conversation of the API format. */
  readonly conversations: fc.Arbitrary<unknown>
  /** Values that must be rejected, each with its error message. */
  readonly refused: readonly (readonly [value: unknown, message: string])[]
  /** The field of a message with its blocks. Default: `content`. */
  readonly blocks?: string
  /** Set if consecutive items of the model are one message. */
  readonly joins?: true
  /** Ids of results that come from their call and differ without it. */
  readonly linked?: readonly string[]
}

/** Tests the laws of a lens on one codec. */
export function testCodec(codec: Codec, trial: CodecTrial): void {
  const { blocks = 'content' } = trial
  const expectLens = (value: unknown, view: readonly Message[]) => expectSame(codec, value, view, trial)
  describe(`${codec.name} as a lens`, () => {
    describe.each(Object.entries(trial.fixtures))('%s', (_name, fixture) => {
      const value = deepFreeze(fixture)
      const { messages, locate } = codec.read(value)

      it('is the same value and text as long as nothing changes', () => {
        const patches = codec.read(value).patches([...messages])
        expect(patches).toEqual([])
        expect(patchValue(value, patches)).toBe(value)
        const text = JSON.stringify(value, null, 2)
        expect(patchText(text, patches)).toBe(text)
      })

      it('is not read twice', () => {
        const first = codec.read(value).messages
        const again = codec.read(value).messages
        expect(again.length).toBe(first.length)
        again.forEach((message, index) => expect(message).toBe(first[index]))
      })

      it('has an id for every message', () => {
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length)
      })

      const results = messages.filter(({ role }) => role === 'tool').filter((message) => message.parts[0]?.type === 'tool-result')

      it('changes exactly the place of a replaced result', () => {
        for (const replace of [replaceText, replaceContent])
          for (const message of results) {
            const view = messages.map((other) => (other === message ? replace(message, 'short') : other))
            const patches = expectLens(value, view)
            const place = locate(message.id, 0)
            const root = rootOf(patches)
            for (const patch of patches) {
              expect(patch.path.slice(0, root.length + 1)).toEqual([...root, Number(place.message)])
              if (
                patch.path[root.length + 1] === blocks &&
                typeof patch.path[root.length + 2] === 'number' &&
                message.id.includes('.')
              ) {
                expect(patch.path[root.length + 2]).toBe(place.part)
              }
            }
          }
      })

      it('stays readable when a message is removed', () => {
        for (const message of messages)
          expectLens(
            value,
            messages.filter((other) => other !== message),
          )
      })

      it('stays readable when a result is put in', () => {
        for (const position of messages.keys())
          expectLens(value, messages.toSpliced(position + 1, 0, newResult('new', 'call_new')))
      })
    })

    it('reads back as the view, whatever was replaced, removed and put in', () => {
      const reached = { replaced: 0, removed: 0, result: 0, text: 0, split: 0 }
      fc.assert(
        fc.property(trial.conversations, fc.infiniteStream(fc.nat({ max: 99 })), (value, stream) => {
          const reading = codec.read(deepFreeze(value))
          const view = someView(reading.messages, reading.locate, () => stream.next().value, reached)
          if (reading.messages.some(({ id }) => id.includes('.'))) reached.split += 1
          expectLens(value, view)
        }),
        { numRuns: 300 },
      )
      const isSplit = codec.name !== 'openai-chat' && trial.joins !== true
      const expected = isSplit ? reached : { ...reached, split: 21 }
      for (const [name, count] of Object.entries(expected)) expect(count, name).toBeGreaterThan(20)
    })

    it.each(trial.refused)('refuses %j', (value, message) => {
      expect(() => codec.read(value)).toThrow(ReadError)
      expect(() => codec.read(value)).toThrow(message)
    })
  })
}

/** Writes a view and reads it back, from the value and from the text. */
function expectSame(
  codec: Codec,
  value: unknown,
  view: readonly Message[],
  { joins, linked = [] }: CodecTrial,
): readonly Patch[] {
  const patches = codec.read(value).patches(view)
  const patched = patchValue(value, patches)
  const joined = joins === true ? ['user', 'assistant'] : ['user']
  expect(plain(codec.read(patched).messages, joined, linked)).toEqual(plain(view, joined, linked))
  for (const indent of [0, 2]) expect(JSON.parse(patchText(JSON.stringify(value, null, indent), patches))).toEqual(patched)
  return patches
}

/** The path to the list of messages: everything before the first index. */
function rootOf([patch]: readonly Patch[]): readonly (string | number)[] {
  return patch === undefined
    ? []
    : patch.path.slice(
        0,
        patch.path.findIndex((step) => typeof step === 'number'),
      )
}

/** Messages without what an API format cannot represent: ids, a new result's tool and flag, the border between neighbours of one role. */
function plain(messages: readonly Message[], joined: readonly string[], linked: readonly string[]): readonly unknown[] {
  const list: { readonly role: string; readonly parts: unknown[] }[] = []
  for (const message of messages) {
    const last = list.at(-1)
    const parts = message.parts.map((part) => plainPart(part, linked))
    if (last !== undefined && last.role === message.role && joined.includes(message.role)) last.parts.push(...parts)
    else list.push({ role: message.role, parts })
  }
  return list
}

function plainPart(part: Part, linked: readonly string[]): unknown {
  if (part.type === 'tool-call') return { ...part, callId: idOnTheWire(part.callId, linked) }
  return part.type === 'tool-result' ? { callId: idOnTheWire(part.callId, linked), text: resultText(part) } : part
}

/** Ignores ids that a codec generated for a format without ids; they depend on the position. */
function idOnTheWire(callId: string | null, linked: readonly string[]): string | null {
  return callId === null || callId.startsWith('function:') || linked.includes(callId) ? null : callId
}

function replaceText(message: Message, text: string): Message {
  return { ...message, parts: message.parts.map((part) => (part.type === 'tool-result' ? withShownText(part, text) : part)) }
}

/** A text instead of any form of result, as edits of callers may contain. */
function replaceContent(message: Message, text: string): Message {
  return {
    ...message,
    parts: message.parts.map((part) => (part.type === 'tool-result' ? { ...part, content: { type: 'text', text } } : part)),
  }
}

function newResult(id: string, callId: string): Message {
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    tool: null,
    content: { type: 'text', text: 'Error: tool call was interrupted, no result' },
  }
  return { id, role: 'tool', parts: [part] }
}

/** A view of messages, chosen by a stream of numbers. */
function someView(
  messages: readonly Message[],
  locate: (message: string, part: number) => { readonly message: string },
  draw: () => number,
  reached: { replaced: number; removed: number; result: number; text: number },
): readonly Message[] {
  const view: Message[] = []
  messages.forEach((message, index) => {
    const choice = draw() % 5
    if (choice === 0) reached.removed += 1
    else if (choice === 1 && message.role === 'tool') {
      reached.replaced += 1
      const replace = draw() % 2 === 0 ? replaceText : replaceContent
      view.push(replace(message, `replaced ${draw()}`))
    } else view.push(message)
    const next = messages[index + 1]
    const inside = next !== undefined && locate(next.id, 0).message === locate(message.id, 0).message
    const addition = draw() % 5
    if (addition === 0) {
      reached.result += 1
      view.push(newResult(`new-${index}`, `call_new_${index}`))
    } else if (addition === 1 && !inside) {
      reached.text += 1
      view.push({ id: `said-${index}`, role: 'user', parts: [{ type: 'text', text: `said ${draw()}` }] })
    }
  })
  return view
}
