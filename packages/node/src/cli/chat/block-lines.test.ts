import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import type { Tint } from '../terminal/screen.ts'
import { displayWidth } from '../terminal/text.ts'
import { blockLines, type Drawing } from './block-lines.ts'
import type { Block } from './chat-state.ts'
import type { CallSummary } from './summarise-call.ts'

const drawing = (columns: number, locale = 'en'): Drawing => ({
  strings: stringsFor(locale),
  locale,
  paint: (_tint: Tint, text: string) => text,
  columns,
})
const { chat, turn, agentErrors } = stringsFor('en')
const keyRefused = agentErrors.KEY_REFUSED
const noFacts = { tries: 1, wait: '', isElsewhere: false }
const quiet: CallSummary = {
  isError: false,
  exitCode: null,
  matches: null,
  files: null,
  lines: 0,
  added: 0,
  removed: 0,
  diff: [],
  more: 0,
  first: '',
  said: null,
  output: [],
  saved: [],
}
const call = (tool: string, about: string, summary: Partial<CallSummary>, durationMs = 5): Block => ({
  kind: 'call',
  tool,
  about,
  durationMs,
  summary: { ...quiet, ...summary },
})
const usage = { input: 1000, cacheRead: 9000, cacheWrite: 0, output: 50 }

describe('the lines of a finished block', () => {
  it.each<[name: string, block: Block, lines: readonly string[]]>([
    ['a user message', { kind: 'user', text: 'one\ntwo' }, ['', '› one', '  two']],
    ['a read', call('Read', 'src/a.ts', { lines: 120 }), ['● Read src/a.ts', '  └ 120 lines']],
    ['a search', call('Grep', 'TODO', { matches: 1, lines: 9 }), ['● Grep TODO', '  └ 1 match']],
    [
      'a command',
      call('Bash', 'npm test', { exitCode: 1, lines: 40, isError: true }, 65_000),
      ['✗ Bash npm test', '  └ exit code 1 · 40 lines · 1 min 05 s'],
    ],
    [
      'a command with one line',
      call('Bash', 'pwd', { exitCode: 0, lines: 1, first: '/tmp' }),
      ['● Bash pwd', '  └ exit code 0 · /tmp'],
    ],
    [
      'a command with its last output lines',
      call('Bash', 'npm test', { exitCode: 1, isError: true, lines: 40, output: ['# fail 1', '# todo 0'] }),
      ['✗ Bash npm test', '  └ exit code 1 · 40 lines', '    # fail 1', '    # todo 0'],
    ],
    [
      'a todo list',
      call('TodoWrite', '2 tasks', { said: 'Todo: 1 open, 1 done', lines: 3, output: ['- [x] a', '- [ ] b'] }),
      ['● TodoWrite 2 tasks', '  └ Todo: 1 open, 1 done', '    - [x] a', '    - [ ] b'],
    ],
    [
      'a turn stopped before the model answered',
      {
        kind: 'turn',
        durationMs: 4000,
        end: {
          outcome: 'cancelled',
          steps: 0,
          text: '',
          usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
          cost: { dollars: 0, unpriced: 0 },
        },
      },
      ['∙ stopped · 4.0 s'],
    ],
    [
      'an edit',
      call('Edit', 'a.ts', { added: 1, removed: 1, diff: ['-old', '+new'], more: 3 }),
      ['● Edit a.ts', '  └ +1 −1', '    -old', '    +new', `    ${chat.moreLines('3')}`],
    ],
    [
      'a failure',
      call('Read', 'b.ts', { isError: true, first: 'Error: no such file', lines: 1 }),
      ['✗ Read b.ts', '  └ Error: no such file'],
    ],
    [
      'a failure of several lines',
      call('Read', 'b.ts', { isError: true, first: `Error: ${'why '.repeat(40)}end`, lines: 1 }),
      ['✗ Read b.ts', `  └ Error: ${'why '.repeat(27).trimEnd()}`, `    ${'why '.repeat(13)}end`],
    ],
    [
      'the first lines of a long failure',
      call('Read', 'b.ts', { isError: true, first: 'x'.repeat(1000), lines: 1 }),
      ['✗ Read b.ts', `  └ ${'x'.repeat(116)}`, `    ${'x'.repeat(116)}`, `    ${'x'.repeat(115)}…`],
    ],
    ['reasoning', { kind: 'reasoning', last: 'So it is.', characters: 1200 }, [`∴ ${chat.thought('1,200')} So it is.`]],
    ['a list', { kind: 'answer', text: '- one\n- two', isCode: false }, ['- one', '- two']],
    [
      'a turn',
      {
        kind: 'turn',
        durationMs: 4000,
        end: { outcome: 'finished', steps: 3, text: '', usage, cost: { dollars: 0.0123, unpriced: 0 } },
      },
      [`∙ 4.0 s · 3 requests · ${turn.turnTokens('10,000', '50')} · 90 % from cache · $0.012`],
    ],
    [
      'a stopped turn of a model without a price',
      {
        kind: 'turn',
        durationMs: null,
        end: { outcome: 'cancelled', steps: 1, text: '', usage, cost: { dollars: 0, unpriced: 1 } },
      },
      [`∙ stopped · 1 request · ${turn.turnTokens('10,000', '50')} · 90 % from cache`],
    ],
    [
      'R004-31 a compaction',
      {
        kind: 'compaction',
        start: { rounds: { folded: 3, kept: 10 }, messages: 9, tokens: 1, writer: 'model' },
        end: { outcome: 'compacted', kept: 'summary', tokensBefore: 1000, tokensAfter: 250 },
      },
      [`⤵ ${turn.roundsFolded(9, 3, 10)} · 1,000 → 250 tokens (-75.0 %)`, turn.kept.summary],
    ],
    [
      'a compaction without a model',
      {
        kind: 'compaction',
        start: { rounds: { folded: 3, kept: 10 }, messages: 9, tokens: 1, writer: 'outline' },
        end: { outcome: 'compacted', kept: 'outline', tokensBefore: 1000, tokensAfter: 250 },
      },
      [`⤵ ${turn.roundsFolded(9, 3, 10)} · 1,000 → 250 tokens (-75.0 %)`, turn.kept.outline],
    ],
    [
      'a compaction whose model failed, which a notice reports',
      {
        kind: 'compaction',
        start: { rounds: { folded: 3, kept: 10 }, messages: 9, tokens: 1, writer: 'model' },
        end: { outcome: 'compacted', kept: 'outline', tokensBefore: 1000, tokensAfter: 250 },
      },
      [`⤵ ${turn.roundsFolded(9, 3, 10)} · 1,000 → 250 tokens (-75.0 %)`],
    ],
    [
      'an error by its code',
      { kind: 'error', error: { code: 'KEY_REFUSED', message: 'x', suggestion: 'y', details: { about: 'OPENAI_API_KEY' } } },
      [`✗ ${keyRefused.message('', noFacts)}`, `  → ${keyRefused.suggestion('OPENAI_API_KEY', noFacts)}`],
    ],
    [
      'an error with an unknown code by its message',
      { kind: 'error', error: { code: 'ODD', message: 'It broke.', suggestion: null, details: {} } },
      ['✗ It broke.'],
    ],
    ['a notice with an unknown code', { kind: 'notice', code: 'odd', message: 'Told.', details: 'so' }, ['· Told. (so)']],
  ])('show %s', (_name, block, lines) =>
    expect(blockLines(block, drawing(120)).map((line) => line.replace(/^ {2}(?=The summary)/, ''))).toEqual(lines),
  )

  it('are in Chinese for a Chinese user', () =>
    expect(blockLines(call('Bash', 'ls', { exitCode: 0, lines: 3 }), drawing(80, 'zh_CN.UTF-8'))).toEqual([
      '● Bash ls',
      '  └ 退出码 0 · 3 行',
    ]))
})

