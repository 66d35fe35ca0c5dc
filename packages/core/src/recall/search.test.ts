import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { exchange, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { handleOf } from '../text/hash.ts'
import { type RecallAnswer, recall } from './recall.ts'

const filler = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} row ${index} of the usual noise`)
const buildLog = [
  ...filler('build', 400),
  'src/loader/parse_config.ts:41: TypeError: cannot read timeout',
  ...filler('build', 400),
].join('\n')
const code = ['export function loadUserProfile(id: string) {', '  return cache.get(id)', '}'].join('\n')
const messages: readonly Message[] = [
  user('u1', 'Please never change the database schema by hand.'),
  ...exchange('r1', 'Bash', { command: 'npm run build' }, buildLog),
  ...exchange('r2', 'read_file', { path: 'src/profile.ts' }, code),
  user('u2', '登录页面的超时设置为三十秒'),
  ...exchange('r3', 'write_file', { path: 'notes.md', content: 'The retry budget is seven attempts, decided on Monday.' }, 'ok'),
  ...exchange('r4', 'recall', { query: 'schema' }, 'Please never change the database schema by hand.'),
]

function search(query: string, budget?: number, from: readonly Message[] = messages): RecallAnswer {
  return recall(budget === undefined ? { query } : { query, budget }, sourceOf(from))
}

function first(answer: RecallAnswer) {
  return answer.kind === 'spans' ? answer.spans[0] : undefined
}

describe('searching the past', () => {
  it.each([
    ['database schema', 'u1', [1, 1]],
    ['TypeError timeout', 'r1', [399, 410]],
    ['parseConfig', 'r1', [399, 410]],
    ['parse_config.ts', 'r1', [399, 410]],
    ['load user profile', 'r2', [1, 3]],
    ['profiles', 'r2', [1, 3]],
    ['登录超时', 'u2', [1, 1]],
    ['retry budget', 'r3c', [1, 1]],
  ])('%s', (query, message, lines) => expect(first(search(query))).toMatchObject({ original: { message }, lines }))

  it('starts every match with its location, and is deterministic', () => {
    const answer = search('TypeError timeout')
    const [head, ...rest] = answer.text.split('\n')
    expect(head).toBe(`[handle ${handleOf(buildLog)}; Bash: npm run build; lines 399-410 of 801]`)
    const asked = recall({ handle: handleOf(buildLog), lines: [399, 410] }, sourceOf(messages))
    expect(rest.slice(0, 12).join('\n')).toBe(asked.text)
    expect(search('TypeError timeout')).toEqual(answer)
  })

  it('finds text written into a file', () => {
    const handle = first(search('retry budget'))?.original.handle ?? ''
    expect(recall({ handle }, sourceOf(messages)).text).toBe('The retry budget is seven attempts, decided on Monday.')
  })

  it('does not find recalled text again', () => {
    expect(search('database schema')).toMatchObject({ spans: [{ original: { message: 'u1' } }] })
  })

  it('ranks the exact query and failures first', () => {
    const list = [
      user('a', 'retry the upload later'),
      user('b', 'upload: retry'),
      user('c', 'Error: upload failed before the retry'),
      user('d', 'we should upload retry counts'),
    ]
    const answer = search('upload retry', undefined, list)
    expect(answer.kind === 'spans' && answer.spans.map(({ original }) => original.message)).toEqual(['d', 'c', 'b', 'a'])
  })

  it('finds a file that was read five times once, in its newest version', () => {
    const reads = [1, 2, 3, 4, 5].flatMap((index) => exchange(`x${index}`, 'read_file', { path: 'a.ts' }, code))
    expect(search('loadUserProfile', undefined, reads)).toMatchObject({ spans: [{ original: { message: 'x5' } }] })
  })

  it('joins adjacent windows', () => {
    const text = Array.from({ length: 24 }, (_, index) => `alpha ${index}`).join('\n')
    const answer = search('alpha', undefined, exchange('m', 'Bash', { command: 'x' }, text))
    expect(answer).toMatchObject({ spans: [{ lines: [1, 24], text }] })
  })

  it('names the characters of a match in a very long line', () => {
    const long = `${'x '.repeat(50_000)}here is the needle${' y'.repeat(50_000)}`
    const found = first(search('needle', undefined, exchange('l', 'Bash', { command: 'x' }, `top\n${long}\nend`)))
    expect(found).toMatchObject({ lines: [2, 2] })
    const [from = 0, to = 0] = found?.characters ?? []
    expect(found?.text).toBe(long.slice(from - 1, to))
    expect(found?.text).toContain('here is the needle')
    const source = sourceOf(exchange('l', 'Bash', { command: 'x' }, `top\n${long}\nend`))
    expect(recall({ id: 'l', lines: [2, 2], characters: [from, to] }, source).text).toBe(found?.text)
  })

  it('stays within its budget, and returns more with a larger one', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      exchange(`n${index}`, 'Bash', { command: `run ${index}` }, `needle number ${index} ${'word '.repeat(30)}`),
    ).flat()
    const [small, large] = [search('needle', 200, many), search('needle', 2000, many)]
    expect(small.kind === 'spans' && small.spans.length).toBe(3)
    expect(large.kind === 'spans' && large.spans.length).toBe(20)
  })

  it.each(['zebra', 'zebra giraffe', '   ', '!!!', '((('])('%o finds nothing and reports it', (query) =>
    expect(search(query)).toMatchObject({ kind: 'missing', reason: 'no-match' }),
  )

  it.each(['a'.repeat(100_000), '(a+)+$ '.repeat(5000), '\ud800', '的'.repeat(50_000), `${'x'.repeat(500)} `.repeat(300)])(
    'an odd query does no harm',
    (query) => expect(['spans', 'missing']).toContain(search(query).kind),
  )

  it('finds the best match of a long session while keeping few in memory', () => {
    const noise = Array.from({ length: 3000 }, (_, index) =>
      exchange(`z${index}`, 'Bash', { command: `step ${index}` }, `deploy step ${index} ok`),
    ).flat()
    const place = user('needle', 'deploy only from the release branch, never from main')
    const list = [...noise.slice(0, 900), place, ...noise.slice(900)]
    expect(first(search('deploy release branch', undefined, list))).toMatchObject({ original: { message: 'needle' } })
  })
})
