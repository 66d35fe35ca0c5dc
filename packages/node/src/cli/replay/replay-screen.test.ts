import { describe, expect, it } from 'vitest'
import { makeSummary } from '../../replay/testing/made-summary.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth } from '../terminal/text.ts'
import { replayScreen } from './replay-screen.ts'

const screen = (columns: number): TextScreen => ({ columns, endless: false, paint: (_tint, text) => text })
const english = stringsFor('en').replay
const chinese = stringsFor('zh').replay

describe('replayScreen', () => {
  it('shows the long sessions first', () => {
    const text = replayScreen(makeSummary(), english, screen(80))
    expect(text.split('\n').slice(0, 13).join('\n')).toBe(
      [
        '3 sessions replayed, 400 requests',
        english.basis('2026-11-15', '0123456789ab'),
        '',
        'Sessions of more than 100 requests (2)',
        '                         bill %         effective %           later uses',
        'policy set          r.10  r.05 r.025  r.10  r.05 r.025 visible recallable lost',
        'raw                    0     0     0     0     0     0       1          1    0',
        'spec-immediate     +44.0 +44.0 +44.0 +47.0 +47.0 +47.0    .960          1    0',
        'spec                -8.0  -8.0  -8.0  -5.0  -5.0  -5.0    .960          1    0',
        'economy            -17.0 -17.0 -17.0 -14.0 -14.0 -14.0    .960          1    0',
        'economy-keep-alive -25.0 -25.0 -25.0 -22.0 -22.0 -22.0    .960          1    0',
        'rolling-mask-10    +32.0 +32.0 +32.0 +35.0 +35.0 +35.0    .960          1    0',
        'oracle             -33.0 -33.0 -33.0 -30.0 -30.0 -30.0    .960          1    0',
      ].join('\n'),
    )
  })

  it('then shows details, other sessions and models, each with its tier and assumptions', () => {
    const lines = replayScreen(makeSummary(), english, screen(200)).split('\n')
    const titles = lines.filter((_line, index) => lines[index - 1] === '')
    expect(titles).toEqual([
      english.stratum['>100']('2'),
      english.regimes,
      english.split('r.05'),
      english.stratum['20-100']('1'),
      english.stratum.all('3'),
      english.models,
    ])
    expect(lines.filter((line) => line.startsWith('Assumption: '))).toHaveLength(6)
    expect(lines.filter((line) => line.startsWith('Reliability: '))).toHaveLength(6)
  })

  it.each([
    ['English', 80, english],
    ['English', 100, english],
    ['English', 120, english],
    ['English', 200, english],
    ['Chinese', 80, chinese],
    ['Chinese', 120, chinese],
  ])('fits the width in %s: %i columns', (_name, columns, strings) => {
    const summary = makeSummary({
      broken: ['prefix', 'user-text'],
      sessions: [
        ['a', 200],
        ['b', 30],
        ['c', 3],
      ],
    })
    for (const line of replayScreen(summary, strings, screen(columns)).split('\n'))
      expect([line, displayWidth(line) <= Math.min(120, columns)]).toEqual([line, true])
  })

  it('shows more columns if there is room', () => {
    expect(replayScreen(makeSummary(), english, screen(80))).not.toContain('lost edits')
    expect(replayScreen(makeSummary(), english, screen(120))).toMatch(/lost edits worst +95 % interval +regret/)
  })

  it('marks an invalid policy set and never calls it the best', () => {
    const text = replayScreen(makeSummary({ broken: ['prefix'] }), english, screen(120))
    expect(text).toMatch(/^spec-immediate ! +\+44/m)
    expect(text).toContain(english.invalid('spec-immediate', 2, english.gates.prefix))
  })

  it('colours bounds and invalid policy sets', () => {
    const painted = replayScreen(makeSummary({ broken: ['prefix'] }), english, {
      ...screen(80),
      paint: (tint, text) => `<${tint}>${text}`,
    })
    expect(painted).toMatch(/^<dim>oracle/m)
    expect(painted).toMatch(/^<error>spec-immediate !/m)
  })

  it.each([[['gpt-5.5']], [['r.10']], [['r.05', 'claude-opus-5.5']]])('shows the requested price rows: %j', (rows) => {
    const text = replayScreen(makeSummary({ rows }), english, screen(80))
    for (const row of rows) expect(text).toContain(row)
    expect(text).toMatch(/bill % +effective %/)
  })

  it('renders a summary of zero sessions', () =>
    expect(replayScreen(makeSummary({ sessions: [] }), english, screen(80))).toMatch(/^0 sessions/))
})
