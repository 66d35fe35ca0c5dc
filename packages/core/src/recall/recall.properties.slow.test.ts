import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import { buildView } from '../engine/build-view.ts'
import type { Message } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { deepFreeze } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { recall } from './recall.ts'

/** Every handle that a text of ours may name, in a sentence or as a field of a digest. */
function handlesIn(view: readonly Message[]): ReadonlySet<string> {
  const found = JSON.stringify(view).matchAll(/\brecall(?:\\*":\\*"| )((?:[0-9a-f]{12}(?:, )?)+)/g)
  return new Set([...found].flatMap(([, handles = '']) => handles.split(', ').filter((handle) => handle !== '')))
}

const settings: readonly (readonly [name: string, config: PartialConfig, least: { handles: number; folds: number }])[] = [
  ['as the specification says', {}, { handles: 40, folds: 0 }],
  ['with signposts', { placeholder_style: 'actionable' }, { handles: 80, folds: 0 }],
  ['in a window too small for the past', { context_window: 6000, compaction: { keep_rounds: 1 } }, { handles: 30, folds: 5 }],
  ['with tight limits', { tool_output_limits: { default: { max_chars: 600, max_lines: 40 } } }, { handles: 50, folds: 0 }],
]

describe('promise 2: whatever a view names comes back bit for bit', () => {
  it.each(settings)('%s', (_, config, least) => {
    const facts = { now, root: '/project', config }
    const served = { handles: 0, folds: 0 }
    fc.assert(
      fc.property(conversations, (messages) => {
        const { view, edits } = buildView({ messages: deepFreeze(messages), policies: specPolicies, facts })
        const source = sourceOf(messages, edits)
        for (const handle of handlesIn(view)) {
          const answer = recall({ handle }, source, { facts })
          expect(answer).toMatchObject({ kind: 'found', original: { handle } })
          expect(handleOf(answer.text)).toBe(handle)
          served.handles += 1
          if (answer.text.startsWith('--- ')) served.folds += 1
        }
      }),
      { numRuns: 25 },
    )
    expect(served.handles).toBeGreaterThan(least.handles)
    expect(served.folds).toBeGreaterThanOrEqual(least.folds)
  })
})
