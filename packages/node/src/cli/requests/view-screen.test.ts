import { afterAll, describe, expect, it } from 'vitest'
import { overflowStringsFor } from '../../../../core/src/strings/strings-for.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const folder = createFolder()
afterAll(folder.remove)

const colour = /\u001b\[[\d;]*m/g
const lineWidths = (text: string) => text.replace(colour, '').split('\n').map(displayWidth)

describe('plimsoll view on screen', () => {
  it.each([
    [80, {}],
    [100, {}],
    [120, {}],
    [200, {}],
    [80, { LANG: 'zh_CN.UTF-8' }],
    [120, { LANG: 'zh_CN.UTF-8' }],
    [60, {}],
  ])('fits %i columns %j', async (terminal, environment) => {
    const { stdout } = await runCaptured(['view'], { terminal, environment })
    expect(Math.max(...lineWidths(stdout))).toBeLessThanOrEqual(terminal)
  })

  it('draws the window before and after as 100 cells each, matching the report', async () => {
    const { stdout } = await runCaptured(['view'], { environment: { COLUMNS: '80' } })
    const rows = stdout.split('\n').flatMap((line) => /^ {2}([SUARC1-4TM·░]{20}) /.exec(`${line} `)?.[1] ?? [])
    expect(rows).toHaveLength(10)
    const { report } = JSON.parse((await runCaptured(['view', '--json'])).stdout) as {
      report: { tokensBefore: number; tokensAfter: number }
    }
    const amounts = [...stdout.matchAll(/ {3}([SUARC1-4TM]) .*? ([\d,]+) +[\d.]+ % +([\d,]+) +[\d.]+ %$/gm)].map(
      ([, , before, after]) => [before, after].map((text) => Number(text?.replaceAll(',', ''))),
    )
    const sum = (column: number) => amounts.reduce((total, row) => total + (row[column] ?? 0), 0)
    expect([sum(0), sum(1)]).toEqual([report.tokensBefore, report.tokensAfter])
  })

  it('prints one line per edit with policy, message, tool, tokens and reason', async () => {
    const piped = (await runCaptured(['view'])).stdout
    expect(piped).toMatch(
      /^ {2}trim-repeated-reads +#5 +filesystem-read +\d+ → +\d+ {2}the 5 latest reads of this file are kept$/m,
    )
    expect(piped).toMatch(/^ {2}policy +message +tool +tokens +why$/m)
    expect(piped).toMatch(/^ {2}pair-tool-calls +#29 +terminal-execute +0 → +\d+ {2}the call has no result/m)
    const narrow = (await runCaptured(['view'], { environment: { COLUMNS: '80' } })).stdout
    expect(narrow).toMatch(/^ {2}trim-repeated-reads +#17 .*\n {4}└ the 5 latest reads of this file are kept$/m)
  })

  it('ends with the sums per policy, the truncation rate and the total', async () => {
    const { stdout } = await runCaptured(['view'])
    expect(stdout).toMatch(/^ {2}trim-outdated-commands +6 +[\d,]+ {2}/m)
    expect(stdout).toMatch(/^ {2}truncation rate: 4\.0 % of 25 tool results/m)
    expect(stdout).toMatch(/\n14 edits · [\d,]+ → [\d,]+ tokens \(-\d+\.\d %\)\n$/)
  })

  it('lists the 40 largest edits, and all with --all', async () => {
    const messages = Array.from({ length: 50 }, (_, at) => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'shell', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `c${at}`, content: 'x '.repeat(5000 + 100 * at) },
    ]).flat()
    const path = folder.write('many.json', JSON.stringify(messages))
    const lines = (text: string) => text.split('\n').filter((line) => / → .*characters/.test(line))
    const some = (await runCaptured(['view', path])).stdout
    expect(lines(some)).toHaveLength(40)
    expect(lines(some)[0]).toContain('#21 ')
    expect(some).toContain(stringsFor('en').view.moreEdits(10))
    expect(lines((await runCaptured(['view', path, '--all'])).stdout)).toHaveLength(50)
  })

  it('says that there is nothing to trim', async () => {
    const path = folder.write('short.json', '[{"role": "user", "content": "hi"}]')
    expect((await runCaptured(['view', path])).stdout).toMatch(/Nothing to trim: .*\n\d+ → \d+ tokens \(0 %\)\n$/)
  })

  it('warns about a conversation over the load line, and lists problems a provider would refuse', async () => {
    const call = {
      role: 'assistant',
      content: 'x '.repeat(3000),
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'shell', arguments: '{}' } }],
    }
    const path = folder.write('over.json', JSON.stringify([call]))
    const { stdout } = await runCaptured(['view', path, '--policies', 'filter-binary'], {
      environment: { PLIMSOLL_CONTEXT_WINDOW: '1000' },
    })
    expect(stdout).toMatch(/! before: [\d,]+ tokens over the limit of 750/)
    expect(stdout).toContain(`${stringsFor('en').view.problems(1)}\n  ! call-has-result at message 0`)
  })

  it('prints the load and its error margin', async () => {
    const path = folder.write('load.json', JSON.stringify([{ role: 'user', content: 'word '.repeat(1000) }]))
    expect((await runCaptured(['view', path])).stdout).toMatch(
      /^ in context: about 1,00\d tokens \(90\d to 1,35\d\), 0\.5 % of the usable window$/m,
    )
  })

  it.each(['en', 'zh'])('Q-24 names the parts of a request that cannot be shrunk further, in %s', async (locale) => {
    const overflow = overflowStringsFor(locale)
    const path = folder.write('large.json', JSON.stringify([{ role: 'user', content: 'word '.repeat(3000) }]))
    const environment = { PLIMSOLL_CONTEXT_WINDOW: '1000', PLIMSOLL_LOCALE: locale }
    const { stdout } = await runCaptured(['view', path], { environment })
    const lines = stdout.replaceAll(/\n */g, locale === 'en' ? ' ' : '')
    expect(lines).toContain(overflow.tokens('3,005', '750'))
    expect(stdout).toContain('context_window')
    expect(stdout).toContain(`! ${overflow.part('3,001', '0', overflow.why.user)}`)
    const { report } = JSON.parse((await runCaptured(['view', path, '--json'], { environment })).stdout)
    expect(report.overflow).toMatchObject({ tokens: report.load.tokens, limit: 750, parts: [{ message: '0', role: 'user' }] })
  })

  it.each<[string, readonly string[], Parameters<typeof runCaptured>[1], boolean]>([
    ['on a terminal', [], { terminal: 80 }, true],
    ['in a pipe', [], {}, false],
    ['with --no-color', ['--no-color'], { terminal: 80 }, false],
    ['with NO_COLOR', [], { terminal: 80, environment: { NO_COLOR: '1' } }, false],
    ['on a dumb terminal', [], { terminal: 80, environment: { TERM: 'dumb' } }, false],
    ['in a pipe with FORCE_COLOR', [], { environment: { FORCE_COLOR: '1' } }, true],
  ])('colours the output only on a capable terminal or if forced: %s', async (_name, args, surroundings, coloured) => {
    const { stdout } = await runCaptured(['view', ...args], surroundings)
    expect(stdout.includes('\u001b[')).toBe(coloured)
  })

  it('prints the same text without colours', async () => {
    const plain = (await runCaptured(['view', '--no-color'], { terminal: 80 })).stdout
    expect((await runCaptured(['view'], { terminal: 80 })).stdout.replace(colour, '')).toBe(plain)
  })

  it('prefers the language of the configuration to that of the environment', async () => {
    const chinese = await runCaptured(['view'], { environment: { PLIMSOLL_LOCALE: 'zh', LANG: 'en_GB.UTF-8' } })
    expect(chinese.stdout).toContain('该文件最新的 5 次读取已保留')
    expect(chinese.stdout).toMatch(/^ {2}策略 +消息 +工具 /m)
    expect(chinese.stdout).toMatch(/[\d,]+ → [\d,]+ 词元（-\d+\.\d%）\n$/)
    expect((await runCaptured(['view'], { environment: { PLIMSOLL_LOCALE: 'en', LANG: 'zh_CN' } })).stdout).toContain('14 edits')
  })
})
