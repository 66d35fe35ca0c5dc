import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultConfig } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { afterAll, describe, expect, it } from 'vitest'
import { createFolder } from '../testing/run-captured.ts'
import { openAgentHost } from './open-agent-host.ts'

const page = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `([a-z_]+(?:\.[a-z_<>]+)*)` \| ([^|]+) \| [^|]* \| (yes|no) \| /gm)].map(
  ([, key = '', type = '', project = '']) => ({ key, type, project }),
)

const folder = createFolder()
afterAll(folder.remove)

/** Writes the one setting into a project's file and returns the settings the agent works with there. */
async function settingsWith(key: string, value: unknown) {
  const project = join(folder.path, key.replaceAll(/[<>]/g, ''))
  mkdirSync(project, { recursive: true })
  const nested = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  writeFileSync(join(project, 'plimsoll.yaml'), JSON.stringify(nested))
  const output = { write: () => undefined, isTerminal: false, columns: null }
  const host = await openAgentHost(
    { model: 'offline' },
    {
      stdout: output,
      stderr: output,
      stdin: (async function* () {})(),
      environment: { HOME: folder.path, XDG_STATE_HOME: folder.path },
      folder: project,
      platform: 'linux',
      now: () => 0,
    },
  )
  await host.close()
  return host.context.settings
}

function valueAt(value: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value)
}

/** A valid value that is not the default. */
function anotherValue(key: string, type: string): unknown {
  const current = valueAt(defaultConfig, key)
  const choices = [...type.matchAll(/`([^`]+)`/g)].map(([, choice]) => choice)
  if (choices.length > 0) return choices.find((choice) => choice !== current && choice !== 'summarize')
  if (type.startsWith('true')) return current !== true
  if (type.startsWith('list')) return ['/another']
  if (/number.*(?:to|at most) 1\b/.test(type)) return 0.5
  if (type.includes('number')) return typeof current === 'number' ? current + 1 : 7
  return key.endsWith('url') || key.includes('upstreams') || key.includes('otlp') ? 'https://example.com' : 'zh'
}

describe('the Project column of docs/configuration.md', () => {
  it('has keys of both kinds', () => {
    const count = (kind: string) => rows.filter(({ project }) => project === kind).length
    expect([count('yes') > 30, count('no') > 30]).toEqual([true, true])
  })

  it.each(rows.filter(({ project }) => project === 'yes'))(
    '$key in a project’s file is obeyed by the agent',
    async ({ key, type }) => {
      const value = anotherValue(key, type)
      const { config, warnings } = await settingsWith(key, value)
      expect(valueAt(config, key)).toEqual(value)
      expect(warnings.filter((warning) => !warning.includes('hides most'))).toEqual([])
    },
  )

  it.each(rows.filter(({ project }) => project === 'no'))('$key in a project’s file is refused', async ({ key, type }) => {
    const price = /(prices\..*)\.(.*)/.exec(key)
    const refused =
      price === null
        ? settingsWith(key, anotherValue(key, type))
        : settingsWith(price[1] ?? '', { input: 1, output: 1, [price[2] ?? '']: 2 })
    await expect(refused).rejects.toThrow('only allowed in your own configuration')
  })
})
