import type { Message, Part } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { describe, expect, it } from 'vitest'
import { createReferenceChecker } from './laws/references.ts'
import type { ShownRequest } from './laws/request.ts'
import { prefixChanges } from './laws/stability.ts'
import { trimmedUnseen } from './laws/unseen.ts'

const file = Array.from({ length: 30 }, (_, line) => `const value${line} = compute(${line})`)
const numbered = file.map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
const above = (count: number, often = '') =>
  `[${count} lines as shown above${often}: Read a.ts, lines 1-${count}; recall 0123456789ab]`
const restated = `[30 lines: Read a.ts, lines 1-30; recall 0123456789ab]`

function message(id: string, role: Message['role'], ...parts: readonly Part[]): Message {
  return { id, role, parts }
}

function result(id: string, lines: readonly string[]): Message {
  return message(id, 'tool', {
    type: 'tool-result',
    callId: `call ${id}`,
    tool: 'Read',
    content: { type: 'text', text: lines.join('\n') },
  })
}

describe('references', () => {
  const check = (originals: readonly Message[], view: readonly Message[], isRecallable = true) =>
    createReferenceChecker().check(originals, view, () => isRecallable)
  const reasons = (...given: Parameters<typeof check>) => check(...given).wrong.map(({ reason }) => reason)

  it('accepts lines that an earlier result shows, with other line numbers', () => {
    const found = check([result('a', numbered), result('b', file)], [result('a', numbered), result('b', [above(30)])])
    expect(found).toEqual({ above: 1, restated: 0, wrong: [] })
  })

  it('accepts lines that the arguments of an earlier call show', () => {
    const call = message('w', 'assistant', {
      type: 'tool-call',
      callId: 'w',
      tool: 'Write',
      input: JSON.stringify({ content: file.join('\n') }),
    })
    expect(reasons([call, result('b', file)], [call, result('b', [above(30)])])).toEqual([])
    const short = message('w', 'assistant', {
      type: 'tool-call',
      callId: 'w',
      tool: 'Write',
      input: { content: '[30 lines cut]' },
    })
    expect(reasons([call, result('b', file)], [short, result('b', [above(30)])])).toEqual(['not shown before it'])
  })

  it('accepts lines further up in the same result, and lines that repeat a shorter run', () => {
    const twice = [...file, 'between', ...file]
    expect(reasons([result('a', twice)], [result('a', [...file, 'between', above(30)])])).toEqual([])
    const often = Array.from({ length: 41 }, () => 'the same line again')
    expect(reasons([result('a', often)], [result('a', ['the same line again', above(40, ' over and over')])])).toEqual([])
    const mixed = [...often.slice(0, 40), 'another line']
    expect(reasons([result('a', mixed)], [result('a', ['the same line again', above(40, ' over and over')])])).toEqual([
      'not shown before it',
    ])
  })

  it('finds a reference to a result that became a stub', () => {
    const view = [result('a', ['[Read: a.ts; recall 0123456789ab]']), result('b', [above(30)])]
    expect(reasons([result('a', file), result('b', file)], view)).toEqual(['not shown before it'])
  })

  it('finds a reference to a result that comes later, or is missing', () => {
    const view = [result('a', [above(30)]), result('b', file)]
    expect(reasons([result('a', file), result('b', file)], view)).toEqual(['not shown before it'])
    expect(reasons([result('b', file)], [result('b', [above(30)])])).toEqual(['not shown before it'])
  })

  it('finds a reference to lines that are themselves replaced by a reference', () => {
    const originals = [result('a', file), result('b', file), result('c', file)]
    const stub = result('a', ['[Read: a.ts; recall 0123456789ab]'])
    expect(reasons(originals, [stub, result('b', [above(30)]), result('c', [above(30)])])).toHaveLength(2)
  })

  it('finds a reference to other lines than those shown', () => {
    const changed = file.with(12, 'const value12 = other()')
    expect(reasons([result('a', file), result('b', changed)], [result('a', file), result('b', [above(30)])])).toEqual([
      'not shown before it',
    ])
    const shifted = [...file.slice(0, 3), above(26), 'not the last line']
    expect(reasons([result('a', file), result('b', file)], [result('a', file), result('b', shifted)])).toEqual([
      'does not match the original',
    ])
  })

  it('treats a reference in the original as text', () => {
    const quoted = result('a', ['it said:', above(30)])
    expect(check([quoted], [quoted])).toEqual({ above: 0, restated: 0, wrong: [] })
  })

  it('accepts a restated line only if it can be recalled and was shown in an accepted request', () => {
    const originals = [result('a', file), result('b', file)]
    const view = [result('a', ['[Read: a.ts; recall 0123456789ab]']), result('b', [restated])]
    const checker = createReferenceChecker()
    expect(checker.check(originals, view, () => true).wrong.map(({ reason }) => reason)).toEqual(['never shown'])
    checker.accepted(originals, originals)
    expect(checker.check(originals, view, () => true)).toEqual({ above: 0, restated: 1, wrong: [] })
    expect(checker.check(originals, view, () => false).wrong.map(({ reason }) => reason)).toEqual(['cannot be recalled'])
  })

  it('accepts a restated line whose lines were shown in pieces: some verbatim, some by a correct reference', () => {
    const both = [...file, ...file.map((line) => `${line} again`)]
    const pieces = [above(file.length), ...both.slice(file.length)]
    const originals = [result('a', file), result('b', both), result('c', both)]
    const view = (b: readonly string[], c: readonly string[]) => [result('a', file), result('b', b), result('c', c)]
    const stub = ['[Read: a.ts; recall 0123456789ab]']
    const line = [`[${both.length} lines: Read a.ts; recall 0123456789ab]`]
    const wrong = (first: readonly string[]) => {
      const checker = createReferenceChecker()
      checker.check(originals.slice(0, 2), view(first, []).slice(0, 2), () => true)
      checker.accepted(originals.slice(0, 2), view(first, []).slice(0, 2))
      return checker.check(originals, view(stub, line), () => true).wrong.map(({ reason }) => reason)
    }
    expect([wrong(pieces), wrong(both.slice(file.length))]).toEqual([[], ['never shown']])
  })

  it('follows references into a result that was cut', () => {
    const long = Array.from({ length: 200 }, (_, line) => `step ${line} of the build`)
    const cut = [
      ...long.slice(0, 20),
      '[cut]',
      '117: step 116 of the build',
      '[shown 1-20, 181-200; recall 0123456789ab]',
      ...long.slice(180),
    ]
    const originals = [result('a', long), result('b', long)]
    expect(reasons(originals, [result('a', cut), result('b', [above(cut.length)])])).toEqual([])
    const tail = [...cut.slice(0, 23), above(20)]
    expect(reasons(originals, [result('a', cut), result('b', tail)])).toEqual([])
    expect(reasons(originals, [result('a', ['[Bash: make; recall 0123456789ab]']), result('b', tail)])).toEqual([
      'not shown before it',
    ])
    const other = cut.with(21, '117: step 116 went wrong')
    expect(reasons(originals, [result('a', other), result('b', [above(cut.length)])])).toEqual(['not shown before it'])
  })
})

