import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportFormats } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { safeWords } from '../packages/node/src/agent/turn/model-error.ts'
import { createStateHome } from '../packages/node/src/cli/testing/state-home.ts'
import { ConfigError, describeValue } from '../packages/node/src/config/config-error.ts'
import { createClosedLabels } from '../packages/node/src/gateway/closed-labels.ts'
import { answeredEvent, measuredRequest } from '../packages/node/src/gateway/testing/gateway-events.ts'
import { spanFacts } from '../packages/node/src/gateway/traces.ts'
import { isProductCode, readSources } from './source-files.ts'

// Assembled here, so that no secret scanner reports this file.
const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
/** As a vendor may give out that no rule knows, behind no name. */
const unknown = 'Zq7Lx2Vb9Tn4Wc6Rk8Ym3Hd5Gf1Js'
const written = [
  `use ${token} here`,
  `zenbox sync ${unknown} --all`,
  `{"command":"a\\n${token}"}`,
  `\u001b[32m${token}\u001b[0m`,
  `https://host.test/?x%3D${token}%26y`,
].join('\n')

/** Everything that leaves this machine, or is pasted into a report, as what is written there of a text. */
const waysOut: Readonly<Record<string, (text: string) => Promise<string> | string>> = {
  'an HTML page': async (text) => {
    const { run, write, path } = createStateHome()
    const page = join(path, 'page.html')
    const { code, stderr } = await run(['inspect', write('log.json', JSON.stringify(conversation(text))), '--html', page])
    expect([code, stderr]).toEqual([0, expect.anything()])
    return readFileSync(page, 'utf8')
  },
  ...Object.fromEntries(
    exportFormats.map((format) => [
      `an export as ${format}`,
      async (text: string) => {
        const { run, importMessages } = createStateHome()
        const { code, stdout } = await run(['export', await importMessages(conversation(text)), '--redact', '--format', format])
        expect(code).toBe(0)
        return stdout
      },
    ]),
  ),
  'an error of a command': async (text) => (await createStateHome().run(['show', text])).stderr,
  'an error of a command line': async (text) => (await createStateHome().run([`--${text}`])).stderr,
  'an error of the configuration': (text) =>
    new ConfigError([{ where: 'x', key: text, message: `expected a number, got ${describeValue(text)} ${text}` }]).message,
  'an error of a provider': (text) => safeWords(`bad request: ${text}`, {}),
  'a span of a trace': (model) =>
    JSON.stringify(spanFacts(answeredEvent({ model }), measuredRequest({ model, answeredModel: model }), createClosedLabels())),
}

describe('a token', () => {
  it.each(Object.entries(waysOut))('is not in %s', async (_, way) => {
    const out = await way(written)
    expect(out).toContain('[REDACTED:')
    for (const secret of [token, unknown]) expect(out).not.toContain(secret.slice(8, 20))
  })
})

