import fc from 'fast-check'
import type { Message, Part, ResultContent } from '../message.ts'

/**
 * Sessions of an agent that works on a few files: reads in full and in part, edits and writes with large arguments, searches,
 * commands that fail and are run again, reasoning, long logs, images; in rounds of many steps.
 */
export const workingSessions: fc.Arbitrary<readonly Message[]> = fc
  .array(
    fc.record({ said: fc.string({ maxLength: 40 }), steps: fc.array(steps(), { minLength: 12, maxLength: 30, size: 'max' }) }),
    {
      minLength: 1,
      maxLength: 3,
      size: 'max',
    },
  )
  .map(assemble)

interface Step {
  readonly thought: boolean
  readonly doing: 'read' | 'part' | 'cat' | 'edit' | 'write' | 'patch' | 'search' | 'test' | 'heredoc' | 'other'
  readonly file: number
  readonly size: number
  readonly failed: boolean
  readonly asText: boolean
  readonly picture: boolean
}

function steps(): fc.Arbitrary<Step> {
  return fc.record({
    thought: fc.boolean(),
    doing: fc.constantFrom('read', 'part', 'cat', 'edit', 'write', 'patch', 'search', 'test', 'heredoc', 'other'),
    file: fc.nat(4),
    size: fc.constantFrom(3, 25, 40, 60, 450),
    failed: fc.nat(4).map((number) => number === 0),
    asText: fc.boolean(),
    picture: fc.nat(9).map((number) => number === 0),
  })
}

function assemble(rounds: readonly { readonly said: string; readonly steps: readonly Step[] }[]): readonly Message[] {
  const messages: Message[] = []
  const add = (role: Message['role'], parts: readonly Part[]) => messages.push({ id: `m${messages.length}`, role, parts })
  for (const { said, steps } of rounds) {
    add('user', [{ type: 'text', text: said }])
    for (const step of steps) {
      const callId = `c${messages.length}`
      const { tool, input } = callOf(step)
      const thoughts: Part[] = step.thought ? [{ type: 'reasoning', text: `I should look at file ${step.file}.` }] : []
      add('assistant', [...thoughts, { type: 'tool-call', callId, tool, input: step.asText ? JSON.stringify(input) : input }])
      const text = `${step.failed ? 'Error: it did not work\n' : ''}${linesOf(step, messages.length)}`
      const content: ResultContent = step.picture
        ? {
            type: 'list',
            items: [
              { type: 'text', text },
              { type: 'media', mediaType: 'image/png', data: { url: 'x' } },
            ],
          }
        : { type: 'text', text }
      add('tool', [{ type: 'tool-result', callId, tool: null, content }])
    }
    add('assistant', [
      { type: 'reasoning', text: 'That was it.' },
      { type: 'text', text: 'Done.' },
    ])
  }
  return messages
}

function callOf(step: Step): { readonly tool: string; readonly input: object } {
  const path = `src/module${step.file}.ts`
  const code = linesOf(step, step.file)
  switch (step.doing) {
    case 'read':
      return { tool: 'Read', input: { file_path: path } }
    case 'part':
      return { tool: 'Read', input: { file_path: path, offset: 10, limit: step.size } }
    case 'cat':
      return { tool: 'Bash', input: { command: `sed -n '1,${step.size}p' ${path}` } }
    case 'edit':
      return { tool: 'Edit', input: { file_path: path, old_string: code, new_string: `${code}\nmore` } }
    case 'write':
      return { tool: 'Write', input: { file_path: path, content: code } }
    case 'patch':
      return { tool: 'apply_patch', input: { input: `*** Begin Patch\n*** Update File: ${path}\n${code}\n*** End Patch` } }
    case 'search':
      return { tool: 'Grep', input: { pattern: `handler${step.file}` } }
    case 'test':
      return { tool: 'Bash', input: { command: `npm test module${step.file}` } }
    case 'heredoc':
      return { tool: 'Bash', input: { command: `cat > ${path} <<'EOF'\n${code}\nEOF` } }
    case 'other':
      return { tool: 'mcp__tracker__list', input: { page: step.file } }
  }
}

function linesOf({ size, file }: Step, seed: number): string {
  return Array.from({ length: size }, (_, index) =>
    index % 17 === 3
      ? `error: assertion ${seed} failed in src/module${file}.ts:${index}`
      : `const handler${file}x${index % 31} = compute${seed}(${index})`,
  ).join('\n')
}
