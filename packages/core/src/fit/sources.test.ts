import { describe, expect, it } from 'vitest'
import { completeConfig } from '../config.ts'
import { type Message, resultText, type ToolResultPart } from '../message.ts'
import { policiesNamed } from '../policies-named.ts'
import { resultHandle } from '../recall/transcript.ts'
import { specPolicies } from '../spec-policies.ts'
import { buildView } from '../view.ts'
import { createSources } from './sources.ts'

const result = (callId: string, text: string): ToolResultPart => ({
  type: 'tool-result',
  callId,
  tool: 'LS',
  content: { type: 'text', text },
})
const lost = result('lost', 'nobody asked for this\n'.repeat(400))
const asked = result('asked', 'what was asked for\n'.repeat(400))
const messages: readonly Message[] = [
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
  { id: 'c', role: 'assistant', parts: [{ type: 'tool-call', callId: 'asked', tool: 'LS', input: { path: '.' } }] },
  { id: 'r', role: 'tool', parts: [lost, asked] },
  { id: 'v', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
]

describe('the original of a result', () => {
  it('is that of its own call where another result before it was taken away', () => {
    const shown: Message = { ...(messages[2] as Message), parts: [asked] }
    const sources = createSources([shown], { originals: messages })
    expect(sources.part(shown, 0)).toBe(asked)
    expect(sources.handle(shown, 0)).toBe(resultHandle(asked))
  })

  it('is what the log has where it was cut first and moved to its call then', () => {
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

  it('is what a request that has to fit shows a piece of', () => {
    const config = completeConfig({ context_window: 1500, output_reserve: 500 })
    const { view, edits } = buildView({ messages, policies: specPolicies, facts: { config }, sent: 'v' })
    const texts = view.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-result' ? [resultText(part)] : [])))
    expect(edits.map(({ policy }) => policy)).toEqual(['pair-tool-calls', 'fit-window'])
    expect(texts).toEqual([expect.stringContaining(`recall ${resultHandle(asked)}]`)])
    expect(texts.join()).not.toContain('nobody')
  })
})
