import { economyPolicies, specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { type BriefSummary, summariseBrief } from '../../replay/brief-summary.ts'
import type { AccountSide } from '../../replay/own-account.ts'
import { ownCaseOf } from '../../replay/own-case.ts'
import type { SessionOutcome } from '../../replay/replay-job.ts'
import { makeRun } from '../../replay/testing/made-runs.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth } from '../terminal/text.ts'
import { briefScreen } from './replay-verdict.ts'

const screen = (columns: number): TextScreen => ({ columns, endless: false, paint: (_tint, text) => text })
const english = stringsFor('en').replay
const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
const side = (dollars: number, tokens: number): AccountSide => ({ parts: none, dollars, tokens, peak: 0, prompts: [] })

/** A session that cost $10 as recorded and $7 with two recalls. */
function outcomeOf(format: string, model: string, hour = 100): SessionOutcome {
  const account = {
    recorded: side(10, 1_000_000),
    shown: side(6.5, 700_000),
    recalls: 0.5,
    recallCount: 2,
    saved: { 'stub-old-results': 3, 'thin-line-numbers': 1, 'skip-shown-lines': 0.001 },
    rewritten: 0.4,
    recallTool: 0.1,
    unpriced: 0,
    reported: 120,
    hours: [[hour, 10, 7]] as const,
  }
  const run = { ...makeRun('s', [{ retention: { needs: 50, inView: 48, byHandle: 2 } }]), account }
  return { runs: [run], own: ownCaseOf(format, model), calibration: { sent: null } as never, elsewhere: 0 }
}

function summaryOf(...outcomes: readonly SessionOutcome[]): BriefSummary {
  return summariseBrief({ configuration: '', pricesFrom: '2026-11-15', assumption: '', found: 0, unreadable: [], outcomes })
}

describe('briefScreen', () => {
  it('starts with the verdict in terms of the agent, then the reasons by amount', () => {
    const opus = outcomeOf('claude-code', 'claude-opus-5-5')
    const text = briefScreen(summaryOf(opus, opus), english, screen(120))
    expect(text.split('\n').slice(0, 10)).toEqual([
      'These 2 sessions cost $20.00 at API prices.',
      'With Plimsoll in front of Claude Code, in economy mode: $14.00 (−30.0 %); nothing lost, 4 recalls.',
      '',
      english.brief.reasons,
      '  old results                      −$6.00',
      '  line numbers                     −$2.00',
      '  cache written again after edits  +$0.80',
      '  definition of the recall tool    +$0.20',
      '  recalls                          +$1.00',
      '',
    ])
    expect(text.replaceAll('\n', ' ')).toContain(english.brief.block('$20.00', '$14.00', '−30.0'))
  })

  it('names every policy that may save something', () => {
    const silent = new Set(['pair-tool-calls', 'fit-window'])
    const unnamed = [...economyPolicies, ...specPolicies].filter(
      ({ name }) => !(name in english.brief.policies) && !silent.has(name),
    )
    expect(unnamed.map(({ name }) => name)).toEqual([])
  })

  it('finds the fullest five hours in all sessions together', () => {
    const [one, two, three] = [100, 104, 105].map((hour) => outcomeOf('claude-code', 'claude-opus-5-5', hour))
    const { fullestBlock } = summaryOf(three as SessionOutcome, one as SessionOutcome, two as SessionOutcome)
    expect(fullestBlock).toEqual({ start: 100 * 3_600_000, recorded: 20, effective: 14 })
    expect(summaryOf(outcomeOf('codex', 'gpt-5.5')).fullestBlock).toBeNull()
  })

  it('names no agent if there are several, and shows tokens for models without a price', () => {
    const text = briefScreen(
      summaryOf(outcomeOf('claude-code', 'claude-opus-5-5'), outcomeOf('codex', 'gpt-5.5'), outcomeOf('pi', 'unheard-of')),
      english,
      screen(120),
    )
    expect(text).toContain(`${english.brief.withPlimsoll}: $14.00 (−30.0 %); nothing lost, 4 recalls.`)
    expect(text.replaceAll('\n', ' ')).toContain(english.brief.unpriced(1, 'unheard-of', 'plimsoll prices unheard-of'))
    expect(text).toMatch(/^ {2}pi · unheard-of \(1\) +1\.0M tokens +→ 700k tokens +−30\.0 %$/m)
  })

  it.each(['en', 'zh'])('fits the width and never claims that something was paid: %s', (locale) => {
    const { replay } = stringsFor(locale)
    const text = briefScreen(
      summaryOf(outcomeOf('claude-code', 'claude-opus-5-5'), outcomeOf('pi', 'unheard-of')),
      replay,
      screen(80),
    )
    for (const line of text.split('\n')) expect([line, displayWidth(line) <= 80]).toEqual([line, true])
    expect(text).not.toMatch(/paid|支付/)
  })
})
