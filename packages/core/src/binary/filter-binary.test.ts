import { describe, expect, it } from 'vitest'
import { applyEdits, type ReplaceEdit } from '../edit.ts'
import { type Facts, modelStringsIn } from '../facts.ts'
import { type MediaPart, type Message, resultText, type ToolResultPart } from '../message.ts'
import { base64 } from '../testing/base64.ts'
import { calls, deepFreeze, exchange, expectEdits, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { filterBinary } from './filter-binary.ts'

const facts: Facts = {}
const data = base64(12_000)
const large = '[LARGE_DATA_FILTERED: 11.7KB]'
const answer = (imageBase64: string) =>
  JSON.stringify([{ toolCallId: 'call-1', success: true, metadata: { imagePath: '/a.png', imageBase64 } }])

/** A tool message with whatever parts. */
function tool(id: string, ...parts: Message['parts']): Message {
  return { id, role: 'tool', parts }
}

function toolResult(content: ToolResultPart['content']): ToolResultPart {
  return { type: 'tool-result', callId: 'call-1', tool: null, content }
}

/** The parts that filtering shows in place of those of one tool message. */
function filteredParts(...parts: Message['parts']): Message['parts'] {
  const messages = deepFreeze([tool('1', ...parts)])
  return applyEdits(messages, filterBinary.plan(messages, facts))[0]?.parts ?? []
}

describe('filter-binary', () => {
  it('R002-10 filters the content and its structured copy', () => {
    const twin = (value: unknown): MediaPart => ({ type: 'media', mediaType: 'application/json', data: value })
    expect(filteredParts(toolResult({ type: 'text', text: answer(data) }), twin(JSON.parse(answer(data))))).toEqual([
      toolResult({ type: 'text', text: answer('[BINARY_DATA_FILTERED: 11.7KB]') }),
      twin(JSON.parse(answer('[BINARY_DATA_FILTERED: 11.7KB]'))),
    ])
  })

  it('Q-9 names the result that has the data in other languages than the specification, and filters it once', () => {
    const strings = modelStringsIn('english')
    const list = exchange('m', 'image_generate', {}, answer(data))
    const [edit] = filterBinary.plan(list, { strings })
    const shown = resultText((edit as ReplaceEdit).with as ToolResultPart)
    expect(shown).toBe(answer(`[BINARY_DATA_FILTERED: 11.7KB; recall ${handleOf(answer(data))}]`))
    expect(filterBinary.plan(exchange('m', 'image_generate', {}, shown), { strings })).toEqual([])
    expect(filterBinary.plan(exchange('m', 'image_generate', {}, shown), {})).toEqual([])
  })

  it('gives a reason, and keeps every other field of the part', () => {
    const part: ToolResultPart = {
      ...toolResult({ type: 'text', text: `saved ${data}` }),
      tool: 'Bash',
      isError: true,
      status: 'error',
    }
    expect(filterBinary.plan([tool('m', { type: 'text', text: 'note' }, part)], facts)).toEqual([
      {
        id: 'filter-binary:m.1',
        policy: 'filter-binary',
        kind: 'replace',
        message: 'm',
        part: 1,
        with: { ...part, content: { type: 'text', text: `saved ${large}` } },
        why: '11.7 KB of binary data replaced by a placeholder',
      },
    ])
  })

  it('filters json content and the texts of a list; keeps images in the provider’s own format', () => {
    const image: MediaPart = { type: 'media', mediaType: 'image/png', data: { type: 'base64', data } }
    expect(
      filteredParts(
        toolResult({ type: 'json', value: { output: data } }),
        toolResult({ type: 'list', items: [image, { type: 'text', text: data }] }),
        image,
      ),
    ).toEqual([
      toolResult({ type: 'json', value: { output: large } }),
      toolResult({ type: 'list', items: [image, { type: 'text', text: large }] }),
      image,
    ])
  })

  it('filters errors and unsent results too', () => {
    const messages = [user('u', 'draw'), ...exchange('1', 'image_generate', {}, answer(data), { isError: true })]
    expectEdits(filterBinary, messages, { sent: 'u' }, { '1': answer('[BINARY_DATA_FILTERED: 11.7KB]') })
  })

  it('never changes user, model and system messages', () => {
    const said: readonly Message[] = [
      user('u', data),
      { id: 'j', role: 'user', parts: [{ type: 'media', mediaType: 'application/json', data: { imageBase64: data } }] },
      { id: 's', role: 'system', parts: [{ type: 'text', text: data }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'text', text: data }] },
      calls('c', ['1', 'Write', { content: data }]),
      tool('t', { type: 'text', text: data }),
    ]
    expectEdits(filterBinary, said, facts, {})
  })

  it('R002-31 leaves no base64 of three images in a row, which then fit a window of 131,072 tokens', () => {
    const images = [1, 2, 3].map((seed) => base64(1024 * 1024, seed))
    const messages = images.flatMap((picture, index) =>
      exchange(`${index}`, 'image_generate', {}, answer(`data:image/png;base64,${picture}`)),
    )
    const view = JSON.stringify(applyEdits(messages, filterBinary.plan(messages, facts)))
    expect(JSON.stringify(messages).length / 4).toBeGreaterThan(131_072)
    expect(view.length / 4).toBeLessThan(131_072)
    expect(view).not.toMatch(/[A-Za-z0-9+/]{100}/)
    expect(view.match(/\[BINARY_DATA_FILTERED: 1024\.0KB\]/g)).toHaveLength(3)
  })

  it('R002-35 leaves paths, ordinary output and an SSE log unchanged', () => {
    const texts = [
      answer(''),
      'x'.repeat(20_000),
      'data: {"a":1}\n\n'.repeat(1000),
      JSON.stringify({ rows: Array.from({ length: 5000 }, (_, row) => row) }),
    ]
    expectEdits(
      filterBinary,
      texts.map((text, index) => result(`${index}`, null, text)),
      facts,
      {},
    )
  })

  it('returns the same edits for the same parts, and none for filtered ones', () => {
    const messages = [result('1', 'c', answer(data)), result('2', 'c', 'ok')]
    const edits = filterBinary.plan(messages, facts)
    expect(filterBinary.plan([...messages], { ...facts })[0]).toBe(edits[0])
    expect(filterBinary.plan(applyEdits(messages, edits), facts)).toEqual([])
  })

  it('returns separate edits for other places and other strings', () => {
    const [first] = [result('1', 'c', data)]
    const moved = { ...(first as Message), id: 'moved' }
    const strings = { largeDataFiltered: (size: string) => `<${size}>` }
    expectEdits(filterBinary, [first as Message], facts, { '1': large })
    expectEdits(filterBinary, [moved], facts, { moved: large })
    expectEdits(filterBinary, [moved], { strings }, { moved: '<11.7>' })
    expectEdits(filterBinary, [moved], facts, { moved: large })
  })

  it.each<readonly [string, Message['parts'][number]]>([
    ['text', toolResult({ type: 'text', text: 'plain' })],
    ['json', toolResult({ type: 'json', value: { output: 'plain' } })],
    ['a list', toolResult({ type: 'list', items: [{ type: 'text', text: 'plain' }] })],
    ['a structured twin', { type: 'media', mediaType: 'application/json', data: { output: 'plain' } }],
  ])('leaves %s without binary data unchanged', (_name, part) => {
    expect(filterBinary.plan([tool('m', part)], facts)).toEqual([])
  })

  it('returns a list that does not grow with the conversation', () => {
    const one = tool('m', toolResult({ type: 'text', text: data }))
    const before = filterBinary.plan([one], facts)
    expect(filterBinary.plan([one, tool('n', toolResult({ type: 'text', text: data }))], facts)).toHaveLength(2)
    expect(before).toHaveLength(1)
  })

  it('names the result that has the data, in text or JSON, but not a structured twin', () => {
    const english: Facts = { strings: modelStringsIn('english') }
    const shown = (part: Message['parts'][number]) => JSON.stringify(outcome(filterBinary.plan([tool('m', part)], english)))
    expect(shown(toolResult({ type: 'text', text: data }))).toMatch(/recall [0-9a-f]{12}\]/)
    expect(shown(toolResult({ type: 'json', value: { output: data.repeat(3) } }))).toMatch(/recall [0-9a-f]{12}\]/)
    expect(shown({ type: 'media', mediaType: 'application/json', data: { output: data } })).not.toContain('recall')
  })

  it('keeps the identity of a plain text next to a filtered one in a list', () => {
    const plain = { type: 'text', text: 'plain' } as const
    const [part] = filteredParts(toolResult({ type: 'list', items: [plain, { type: 'text', text: data }] }))
    const items = part?.type === 'tool-result' && part.content.type === 'list' ? part.content.items : []
    expect(items).toEqual([plain, { type: 'text', text: large }])
    expect(items[0]).toBe(plain)
  })

  it('returns the same edit for the same part in another list, and a separate one in another place or language', () => {
    const part = toolResult({ type: 'text', text: data })
    const message = tool('m', part)
    const [edit] = filterBinary.plan([message], facts)
    expect(filterBinary.plan([user('u', 'before'), message], facts)[0]).toBe(edit)
    expect(filterBinary.plan([tool('m', { type: 'text', text: 'note' }, part)], facts)).toEqual([
      { ...edit, id: 'filter-binary:m.1', part: 1 },
    ])
    expect(filterBinary.plan([tool('n', part)], facts)).toEqual([{ ...edit, id: 'filter-binary:n.0', message: 'n' }])
    const why = '11.7 KB 二进制数据已换成占位符'
    expect(filterBinary.plan([tool('n', part)], { config: { locale: 'zh' } })).toEqual([
      { ...edit, id: 'filter-binary:n.0', message: 'n', why },
    ])
  })
})
