import fc from 'fast-check'

/** A conversation independent of any API format, for a test to write in the format it is about. */
export type Story = readonly (
  | { readonly kind: 'user'; readonly text: string; readonly asBlocks: boolean }
  | {
      readonly kind: 'assistant'
      readonly text: string | null
      readonly thought: string | null
      readonly calls: readonly StoryCall[]
      readonly note: string | null
    }
)[]

/** A tool call of a story, with its result. */
export interface StoryCall {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, string>>
  /** Null if the call was not answered. */
  readonly answer: string | null
  readonly form: 'text' | 'list' | 'json'
  readonly failed: boolean
}

/** Any story. */
export function stories(): fc.Arbitrary<Story> {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('plain', '"quoted" \\ \n', '\ud800 alone', '日本語 🎉'),
  )
  const call = fc.record({
    tool: fc.constantFrom('Bash', 'Read', 'grep'),
    input: fc.dictionary(fc.constantFrom('command', 'path'), text),
    answer: fc.option(text, { freq: 6 }),
    form: fc.constantFrom('text' as const, 'list' as const, 'json' as const),
    failed: fc.boolean(),
  })
  const user = fc.record({ kind: fc.constant('user' as const), text, asBlocks: fc.boolean() })
  const assistant = fc.record({
    kind: fc.constant('assistant' as const),
    text: fc.option(text),
    thought: fc.option(text, { freq: 2 }),
    calls: fc.array(call, { maxLength: 3 }),
    note: fc.option(text, { freq: 2 }),
  })
  return fc
    .array(fc.oneof(user, assistant), { maxLength: 8 })
    .map((steps) =>
      steps.map((step, index) =>
        step.kind === 'user'
          ? step
          : { ...step, calls: step.calls.map((made, position) => ({ ...made, id: `call_${index}_${position}` })) },
      ),
    )
}
