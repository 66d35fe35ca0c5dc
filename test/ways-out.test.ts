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
const written = [
  `use ${token} here`,
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
    expect(out).not.toContain(token.slice(8, 20))
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
