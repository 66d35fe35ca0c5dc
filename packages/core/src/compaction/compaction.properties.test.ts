import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits, type FoldEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { checkView } from '../results/invariants.ts'
import { transcriptOf } from '../results/transcript.ts'
import { calls, deepFreeze, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { acceptSummary } from './check-summary.ts'
import { planCompaction } from './plan-compaction.ts'
import { codeSpan } from './quote-instructions.ts'
import { heads } from './summary-template.ts'
import { foldSegment, writeSummary } from './write-summary.ts'

const keepRounds = 3
const facts: Facts = { config: { compaction: { instruction_tokens: 300 } } }

describe('ten compactions in a row', () => {
  it('R004-48 keep every instruction and every changed file, split no pair, rewrite no summary and only ever shrink', () => {
    const reached = { folds: 0, most: 0, byHandle: 0, alone: 0, repaired: 0 }
    fc.assert(
      fc.property(fc.array(stretches(), { minLength: 3, maxLength: 10 }), (stretches) => {
        const told: Message[] = []
        let view: readonly Message[] = []
        const folds: { readonly edit: FoldEdit; readonly messages: readonly Message[] }[] = []
        for (const [index, stretch] of stretches.entries()) {
          const more = deepFreeze(stretch.rounds.flatMap((round, at) => roundOf(`${index}.${at}`, round)))
          told.push(...more)
          view = [...view, ...more]
          const before = countMessages(view, estimator)
          const problems = checkView(view)
          const segment = planCompaction(view, { keepRounds })
          if (segment === null) continue
          const summaries = view.filter(({ summary }) => summary === true)
          const text = stretch.byModel ? repaired(segment, reached) : writeSummary(segment, facts)
          const edit = foldSegment(segment, text, facts)
          if (edit === null) {
            reached.alone += 1
            continue
          }
          folds.push({ edit, messages: segment.messages })
          view = applyEdits(view, [edit])
          expect(countMessages(view, estimator)).toBeLessThan(before)
          expect(checkView(view)).toEqual(problems)
          expect(view.filter(({ summary }) => summary === true)).toEqual([...summaries, edit.into])
        }
        reached.folds += folds.length
        reached.most = Math.max(reached.most, folds.length)
        const served = servedHandles(folds)
        const shown = view.map(textOf).join('\n')
        for (const message of told) {
          if (message.role === 'user') reached.byHandle += expectTold(textOf(message), shown, served) ? 0 : 1
          for (const path of pathsIn(message)) if (!view.includes(message)) expect(shown).toContain(codeSpan(path))
        }
      }),
      { numRuns: 60 },
    )
    expect(reached.folds).toBeGreaterThan(100)
    expect(reached.most).toBeGreaterThanOrEqual(7)
    expect(reached.byHandle).toBeGreaterThan(20)
    expect(reached.alone).toBeGreaterThan(0)
    expect(reached.repaired).toBeGreaterThan(20)
  })
})

interface Round {
  readonly said: string
  readonly path: string
  readonly lines: number
  readonly fails: boolean
}

function stretches() {
  const words = fc.constantFrom(
    'do it',
    'never',
    heads.files,
    '```',
    '\n',
    'src/x.ts',
    '请用中文',
    'x'.repeat(3000),
    '</system-reminder>',
  )
  const round = fc.record({
    said: fc.array(words, { minLength: 1, maxLength: 5 }).map((list) => list.join(' ')),
    path: fc.constantFrom('a.ts', 'src/b.ts', 'we`ird.ts', 'line\nbreak.ts', 'package.json'),
    lines: fc.constantFrom(0, 3, 200, 800),
    fails: fc.boolean(),
  })
  return fc.record({ rounds: fc.array(round, { minLength: 1, maxLength: 6 }), byModel: fc.boolean() })
}

function roundOf(id: string, { said, path, lines, fails }: Round): readonly Message[] {
  return [
    user(`u${id}`, `${said} (${id})`),
    calls(
      `c${id}`,
      [`1${id}`, 'Edit', { file_path: path, old_string: 'a', new_string: 'b' }],
      [`2${id}`, 'Bash', { command: 'npm test' }],
    ),
    result(`r${id}`, `1${id}`, 'ok'),
    result(`s${id}`, `2${id}`, `${'all is well\n'.repeat(lines)}${fails ? 'Error: boom\nexit code 1' : ''}`),
    { id: `a${id}`, role: 'assistant', parts: [{ type: 'text', text: 'We decided to use zod.' }] },
  ]
}

/** A checked summary by a forgetful model. */
function repaired(segment: Parameters<typeof writeSummary>[0], reached: { repaired: number }): string {
  const written = `${heads.title}\n${heads.objectives}\n* **Original Goal**: work\n${heads.context}\n${heads.milestones}\n* [✓] a - b\n${heads.insights}\n`
  const checked = acceptSummary(written, segment, facts)
  if ('rejected' in checked) return writeSummary(segment, facts)
  reached.repaired += 1
  return checked.accepted
}

/** Whether it is quoted; else it must be named by a handle that can be served. */
function expectTold(text: string, shown: string, served: ReadonlySet<string>): boolean {
  if (shown.includes(text)) return true
  const handle = handleOf(text)
  expect(served.has(handle) && shown.includes(`recall ${handle}`)).toBe(true)
  return false
}

/** The handles that recall serves: of each text that was folded, and of each fold's transcript. */
function servedHandles(folds: readonly { readonly messages: readonly Message[] }[]): ReadonlySet<string> {
  return new Set(
    folds.flatMap(({ messages }) => [handleOf(transcriptOf(messages)), ...messages.map((one) => handleOf(textOf(one)))]),
  )
}

function pathsIn({ parts }: Message): readonly string[] {
  return parts.flatMap((part) =>
    part.type === 'tool-call' && part.tool === 'Edit' ? [(part.input as { file_path: string }).file_path] : [],
  )
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
