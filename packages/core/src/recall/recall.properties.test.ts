import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import { handleOf } from '../hash.ts'
import type { Message } from '../message.ts'
import { specPolicies } from '../spec-policies.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { deepFreeze } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { buildView } from '../view.ts'
import { recall } from './recall.ts'
import { transcriptOf } from './transcript.ts'

/** Every handle that a text of ours may name, in a sentence or as a field of a digest. */
function handlesIn(view: readonly Message[]): ReadonlySet<string> {
  const found = JSON.stringify(view).matchAll(/\brecall(?:\\*":\\*"| )((?:[0-9a-f]{12}(?:, )?)+)/g)
  return new Set([...found].flatMap(([, handles = '']) => handles.split(', ').filter((handle) => handle !== '')))
}

const settings: readonly (readonly [name: string, config: PartialConfig, handles: number])[] = [
  ['as the specification says', {}, 40],
  ['with signposts', { placeholder_style: 'actionable' }, 80],
  ['in a window too small for the past', { context_window: 6000, compaction: { keep_rounds: 1 } }, 20],
  ['with tight limits', { tool_output_limits: { default: { max_chars: 600, max_lines: 40 } } }, 80],
]

describe('promise 2: whatever a view names can be had back', () => {
  it.each(settings)('%s', (_, config, least) => {
    const facts = { now, root: '/project', config }
    let served = 0
    let transcripts = 0
    fc.assert(
      fc.property(conversations, (messages) => {
        const { view, edits } = buildView({ messages: deepFreeze(messages), policies: specPolicies, facts })
        const source = sourceOf(messages, edits)
        for (const handle of handlesIn(view)) {
          const answer = recall({ handle }, source, { facts })
          expect(answer).toMatchObject({ kind: 'found', original: { handle } })
          if (handleOf(answer.text) === handle) served += 1
          else {
            // A fold of what a view had changed: the originals are more than was asked for.
            const folds = [...source.folds()].map((fold) => transcriptOf(fold.messages))
            expect(folds).toContain(answer.text)
            transcripts += 1
          }
        }
      }),
      { numRuns: 60 },
    )
    expect(served).toBeGreaterThan(least)
    expect(transcripts).toBeLessThan(served)
  })
})