const noRows = { edits: [], waiting: [] }

function shown(originals: readonly Message[], view: readonly Message[], report: ShownRequest['report'] = noRows): ShownRequest {
  return { originals, view, report, place: (index, part) => ({ message: originals[index]?.id ?? '', part }) }
}

function row(id: string, cache: ReportedEdit['cache'], policy = 'stub-old-results'): ReportedEdit {
  return { id, policy, kind: 'replace', message: id, part: 0, tool: null, tokensBefore: 9, tokensAfter: 1, why: '', cache }
}

describe('a prefix change', () => {
  const originals = [message('u', 'user', { type: 'text', text: 'Go.' }), result('a', file), result('b', numbered)]
  const stubbed = [originals[0] as Message, result('a', ['stub']), originals[2] as Message]
  const before = shown(originals, originals)
  const reasons = (...given: Parameters<typeof prefixChanges>) => prefixChanges(...given).map(({ reason }) => reason)

  it('is not reported if the second view only adds messages', () => {
    const more = [...originals, result('c', file)]
    expect(reasons(before, shown(more, more), 'id')).toEqual([])
  })

  it('is reported if no row announces it, or only a row after it', () => {
    expect(reasons(before, shown(originals, stubbed), 'id')).toEqual(['not announced'])
    expect(reasons(before, shown(originals, stubbed, { edits: [row('a', 'free')], waiting: [] }), 'id')).toEqual([
      'not announced',
    ])
    expect(reasons(before, shown(originals, stubbed, { edits: [row('b', 'rewrite')], waiting: [] }), 'id')).toEqual([
      'not announced',
    ])
  })

  it('is announced by an edit or by a reverted one', () => {
    expect(reasons(before, shown(originals, stubbed, { edits: [row('a', 'rewrite')], waiting: [] }), 'id')).toEqual([])
    const withdrawn = { ...noRows, withdrawn: [row('a', 'rewrite')] }
    expect(reasons(shown(originals, stubbed), shown(originals, originals, withdrawn), 'id')).toEqual([])
    expect(reasons(shown(originals, stubbed), shown(originals, originals), 'id')).toEqual(['not announced'])
  })

  it('needs a reason in the report', () => {
    const report = { edits: [row('a', 'rewrite')], waiting: [], rewrite: null }
    expect(reasons(before, shown(originals, stubbed, report), 'id')).toEqual(['no reason for the rewrite'])
  })

  it('is not reported if the client made it', () => {
    const edited = [originals[0] as Message, result('a', [...file, 'more']), originals[2] as Message]
    expect(reasons(before, shown(edited, edited), 'id')).toEqual([])
    const changedBefore = [message('u', 'user', { type: 'text', text: 'Stop.' }), ...edited.slice(1)]
    expect(reasons(before, shown(edited, changedBefore), 'id')).toEqual(['not announced'])
  })

  it('is found by content if ids are only positions', () => {
    const renamed = stubbed.map((each, index) => ({ ...each, id: `${index}` }))
    expect(reasons(before, shown(originals, renamed), 'content')).toEqual(['not announced'])
  })

  it('is found if a message is inserted or removed', () => {
    const inserted = [originals[0] as Message, result('new', ['interrupted']), ...originals.slice(1)]
    expect(reasons(before, shown(originals, inserted), 'id')).toEqual(['not announced'])
    expect(reasons(shown(originals, inserted), shown(originals, originals), 'id')).toEqual(['not announced'])
    const announced = { edits: [{ ...row('u', 'rewrite'), kind: 'insert' as const }], waiting: [] }
    expect(reasons(before, shown(originals, inserted, announced), 'id')).toEqual([])
  })
})

