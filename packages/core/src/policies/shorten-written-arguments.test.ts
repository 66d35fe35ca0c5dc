import { describe, expect, it } from 'vitest'
import { applyEdits } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { callInput, type Message, type ToolCallPart } from '../message.ts'
import { recall } from '../recall/recall.ts'
import { carryReferences, noReferences } from '../results/references.ts'
import { deepFreeze, exchange, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'
import { createShortenWrittenArguments } from './shorten-written-arguments.ts'
import { createSkipShownLines } from './skip-shown-lines.ts'

const rules: EconomyRules = { ...defaultEconomyRules, oldTextAfter: 8, argumentsAfter: 30, inUseFor: 20 }
const code = Array.from({ length: 60 }, (_, index) => `const value${index} = ${index}`).join('\n')
const other = code.replaceAll('value', 'other')
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `${index}` }, 'ok')).flat()

/** The shortened arguments of the call after `count` more requests; null if they are unchanged. */
function shown(tool: string, input: unknown, count = 30, text = 'ok'): unknown {
  const messages = deepFreeze([user('u', 'fix the cart tests'), ...exchange('write', tool, input, text), ...steps(count)])
  const [edit] = createShortenWrittenArguments(rules).plan(messages, {})
  return edit?.kind === 'replace' ? (edit.with as ToolCallPart).input : null
}

const facts = { root: '/project' }

/** The messages whose arguments are shortened. */
function changedBy(messages: readonly Message[], references = noReferences): readonly string[] {
  const edits = createShortenWrittenArguments(rules).plan(deepFreeze(messages), { ...facts, references })
  return edits.flatMap((edit) => (edit.kind === 'replace' ? [edit.message] : []))
}

const head = code.slice(0, code.lastIndexOf('\n', 159))
const short = (text: string, begins: string) =>
  `${begins}… [${text.split('\n').length - begins.split('\n').length + 1} lines cut; recall ${handleOf(text)}]`

