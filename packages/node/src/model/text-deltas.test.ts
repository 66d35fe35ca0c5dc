import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelDelta } from './model-client.ts'
import { createStepDeltas } from './text-deltas.ts'

/** The shown text, one entry for each run of a kind. */
function shown(pieces: readonly string[]): readonly (readonly [string, string])[] {
  const told: [string, string][] = []
  const steps = createStepDeltas(({ type, text }: ModelDelta) => {
    if (text === '') told.push([type, 'nothing'])
    const last = told.at(-1)
    if (last?.[0] === type) last[1] += text
    else told.push([type, text])
  })
  for (const piece of pieces) steps.write(piece)
  steps.end()
  return told
}

const examples: readonly (readonly [name: string, text: string, expected: readonly (readonly [string, string])[]])[] = [
  ['a thought', 'Thought: Hm.\nAction: LS[{}]', [['reasoning', 'Hm.\n']]],
  ['a thought in bold, in another case', '**THOUGHT:** Hm.\n  **action**: LS[{}]', [['reasoning', 'Hm.\n']]],
  ['a thought after its role', '[assistant] Thought: Hm.\nAction: LS[{}]', [['reasoning', 'Hm.\n']]],
  [
    'a thought of several lines',
    'Thought: One\ntwo actions\n\nthree\nAction: LS[{}]',
    [['reasoning', 'One\ntwo actions\n\nthree\n']],
  ],
  ['plain words', 'Thoughtful words.\nActions speak.', [['text', 'Thoughtful words.\nActions speak.']]],
  ['words that end like a label', 'So\nTh', [['text', 'So\nTh']]],
  [
    'an answer',
    'Thought: Done.\nAction: Finish[a [b] c]d',
    [
      ['reasoning', 'Done.\n'],
      ['text', 'a [b] c'],
    ],
  ],
  ['a quoted answer', 'Action: Finish["a\\n\\u00e9] b"]', [['text', 'a\né] b']]],
  ['an answer that is cut', 'Action: Finish[half an', [['text', 'half an']]],
  ['a made-up result', 'Action: LS[{}]\n[tool] {}\nThought: no', []],
  ['an action that only looks like the end', 'Action: Finisher[{}]', []],
  ['an action in a fence', 'Thought: Hm.\n```\nAction: LS[{}]\n```\n', [['reasoning', 'Hm.\n```\n']]],
  ['an action in a fence with a made-up result', 'So\n```\nAction: LS[{}]\n```\n\nObservation: a.ts', [['text', 'So\n```\n']]],
  ['an answer in a fence', '~~~\nAction: Finish[so]\n~~~', [['text', '~~~\nso']]],
  ...[
    'One writes:\n```\nAction: LS[{}]\n```\n\nThat is all.\nAnd `so` on.',
    'First\n```text\nAction: LS[{}]\nObservation: a.ts\n```\nthen\n```\nAction: Bash[{}]\n```\nThat',
    `\`\`\`\nAction: LS[{}]\n\`\`\`\n${'very '.repeat(40)}long\nline`,
  ].map((text) => [`an example in a fence: ${text.slice(0, 20)}`, text, [['text', text]]] as const),
  ['nothing', '', []],
]

describe('createStepDeltas', () => {
  it.each(examples)('shows %s', (_name, text, expected) => expect(shown([text])).toEqual(expected))

  it('shows the same whatever the pieces are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples), fc.array(fc.nat(60), { maxLength: 20 }), ([, text, expected], cuts) => {
        const places = [...new Set([0, ...cuts.filter((cut) => cut < text.length), text.length])].sort(
          (one, other) => one - other,
        )
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place))
        expect(shown(pieces)).toEqual(expected)
      }),
    )
    for (const [, text, expected] of examples) expect(shown([...text])).toEqual(expected)
  })

  it('is done with any text in time that grows with its length', () => {
    for (const text of [
      ' '.repeat(200_000),
      'Thought'.repeat(50_000),
      '[assistant'.repeat(20_000),
      `Action: ${'f'.repeat(200_000)}`,
      `\`\`\`\nAction: LS[${'f'.repeat(200_000)}`,
      `\`\`\`\nAction: LS[]\n\`\`\`${'\n'.repeat(200_000)}`,
    ])
      for (const pieces of [[text], [...text]]) expect(shown(pieces).length).toBeLessThan(2)
  })
})