describe('unseen results', () => {
  const asked = message('q', 'assistant', { type: 'tool-call', callId: 'call b', tool: 'Read', input: {} })
  const originals = [result('a', file), asked, result('b', file)]
  const stub = (at: number) => originals.with(at, result(at === 0 ? 'a' : 'b', ['stub']))
  const policies = (accepted: readonly Message[] | null, view: readonly Message[], edits: readonly ReportedEdit[]) =>
    trimmedUnseen(accepted, shown(originals, view, { edits, waiting: [] }), 'id').trimmed.map(({ policy }) => policy)

  it('may be cut at first sight', () => {
    expect(policies(null, stub(2), [row('b', 'free', 'cut-long-output')])).toEqual([])
  })

  it('may not be trimmed by age or repetition', () => {
    expect(policies(null, stub(2), [row('b', 'free')])).toEqual(['stub-old-results'])
    expect(policies(originals.slice(0, 1), stub(2), [row('b', 'free', 'trim-repeated-reads')])).toEqual(['trim-repeated-reads'])
  })

  it('may not be changed without a row', () => {
    expect(policies(null, stub(2), [])).toEqual([null])
  })

  it('do not include results that a model answered or that were sent', () => {
    expect(policies(null, stub(0), [row('a', 'free')])).toEqual([])
    expect(policies(originals, stub(2), [row('b', 'free')])).toEqual([])
  })
})