describe('hostile and endless text', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '你',
      '\u001b[31m',
      '\u001b]0;x\u0007',
      '\u202e',
      '\u009b2J',
      '\r',
      '\t',
      '`',
      '**',
      '```\n',
      '- ',
    ),
    maxLength: 200,
  })
  // biome-ignore lint: control characters are what is looked for
  const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

  it('never acts on the terminal and never runs over its edge', () => {
    let cleaned = 0
    fc.assert(
      fc.property(nasty, fc.integer({ min: 20, max: 100 }), (text, columns) => {
        if (acting.test(text)) cleaned += 1
        const blocks: readonly Block[] = [
          { kind: 'user', text },
          { kind: 'answer', text, isCode: false },
          { kind: 'answer', text, isCode: true },
          { kind: 'notice', code: 'odd', message: text, details: text },
          { kind: 'error', error: { code: 'ODD', message: text, suggestion: text, details: {} } },
        ]
        for (const line of blocks.flatMap((block) => blockLines(block, drawing(columns)))) {
          expect(line).not.toMatch(acting)
          expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        }
      }),
    )
    expect(cleaned).toBeGreaterThan(20)
  })

  it('handles a line of a million characters', () => {
    const lines = blockLines({ kind: 'answer', text: 'x'.repeat(1_000_000), isCode: false }, drawing(80))
    expect(lines.join('')).toBe('x'.repeat(1_000_000))
  })
})