describe('shorten-written-arguments', () => {
  it('keeps the path and the first lines of a written file', () => {
    expect(shown('Write', { file_path: 'a.ts', content: code })).toEqual({ file_path: 'a.ts', content: short(code, head) })
  })

  it('shortens the replaced text of an edit first', () => {
    const input = { file_path: 'a.ts', old_string: code, new_string: other }
    expect(shown('Edit', input, 7)).toBeNull()
    expect(shown('Edit', input, 8)).toEqual({ ...input, old_string: short(code, head) })
    expect(shown('Edit', input, 30)).toEqual({
      file_path: 'a.ts',
      old_string: short(code, head),
      new_string: short(other, head.replaceAll('value', 'other')),
    })
  })

  it('keeps JSON valid, also inside lists', () => {
    const input = { file_path: 'a.ts', edits: [{ old_text: code, new_text: 'total = 0' }] }
    expect(JSON.parse(shown('MultiEdit', JSON.stringify(input), 8) as string)).toEqual({
      file_path: 'a.ts',
      edits: [{ old_text: short(code, head), new_text: 'total = 0' }],
    })
  })

  it('keeps naming the files of a patch', () => {
    const patch = `*** Begin Patch\n*** Update File: src/a.ts\n${code}\n*** Update File: src/b.ts\n${code}\n*** End Patch`
    for (const input of [{ input: patch }, patch]) {
      const text = JSON.stringify(shown('apply_patch', input))
      expect(text).toContain('*** Update File: src/a.ts')
      expect(text).toContain(`; files: src/b.ts; recall ${handleOf(patch)}]`)
    }
  })

  it.each([
    ['writes', `cat > src/a.ts <<'EOF'\n${code}\nEOF`],
    ['creates', `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/a.ts\n${code}\n*** End Patch\nEOF`],
    ['edits', `apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.ts\n${code}\n*** End Patch\nEOF`],
  ])('shortens a command that %s a file', (_name, command) => {
    expect(JSON.stringify(shown('Bash', { command }))).toContain(`recall ${handleOf(command)}]`)
  })

  it('shortens a command that writes a file in every later request', () => {
    const command = `cat > src/a.ts <<'EOF'\n${code}\nEOF`
    const messages = [...exchange('write', 'Bash', { command }, 'ok'), ...steps(30)]
    expect([changedBy(messages), changedBy([...messages, ...steps(1, 100)])]).toEqual([['writec'], ['writec']])
  })

  describe('with another table of tools', () => {
    const about = (name: string, kind: 'write' | 'terminal', said: string): Facts => ({
      tools: [{ name, kind, about: () => [said] }],
    })

    it('names the files of the new table', () => {
      const { plan } = createShortenWrittenArguments(rules)
      const messages = [...exchange('write', 'Write', { content: `${code}\nsrc/a.ts src/b.ts` }, 'ok'), ...steps(30)]
      const named = (file: string) => JSON.stringify(plan(messages, about('Write', 'write', file)))
      expect(named('src/a.ts')).toContain('; files: src/a.ts; recall')
      expect(named('src/b.ts')).toContain('; files: src/b.ts; recall')
    })

    it('knows whether a command writes', () => {
      const { plan } = createShortenWrittenArguments(rules)
      const messages = [...exchange('write', 'run', { script: code }, 'ok'), ...steps(30)]
      const ids = (command: string) => plan(messages, about('run', 'terminal', command)).map(({ id }) => id)
      expect(ids('cat > src/a.ts')).toEqual(['shorten-written-arguments:writec.0'])
      expect(ids('ls src')).toEqual([])
    })
  })

  it('gives a reason with both lengths', () => {
    const input = { file_path: 'a.ts', content: code }
    const messages = deepFreeze([user('u', 'fix the cart tests'), ...exchange('write', 'Write', input, 'ok'), ...steps(30)])
    const shortened = { file_path: 'a.ts', content: short(code, head) }
    const call = { type: 'tool-call', callId: 'call-write', tool: 'Write', input: shortened }
    expect(createShortenWrittenArguments(rules).plan(messages, {})).toEqual([
      {
        id: 'shorten-written-arguments:writec.0',
        policy: 'shorten-written-arguments',
        kind: 'replace',
        message: 'writec',
        part: 0,
        with: call,
        why: 'arguments already written to a file: 1,211 characters shown as 230',
      },
    ])
  })

  it.each([Number.POSITIVE_INFINITY, Number.NaN])('does nothing with an age of %s', (age) => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('write', 'Edit', { old_string: code, new_string: other }, 'ok'),
      ...steps(9),
    ]
    const plan = (oldTextAfter: number, argumentsAfter: number) =>
      createShortenWrittenArguments({ ...rules, oldTextAfter, argumentsAfter }).plan(messages, {})
    expect(plan(8, Number.POSITIVE_INFINITY)).toHaveLength(1)
    expect(plan(age, age)).toEqual([])
  })

  it.each<[string, string, unknown, number, string]>([
    ['a failed call', 'Write', { file_path: 'a.ts', content: code }, 30, 'Error: no'],
    ['a young call', 'Write', { file_path: 'a.ts', content: code }, 29, 'ok'],
    ['a short call', 'Write', { file_path: 'a.ts', content: 'x'.repeat(500) }, 30, 'ok'],
    ['a call that writes nothing', 'Bash', { command: `node -e '${code}'` }, 30, 'ok'],
    ['a call of an unknown tool', 'mcp__a__b', { content: code }, 30, 'ok'],
    ['arguments that are not an object', 'Write', 5, 30, 'ok'],
    ['a young patch, whose replaced text is unknown', 'apply_patch', `*** Update File: a.ts\n${code}`, 29, 'ok'],
    ['a command that only deletes', 'Bash', { command: `rm src/a.ts # ${code.replaceAll('\n', ' ')}` }, 30, 'ok'],
    ['a search pattern', 'Grep', { pattern: code, path: 'a.ts' }, 30, 'ok'],
  ])('keeps %s', (_, tool, input, count, text) => {
    expect(shown(tool, input, count, text)).toBeNull()
  })

  it('keeps calls without success, and parts that are not calls of the assistant', () => {
    const [call, ...rest] = [...exchange('write', 'Write', { file_path: 'a.ts', content: code }, 'ok'), ...steps(30)] as [Message]
    const pending: Message = { ...call, parts: call.parts.map((part) => ({ ...part, pending: true }) as ToolCallPart) }
    const copy: Message = { ...call, id: 'copy', role: 'user' }
    expect(changedBy([call, ...rest])).toEqual(['writec'])
    expect(changedBy([pending, ...rest])).toEqual([])
    expect(changedBy([copy, call, ...rest])).toEqual(['writec'])
  })

  it('keeps signed, pinned and unsent content', () => {
    const [call, ...rest] = [...exchange('write', 'Write', { file_path: 'a.ts', content: code }, 'ok'), ...steps(30)] as [Message]
    const signed: Message = {
      ...call,
      parts: call.parts.map((part) => ({ ...part, providerOptions: { google: { thoughtSignature: 'signed' } } }) as ToolCallPart),
    }
    const policy = createShortenWrittenArguments(rules)
    expect(policy.plan([call, ...rest], {})).toHaveLength(1)
    expect(policy.plan([signed, ...rest], {})).toEqual([])
    expect(policy.plan([call, ...rest], { pins: ['writec'] })).toEqual([])
    expect(policy.plan([call, ...rest], { pins: ['write'] })).toEqual([])
    expect(policy.plan([call, ...rest], { sent: 'writec' })).toEqual([])
  })

  describe('a file in use', () => {
    const write = exchange('write', 'Write', { file_path: 'src/a.ts', content: code }, 'ok')
    const after = (count: number, ...use: readonly Message[]) => [
      user('u', 'fix the cart tests'),
      ...write,
      ...steps(60 - count),
      ...use,
      ...steps(count, 100),
    ]
    const read = exchange('r', 'Read', { file_path: '/project/src/a.ts' }, 'text')
    const other = exchange('r', 'Read', { file_path: 'src/b.ts' }, 'text')
    const edit = exchange('r', 'Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, 'ok')
    const command = exchange('r', 'Bash', { command: "sed -n '1,9p' src/a.ts" }, 'text')
    it.each<[name: string, messages: readonly Message[], changed: readonly string[]]>([
      ['stays if it was read recently', after(19, ...read), []],
      ['is shortened if it was read long ago', after(20, ...read), ['writec']],
      ['is shortened if another file was read', after(1, ...other), ['writec']],
      ['stays if it was changed recently', after(19, ...edit), []],
      ['stays if a command printed it recently', after(19, ...command), []],
      ['is shortened if it was not used since', after(0), ['writec']],
    ])('%s', (_name, messages, changed) => {
      expect(changedBy(messages)).toEqual(changed)
    })

    it('stays in use for longer than it is young', () => {
      const plan = (inUseFor: number) =>
        createShortenWrittenArguments({ ...rules, inUseFor }).plan([...write, ...steps(30)], facts)
      expect(plan(30)).toHaveLength(1)
      expect(plan(31)).toEqual([])
    })

    it('keeps a patch if one of its files is in use', () => {
      const patch = `*** Begin Patch\n*** Update File: src/a.ts\n${code}\n*** Update File: src/c.ts\n${code}\n*** End Patch`
      const patched = [...exchange('write', 'apply_patch', patch, 'ok'), ...steps(60)]
      expect(changedBy(patched)).toEqual(['writec'])
      expect(changedBy([...patched, ...read])).toEqual([])
    })

    it('does not keep replaced text, which no file contains any more', () => {
      const replacing = exchange('write', 'Edit', { file_path: 'src/a.ts', old_string: code, new_string: other }, 'ok')
      const [change] = createShortenWrittenArguments(rules).plan(
        [user('u', 'fix the cart tests'), ...replacing, ...steps(40), ...read],
        facts,
      )
      expect(change).toMatchObject({ with: { input: { new_string: other } } })
    })
  })

  describe('a written file that a result refers to', () => {
    const content = Array.from({ length: 30 }, (_, index) => `export const setting${index} = readSetting('the name of it')`).join(
      '\n',
    )
    const write = exchange('write', 'Write', { file_path: 'src/a.ts', content }, 'ok')
    const messages = [
      user('u', 'fix the cart tests'),
      ...write,
      ...steps(10),
      ...exchange('r', 'Read', { file_path: 'src/a.ts' }, content),
    ]
    const edits = createSkipShownLines(rules).plan(messages, {})
    const skipped = applyEdits(messages, edits)
    const { references } = carryReferences(edits, messages, noReferences)
    it.each<[name: string, before: readonly Message[], count: number, changed: readonly string[]]>([
      ['stays while the result is young', skipped, 29, []],
      ['is shortened with an old result', skipped, 30, ['writec']],
      ['is shortened if the result shows the lines itself', messages, 29, ['writec']],
    ])('%s', (_name, before, count, changed) => {
      expect(before === skipped).toBe(before[before.length - 1] !== messages.at(-1))
      const known = before === skipped ? references : noReferences
      expect(changedBy([...before, ...steps(count, 100)], known)).toEqual(changed)
    })
  })

  it('recalls the full text by each handle, by lines if asked', () => {
    const messages = exchange('write', 'Write', JSON.stringify({ file_path: 'a.ts', content: code }), 'ok')
    const [edit] = createShortenWrittenArguments({ ...rules, argumentsAfter: 0, inUseFor: 0 }).plan(messages, {})
    const content = String(callInput((edit as { with: ToolCallPart }).with)?.['content'])
    const handle = /recall ([0-9a-f]{12})\]$/.exec(content)?.[1] as string
    expect(recall({ handle }, sourceOf(messages))).toMatchObject({ kind: 'found', text: code })
    expect(recall({ handle, lines: [2, 3] }, sourceOf(messages))).toMatchObject({ text: 'const value1 = 1\nconst value2 = 2' })
  })
})
