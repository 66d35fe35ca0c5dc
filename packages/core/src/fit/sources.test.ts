import { describe, expect, it } from 'vitest'
import { filterBinary } from '../binary/filter-binary.ts'
import { completeConfig } from '../config.ts'
import { buildView } from '../engine/build-view.ts'
import { type Message, type Part, resultText, type ToolResultPart } from '../message.ts'
import { policiesNamed } from '../policies/policies-named.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { resultHandle, transcriptHandle } from '../results/transcript.ts'
import { base64 } from '../testing/base64.ts'
import { handleOf } from '../text/hash.ts'
import { createSources } from './sources.ts'

const result = (callId: string, text: string): ToolResultPart => ({
  type: 'tool-result',
  callId,
  tool: 'LS',
  content: { type: 'text', text },
})
const lost = result('lost', 'an orphan of no call.\n'.repeat(400))
const asked = result('asked', 'what was asked for\n'.repeat(400))
const messages: readonly Message[] = [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
  { id: 'c', role: 'assistant', parts: [{ type: 'tool-call', callId: 'asked', tool: 'LS', input: { path: '.' } }] },
  { id: 'r', role: 'tool', parts: [lost, asked] },
  { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
]

describe('the original of a result', () => {
  it('belongs to the right call if an earlier result was removed', () => {
    const shown: Message = { ...(messages[2] as Message), parts: [asked] }
    const sources = createSources([shown], { originals: messages })
    expect(sources.part(shown, 0)).toBe(asked)
    expect(sources.handle(shown, 0)).toBe(resultHandle(asked))
  })

  it('is found by its call alone if that has one answer', () => {
    const moved: Message = { id: 'moved', role: 'tool', parts: [result('asked', 'cut')] }
    const twice = [...messages, { id: 's', role: 'tool', parts: [asked] } as Message]
    expect(createSources([moved], { originals: messages }).part(moved, 0)).toBe(asked)
    expect(createSources([moved], { originals: twice }).part(moved, 0)).toBe(moved.parts[0])
  })

  it('has its data filtered, and data beside it has not', () => {
    const copy: Part = { type: 'media', mediaType: 'application/json', data: { output: base64(20_000) } }
    const shown: Message = { id: 'x', role: 'tool', parts: [result('asked', base64(20_000)), copy] }
    const sources = createSources([shown], { originals: [shown], policies: [filterBinary.name] })
    expect(sources.part(shown, 0)).not.toBe(shown.parts[0])
    expect(sources.part(shown, 1)).toBe(copy)
  })

  it('is the logged one if it was cut and then moved to its call', () => {
    const strayed: readonly Message[] = [
      ...messages.slice(0, 2),
      { id: 'w', role: 'user', parts: [{ type: 'text', text: 'Wait.' }] },
      { id: 'r', role: 'tool', parts: [asked] },
      { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
    ]
    const config = completeConfig({
      context_window: 1500,
      output_reserve: 500,
      tool_output_limits: { default: { max_lines: 300 } },
    })
    const policies = policiesNamed(['limit-tool-output', 'pair-tool-calls', 'fit-window'])
    const { view, edits } = buildView({ messages: strayed, policies, facts: { config }, sent: 'v' })
    expect(edits.map(({ policy }) => policy)).toContain('fit-window')
    expect(JSON.stringify(view)).toContain(`recall ${resultHandle(asked)}]`)
  })

  it('is shown in part in a request that has to fit', () => {
    const config = completeConfig({ context_window: 1500, output_reserve: 500 })
    const { view, edits } = buildView({ messages, policies: specPolicies, facts: { config }, sent: 'v' })
    const texts = view.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
    expect(edits.map(({ policy }) => policy)).toEqual(['pair-tool-calls', 'fit-window'])
    expect(texts).toEqual([expect.stringContaining(`recall ${resultHandle(asked)}]`)])
    expect(texts.join()).not.toContain('an orphan')
  })
})

describe('the source of a part', () => {
  const call = (callId: string, input: string): Part => ({ type: 'tool-call', callId, tool: 'LS', input })
  const text = (said: string): Part => ({ type: 'text', text: said })
  const reasoning = (said: string): Part => ({ type: 'reasoning', text: said })
  const image = (data: string): Part => ({ type: 'media', mediaType: 'image/png', data })
  const message = (id: string, ...parts: readonly Part[]): Message => ({ id, role: 'assistant', parts })
  const log = [
    message('m', text('said'), reasoning('thought'), image('AAAA'), call('1', 'one'), result('1', 'answer')),
    message('n', call('2', 'two'), call('3', 'three')),
    message('o', result('4', 'first'), result('5', 'once')),
    message('p', result('4', 'second'), { ...result('', 'of no call'), callId: null }),
    message('q', result('6', 'called'), call('6', 'calling')),
  ]

  it.each<[name: string, shown: Message, index: number, original: Part | undefined]>([
    ['a text', message('m', text('cut')), 0, log[0]?.parts[0]],
    ['reasoning', message('m', text(''), reasoning('cut')), 1, log[0]?.parts[1]],
    ['an image', message('m', text(''), text(''), image('A')), 2, log[0]?.parts[2]],
    ['a call', message('n', call('2', 'cut')), 0, log[1]?.parts[0]],
    ['a call that moved', message('n', call('3', 'cut')), 0, log[1]?.parts[1]],
    ['a result of a message that is not in the log', message('gone', result('5', 'cut')), 0, log[2]?.parts[1]],
    ['a part that has another type in the log', message('m', reasoning('cut')), 0, reasoning('cut')],
    ['a part that is not in the log', message('n', text(''), text(''), text('more')), 2, text('more')],
    ['a call that is not in the log', message('n', call('9', 'more')), 0, call('9', 'more')],
    ['a result in the place of a call', message('n', result('2', 'more')), 0, result('2', 'more')],
    ['a result of a call with two answers', message('gone', result('4', 'cut')), 0, result('4', 'cut')],
    [
      'a result without a call',
      message('gone', text(''), { ...result('', 'cut'), callId: null }),
      1,
      { ...result('', 'cut'), callId: null },
    ],
    ['a call of a message that is not in the log', message('gone', call('6', 'cut')), 0, call('6', 'cut')],
  ])('%s', (_name, shown, index, original) => {
    expect(createSources([shown], { originals: log }).part(shown, index)).toEqual(original)
  })

  it('is the log, or the part itself if the log has no such message', () => {
    const inserted = [message('new', text('whole')), message('m', text('not this'))]
    const sources = createSources([], { originals: log, inserted })
    expect(sources.part(message('new', text('cut')), 0)).toEqual(text('whole'))
    expect(sources.part(message('m', text('cut')), 0)).toEqual(text('said'))
    expect(sources.part(message('neither', text('cut')), 0)).toEqual(text('cut'))
  })

  it('is named by its text, an image by its message', () => {
    const first = log[0] as Message
    const sources = createSources(log, {})
    const said = ['said', 'thought', '"AAAA"', 'one', 'answer'].map(handleOf)
    expect(first.parts.map((_, index) => sources.identity(first, index))).toEqual(said)
    expect(first.parts.map((_, index) => sources.handle(first, index))).toEqual(said.with(2, transcriptHandle([first])))
  })

  it('is found between two messages of the log', () => {
    const sources = createSources([], { originals: log })
    expect(['m', 'x'].map(sources.has)).toEqual([true, false])
    expect(sources.between('n', 'o')).toEqual(log.slice(1, 3))
    expect([sources.between('x', 'o'), sources.between('n', 'x')]).toEqual([null, null])
  })

  it('has its binary data filtered if configured', () => {
    const binary = base64(12_000)
    const parts = [result('1', 'plain'), result('2', binary), result('3', base64(15_000, 2))]
    const shown: Message = { id: 'r', role: 'tool', parts }
    const filtered = filterBinary.plan([shown], {})
    expect(filtered.length).toBe(2)
    const partsOf = (policies: readonly string[] | undefined) => {
      const sources = createSources([shown], policies === undefined ? {} : { policies })
      return parts.map((_, index) => sources.part(shown, index))
    }
    expect(partsOf(undefined)).toEqual(parts)
    expect(partsOf(['pair-tool-calls'])).toEqual(parts)
    expect(partsOf(['filter-binary'])).toEqual([parts[0], ...filtered.map((edit) => edit.kind === 'replace' && edit.with)])
  })

  it('keeps user text unchanged if only results are filtered', () => {
    const sources = createSources(log, { policies: ['filter-binary'] })
    expect(sources.part(log[0] as Message, 0)).toBe(log[0]?.parts[0])
  })
})
