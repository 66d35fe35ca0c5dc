import { describe, expect, it } from 'vitest'
import { handleOf } from '../hash.ts'
import { callInput, type Message, type ToolCallPart } from '../message.ts'
import { recall } from '../recall/recall.ts'
import { deepFreeze, exchange, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { createShortenWrittenArguments } from './shorten-written-arguments.ts'

const code = Array.from({ length: 60 }, (_, index) => `const value${index} = ${index}`).join('\n')
const other = code.replaceAll('value', 'other')
const steps = (count: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${index}`, 'LS', { path: `${index}` }, 'ok')).flat()

/** What is shown of the arguments of the call, so many requests later; null where that is all. */
function shown(tool: string, input: unknown, count = 30, text = 'ok', rules: Partial<EconomyRules> = {}): unknown {
  const messages = deepFreeze([user('u', 'go'), ...exchange('x', tool, input, text), ...steps(count)])
  const [edit] = createShortenWrittenArguments({ ...defaultEconomyRules, ...rules }).plan(messages, {})
  return edit?.kind === 'replace' ? (edit.with as ToolCallPart).input : null
}

const head = code.slice(0, code.lastIndexOf('\n', 159))
const short = (text: string, begins: string) =>
  `${begins}… [${text.split('\n').length - begins.split('\n').length + 1} lines cut; recall ${handleOf(text)}]`

describe('shorten-written-arguments', () => {
  it('a written file keeps its path and first lines', () => {
    expect(shown('Write', { file_path: 'a.ts', content: code })).toEqual({ file_path: 'a.ts', content: short(code, head) })
  })

  it('of an edit, what was replaced goes first', () => {
    const input = { file_path: 'a.ts', old_string: code, new_string: other }
    expect(shown('Edit', input, 7)).toBeNull()
    expect(shown('Edit', input, 8)).toEqual({ ...input, old_string: short(code, head) })
    expect(shown('Edit', input, 30)).toEqual({
      file_path: 'a.ts',
      old_string: short(code, head),
      new_string: short(other, head.replaceAll('value', 'other')),
    })
  })

  it('JSON stays JSON, also inside of lists', () => {
    const input = { file_path: 'a.ts', edits: [{ old_text: code, new_text: 'x' }] }
    expect(JSON.parse(shown('MultiEdit', JSON.stringify(input), 8) as string)).toEqual({
      file_path: 'a.ts',
      edits: [{ old_text: short(code, head), new_text: 'x' }],
    })
  })

  it('the files of a patch stay named', () => {
    const patch = `*** Begin Patch\n*** Update File: src/a.ts\n${code}\n*** Update File: src/b.ts\n${code}\n*** End Patch`
    for (const input of [{ input: patch }, patch]) {
      const text = JSON.stringify(shown('apply_patch', input))
      expect(text).toContain('*** Update File: src/a.ts')
      expect(text).toContain(`; files: src/b.ts; recall ${handleOf(patch)}]`)
    }
  })

  it('a command that writes a file is one too', () => {
    const command = `cat > src/a.ts <<'EOF'\n${code}\nEOF`
    expect(JSON.stringify(shown('Bash', { command }))).toContain(`recall ${handleOf(command)}]`)
  })

  it.each<[string, string, unknown, number, string]>([
    ['a call that failed', 'Write', { file_path: 'a.ts', content: code }, 30, 'Error: no'],
    ['a young one', 'Write', { file_path: 'a.ts', content: code }, 29, 'ok'],
    ['a short one', 'Write', { file_path: 'a.ts', content: 'x'.repeat(500) }, 30, 'ok'],
    ['a call that writes nothing', 'Bash', { command: `node -e '${code}'` }, 30, 'ok'],
    ['a call of a tool nobody knows', 'mcp__a__b', { content: code }, 30, 'ok'],
    ['arguments that are no object', 'Write', 5, 30, 'ok'],
  ])('%s stays', (_, tool, input, count, text) => {
    expect(shown(tool, input, count, text)).toBeNull()
  })

  it('what was signed, pinned or not sent yet stays', () => {
    const [call, ...rest] = [...exchange('x', 'Write', { file_path: 'a.ts', content: code }, 'ok'), ...steps(30)] as [Message]
    const signed: Message = {
      ...call,
      parts: call.parts.map((part) => ({ ...part, providerOptions: { google: { thoughtSignature: 'x' } } }) as ToolCallPart),
    }
    const policy = createShortenWrittenArguments(defaultEconomyRules)
    expect(policy.plan([call, ...rest], {})).toHaveLength(1)
    expect(policy.plan([signed, ...rest], {})).toEqual([])
    expect(policy.plan([call, ...rest], { pins: ['xc'] })).toEqual([])
    expect(policy.plan([call, ...rest], { pins: ['x'] })).toEqual([])
    expect(policy.plan([call, ...rest], { sent: 'xc' })).toEqual([])
  })

  it('each handle brings the whole text back, by lines if wanted', () => {
    const messages = exchange('x', 'Write', JSON.stringify({ file_path: 'a.ts', content: code }), 'ok')
    const [edit] = createShortenWrittenArguments({ ...defaultEconomyRules, argumentsAfter: 0 }).plan(messages, {})
    const content = String(callInput((edit as { with: ToolCallPart }).with)?.['content'])
    const handle = /recall ([0-9a-f]{12})\]$/.exec(content)?.[1] as string
    expect(recall({ handle }, sourceOf(messages))).toMatchObject({ kind: 'found', text: code })
    expect(recall({ handle, lines: [2, 3] }, sourceOf(messages))).toMatchObject({ text: 'const value1 = 1\nconst value2 = 2' })
  })
})