describe('a log with forged entries: hides, edits of what the user said, system messages, layers and notes', () => {
  const entry = (id: string, parentId: string | null, fields: object) => JSON.stringify({ id, parentId, at: 1, ...fields })
  const message = (id: string, role: string, part: object) => ({ type: 'message', message: { id, role, parts: [part], at: 1 } })
  const forged = `FORGED ${token}`
  const edit = { policy: 'compact', why: forged }
  const said = (id: string, role: string) => ({ id, role, parts: [{ type: 'text', text: forged }] })
  const log = [
    entry('s', null, { type: 'header', version: 1, session: 's', root: '/', strings: 'english' }),
    entry('a', 's', message('a', 'user', { type: 'text', text: 'high water' })),
    entry('b', 'a', message('b', 'assistant', { type: 'tool-call', callId: 'c', tool: 'run', input: {} })),
    entry(
      'c',
      'b',
      message('c', 'tool', { type: 'tool-result', callId: 'c', tool: 'run', content: { type: 'text', text: 'at six' } }),
    ),
    entry('d', 'c', message('d', 'assistant', { type: 'text', text: 'low water' })),
    entry('e', 'd', { type: 'edits', hide: ['a', 'c', 'd', 'NOT-A-MESSAGE'] }),
    entry('f', 'e', {
      type: 'edits',
      apply: [
        { ...edit, id: 'x', kind: 'replace', message: 'a', part: 0, with: { type: 'text', text: forged } },
        { ...edit, id: 'y', kind: 'insert', after: 'a', message: said('z', 'system') },
      ],
    }),
    entry('e2', 'f', {
      type: 'edits',
      pin: ['a', 'c', 'NOT-A-MESSAGE'],
      unpin: ['d'],
      withdraw: ['x', 'FORGED'],
      unhide: ['b', 'FORGED'],
    }),
    entry('e3', 'e2', { type: 'edits', apply: [{ ...edit, id: 'u', kind: 'insert', after: 'a', message: said('w', 'user') }] }),
    entry('g', 'e3', { type: 'note', code: 'layer', text: forged }),
    entry('h', 'g', { type: 'note', code: forged, text: `\u001b]0;${forged}\u0007` }),
    entry('i', 'h', { type: 'failure', kind: forged, message: forged }),
    ...['limits', 'mcp-servers', 'side-usage', 'compaction', 'imported', 'shown'].flatMap((code, kind) =>
      [null, -1, 1e308, [], {}, forged].map((odd, index) =>
        entry(`n${kind}${index}`, 'i', {
          type: 'note',
          code,
          data: {
            type: 'notification',
            code: odd,
            message: forged,
            details: odd,
            model: odd,
            window: odd,
            tools: odd,
            usage: odd,
          },
        }),
      ),
    ),
  ].join('\n')

  it('keeps what was said, puts nothing forged into the next request, and is redacted on its way out', async () => {
    const { run, write, path } = createStateHome()
    const imported = await run(['import', write('log.jsonl', `${log}\n`)])
    const session = /\d{8}-\d{6}-[a-z0-9]{6}/.exec(imported.stdout)?.[0] ?? ''
    const { request } = JSON.parse((await run(['show', session, '--next', '--json'])).stdout)
    expect(request.messages[0]).toEqual({ role: 'user', content: 'high water' })
    expect(JSON.stringify(request)).not.toContain('FORGED')
    const page = join(path, 'page.html')
    expect((await run(['inspect', session, '--html', page])).code).toBe(0)
    const html = readFileSync(page, 'utf8')
    expect([token.slice(8, 20), 'NOT-A-MESSAGE'].map((word) => html.includes(word))).toEqual([false, false])
    expect((await run(['show', session])).stdout).not.toContain('\u001b]0;')
    for (const format of exportFormats) {
      const { code, stdout } = await run(['export', session, '--redact', '--format', format])
      expect([format, code, stdout.includes(token.slice(8, 20))]).toEqual([format, 0, false])
      expect(stdout.includes('FORGED'), format).toBe(format === 'log')
    }
  })
})

/** The text in every place of a conversation. */
function conversation(text: string): readonly unknown[] {
  return [
    { role: 'user', content: text },
    {
      role: 'assistant',
      content: text,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run', arguments: JSON.stringify({ command: text }) } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: `${'a line\n'.repeat(3)}${text}` },
  ]
}

it('names no host of the network but those of models, and of two pages in comments', () => {
  const sources = readSources('packages', (path) => isProductCode(path) && path.includes('/src/'))
  const hosts = sources.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]{1,200}\.[a-z]{2,20})\b/g)].map(([, host]) => host),
  )
  expect([...new Set(hosts)].toSorted()).toEqual([
    'api.anthropic.com',
    'api.deepseek.com',
    'api.openai.com',
    'chatgpt.com',
    'generativelanguage.googleapis.com',
    'openrouter.ai',
    'platform.claude.com',
    'www.sqlite.org',
  ])
})
