import { describe, expect, it } from 'vitest'
import { viewRequest } from '../engine/view-request.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { patchText, patchValue } from '../text/patch.ts'
import { codecs } from '../wire/codecs.ts'

const long = 'one two three four five six seven eight nine ten '.repeat(40)
const pixel = 'iVBORw0KGgo'.repeat(30)

/** The same conversation in each dialect: old rounds with an image and a large call, then a running round. */
const requests = {
  'openai-chat': {
    messages: Array.from({ length: 6 }, (_, index) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: `Do ${index}.` },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `c${index}`,
            type: 'function',
            function: { name: 'Write', arguments: JSON.stringify({ path: 'a', content: long }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: `c${index}`, content: long },
      { role: 'assistant', content: `${index} is done.` },
    ]).flat(),
  },
  anthropic: {
    messages: Array.from({ length: 6 }, (_, index) => [
      {
        role: 'user',
        content: [
          { type: 'text', text: `Do ${index}.` },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: `c${index}`, name: 'Write', input: { path: 'a', content: long } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${index}`, content: long }] },
      { role: 'assistant', content: [{ type: 'text', text: `${index} is done.` }] },
    ]).flat(),
  },
  'ai-sdk': Array.from({ length: 6 }, (_, index) => [
    {
      role: 'user',
      content: [
        { type: 'text', text: `Do ${index}.` },
        { type: 'image', image: pixel, mediaType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${index}`, toolName: 'Write', input: { path: 'a', content: long } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: `c${index}`, toolName: 'Write', output: { type: 'text', value: long } }],
    },
    { role: 'assistant', content: [{ type: 'text', text: `${index} is done.` }] },
  ]).flat(),
  'openai-responses': {
    input: Array.from({ length: 6 }, (_, index) => [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: `Do ${index}.` },
          { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
        ],
      },
      { type: 'reasoning', id: `rs_${index}`, summary: [], encrypted_content: pixel },
      { type: 'function_call', call_id: `c${index}`, name: 'Write', arguments: JSON.stringify({ path: 'a', content: long }) },
      { type: 'function_call_output', call_id: `c${index}`, output: long },
      { role: 'assistant', content: `${index} is done.` },
    ]).flat(),
  },
  gemini: {
    contents: Array.from({ length: 6 }, (_, index) => [
      { role: 'user', parts: [{ text: `Do ${index}.` }, { inlineData: { mimeType: 'image/png', data: pixel } }] },
      { role: 'model', parts: [{ functionCall: { name: 'Write', args: { path: 'a', content: long } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'Write', response: { output: long } } }] },
      { role: 'model', parts: [{ text: `${index} is done.` }] },
    ]).flat(),
  },
} as const

describe.each(Object.keys(requests) as (keyof typeof requests)[])('Q-24 a request of %s that does not fit', (name) => {
  const request = requests[name]
  const view = (config: object) => viewRequest(codecs[name], request, specPolicies, { now: 0, config })

  it.each([
    ['with images, calls and results shortened', { context_window: 12_000 }],
    ['with limited images', { request_limits: { max_images: 2 } }],
    ['with folded rounds', { context_window: 4500 }],
    ['with almost no room', { context_window: 1200 }],
  ])('%s: is written back and reads like the view', (_name, config) => {
    const { built, patches, report } = view(config)
    expect(report.overflow).toBe(null)
    expect(report.problems).toEqual([])
    expect(patches.length).toBeGreaterThan(0)
    const patched = patchValue(request, patches)
    expect(JSON.parse(patchText(JSON.stringify(request), patches))).toEqual(patched)
    const again = viewRequest(codecs[name], patched, specPolicies, { now: 0, config })
    expect(again.reading.messages.flatMap(({ parts }) => parts).length).toBe(built.view.flatMap(({ parts }) => parts).length)
    expect(again.patches).toEqual([])
  })
})
