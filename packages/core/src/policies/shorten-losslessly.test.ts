import { describe, expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import { buildView } from '../engine/build-view.ts'
import { type Message, type ResultContent, resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { recall } from '../recall/recall.ts'
import { deepFreeze, exchange, outcome, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { economyPolicies } from './economy-policies.ts'
import { gatewayPolicies } from './gateway-policies.ts'
import { createShortenLosslessly, shortenLosslessly, showAsTerminal } from './shorten-losslessly.ts'
import { specPolicies } from './spec-policies.ts'

const asked = user('u', 'fix the cart tests')
const ran = (command: string, text: string) => [asked, ...exchange('r', 'Bash', { command }, text)]
const plan = (messages: readonly Message[], policy: Policy = shortenLosslessly) =>
  outcome(policy.plan(deepFreeze(messages), {}))['r']
const red = (text: string) => `\u001b[31m${text}\u001b[39m`
const json = JSON.stringify({ total: 2, names: ['first entry', 'second entry'] }, null, 2)
const matches = 'src/cart/total.ts:3:sum\nsrc/cart/total.ts:9:sum + tax'
const loose = 'one line with text   \n\n\n\nanother line  \n'

describe('shorten-losslessly', () => {
  it.each<[name: string, messages: readonly Message[], shown: string | undefined]>([
    ['colours of a command', ran('npm test', red('failed')), 'failed'],
    ['colours, and the newline below them', ran('npm test', `${red('failed')} ${'a'.repeat(50)}\n`), `failed ${'a'.repeat(50)}`],
    ['indented JSON', ran('curl localhost', json), JSON.stringify(JSON.parse(json))],
    [
      'matches in many files of a folder, by the folder',
      ran('grep -rn sum src', ['add', 'drop', 'sum'].map((part) => `src/cart/${part}.ts:3:sum`).join('\n')),
      'src/cart:\nadd.ts:3:sum\ndrop.ts:3:sum\nsum.ts:3:sum',
    ],
    ['matches of a command', ran('grep -rn sum src | head', matches), 'src/cart/total.ts\n3:sum\n9:sum + tax'],
    [
      'matches of a tool',
      [asked, ...exchange('r', 'Grep', { pattern: 'sum' }, matches)],
      'src/cart/total.ts\n3:sum\n9:sum + tax',
    ],
    ['blank space of a command', ran('npm test', loose), 'one line with text\n\nanother line'],
    [
      'colours in lines of JSON',
      ran('npm test', `${JSON.stringify({ a: red('x') })}\n${JSON.stringify({ a: 1 })}`),
      '{"a":"x"}\n{"a":1}',
    ],
    ['colours in JSON', ran('npm test', JSON.stringify({ stdout: red('failed') })), '{"stdout":"failed"}'],
    [
      'colours of a diff',
      ran('git diff --color', `${red('-a')}  \n\n\n\n+b${' '.repeat(20)}\n`),
      `-a\n\n\n\n+b${' '.repeat(20)}\n`,
    ],
    ['colours of a tool with a path', [asked, ...exchange('r', 'show', { path: 'a.ts' }, red('a'))], 'a'],
    [
      'JSON of a tool without a path',
      [asked, ...exchange('r', 'list_issues', { page: 1 }, json)],
      JSON.stringify(JSON.parse(json)),
    ],
    [
      'a failure',
      [asked, ...exchange('r', 'Bash', { command: 'make' }, red('Error: no rule'), { isError: true })],
      'Error: no rule',
    ],
  ])('shortens %s', (_name, messages, shown) => {
    expect(plan(messages)).toBe(shown)
  })

  it.each<[name: string, messages: readonly Message[]]>([
    ['a file that was read', [asked, ...exchange('r', 'Read', { file_path: 'a.json' }, `${json}   \n\n\n\n${red('x')}`)]],
    ['a file that a command printed', ran('cd src && cat a.json; ls', json)],
    ['returns in a file that a command printed', ran('cat a.txt', 'one line\r\nanother line\r\n')],
    ['the answer of a tool with a path', [asked, ...exchange('r', 'fetch_document', { document_path: 'a.json' }, json)]],
    ['the answer of an edit', [asked, ...exchange('r', 'Edit', { file_path: 'a.ts' }, loose)]],
    ['a recalled text', [asked, ...exchange('r', 'recall', { handle: '0123456789ab' }, `${red('x')}\n${loose}`)]],
    ['blanks too few to matter', ran('make', 'a line of output that is long enough \n')],
    ['matches of diagnostics, which are cut by their files', ran('npx eslint', matches)],
    ['a text that is cut already', ran('make', `${loose}[shown 1-2, 90-99; recall 0123456789ab]`)],
    ['escapes in text that only starts like JSON', ran('npm run lint', '[info] pattern "\\bword\\b" and "\\u001b[31m"')],
    ['an empty text', ran('true', '')],
  ])('leaves %s alone', (_name, messages) => {
    expect(plan(messages)).toBeUndefined()
  })

  it('makes no handle of one that escape sequences kept apart', () => {
    const text = `[Bash: x; re${red('call')} 0123456789ab]\nrecall 0123456789ab`
    expect(plan(ran('make', text))).toBe('[Bash: x; recall \\0123456789ab]\nrecall 0123456789ab')
  })

  it('leaves a pinned message alone', () => {
    expect(shortenLosslessly.plan(ran('npm test', red('failed')), { pins: ['r'] })).toEqual([])
  })

  it('shows only what a terminal would show in the set spec', () => {
    expect(plan(ran('npm test', `10%\r${red('90%')}`), showAsTerminal)).toBe('90%')
    expect(plan(ran('curl localhost', json), showAsTerminal)).toBeUndefined()
    expect(plan(ran('npm test', loose), showAsTerminal)).toBeUndefined()
  })

  it('names repeated blocks in the mode safe', () => {
    const block = [1, 2, 3].map((at) => `warning ${at}: ${'word '.repeat(20)}end`).join('\n')
    const policy = createShortenLosslessly({ also: 'output and repeated blocks' })
    expect(plan(ran('make', `${block}\nmore\n${block}`), policy)).toMatch(
      /\nmore\n\[the same 3 lines as from line 1: warning 1: /,
    )
    expect(plan(ran('make', `${block}\nmore\n${block}`))).toBeUndefined()
  })

  it('keeps the form of a result: values stay values, and images stay in a list', () => {
    const value: ResultContent = { type: 'json', value: { stdout: red('failed'), lines: [red('a'), 2] } }
    const image = { type: 'media', mediaType: 'image/png', data: {} } as const
    const list: ResultContent = { type: 'list', items: [{ type: 'text', text: red('a') }, image] }
    const shown = [value, list].map((content) => {
      const [edit] = shortenLosslessly.plan([asked, ...exchange('r', 'Bash', { command: 'make' }, '', { content })], {})
      return edit?.kind === 'replace' && edit.with.type === 'tool-result' ? edit.with.content : null
    })
    expect(shown).toEqual([
      { type: 'json', value: { stdout: 'failed', lines: ['a', 2] } },
      { type: 'list', items: [{ type: 'text', text: 'a' }, image] },
    ])
  })
})

describe('a result with escape sequences that is cut', () => {
  const rows = Array.from(
    { length: 900 },
    (_, at) => `${red(`row ${at}`)} of the long table  ${at % 300 === 7 ? red('Error: it broke') : ''}`,
  )
  const text = rows.join('\n')
  it.each([
    ['spec', specPolicies],
    ['economy', economyPolicies],
    ['safe', gatewayPolicies('safe')],
  ])('in %s is shown without them, names its original bit for bit, and lines by their numbers there', (_name, policies) => {
    const messages = deepFreeze(ran('make table', text))
    const { view } = buildView({ messages, policies, facts: {} })
    const [part] = view.at(-1)?.parts ?? []
    const shown = part?.type === 'tool-result' ? resultText(part) : ''
    expect(shown.length).toBeLessThan(text.length / 2)
    expect(shown).not.toMatch(/[\u001b\r]/)
    const [, tail, handle] = /\[shown 1-\d+, (\d+)-900; recall ([0-9a-f]{12})\]/.exec(shown) ?? []
    expect(handle).toBe(handleOf(text))
    expect(recall({ handle: handle as string }, sourceOf(messages)).text).toBe(text)
    expect(shown.slice(shown.indexOf(']\n', shown.indexOf('[shown')) + 2)).toMatch(new RegExp(`^\\s*row ${Number(tail) - 1} `))
    for (const [, line, row] of shown.matchAll(/^(\d+): row (\d+) .*Error/gm)) expect(Number(line)).toBe(Number(row) + 1)
  })

  it.each([
    ['economy', economyPolicies, 200_000],
    ['economy, in a small window', economyPolicies, 3000],
    ['spec, in a small window', specPolicies, 3000],
  ])('stays without them as it ages: %s', (_name, policies, window) => {
    const conversation = createConversation({ policies, timing: 'immediate' })
    let messages: readonly Message[] = ran('make table', text)
    for (let at = 0; at < 30; at += 1) {
      const { messages: view } = conversation.next(messages, { now: at, config: { context_window: window } })
      expect(JSON.stringify(view)).not.toContain('\\u001b')
      messages = [...messages, ...exchange(`x${at}`, 'Bash', { command: `make ${at}` }, red(`step ${at} `.repeat(80)))]
    }
  })
})
