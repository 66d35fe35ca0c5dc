import { readFileSync } from 'node:fs'
import type { PartialConfig } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { parse } from 'yaml'
import type { z } from 'zod'
import { configurationPage, type SettingSchema } from '../../../../scripts/configuration-page.ts'
import { notForProjects } from './check-layer.ts'
import { configJsonSchema, configSchema } from './config-schema.ts'
import { loadConfig } from './load-config.ts'

interface Schema {
  readonly description?: string
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

interface Setting {
  readonly key: string
  readonly default: unknown
  readonly description: string | undefined
}

/** Every single setting of the schema, with `<name>` for a tool's name. */
function settings({ properties, additionalProperties, ...schema }: Schema, path: readonly string[] = []): readonly Setting[] {
  if (properties !== undefined) return Object.entries(properties).flatMap(([key, child]) => settings(child, [...path, key]))
  if (typeof additionalProperties === 'object') return settings(additionalProperties, [...path, '<name>'])
  return [{ key: path.join('.'), default: schema.default, description: schema.description }]
}

const all = settings(configJsonSchema())

/** A legal value that is not the default. */
function anotherValue(key: string, value: unknown): unknown {
  if (key.endsWith('truncation_strategy')) return 'head_only'
  if (key === 'compaction.fallback') return 'none'
  if (key === 'compaction.threshold') return 0.5
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (key === 'rules_files') return ['OTHER.md']
  if (key === 'model' || key.endsWith('model') || key === 'images.url') return 'another'
  return key.includes('<name>') ? 1 : value
}

describe('the schema', () => {
  it('is the type of a partial configuration, and nothing else', () => {
    type Parsed = z.infer<typeof configSchema>
    expectTypeOf<Parsed>().toExtend<PartialConfig>()
    expectTypeOf<keyof Parsed>().toEqualTypeOf<keyof PartialConfig>()
    expectTypeOf<Settings<Parsed>>().toEqualTypeOf<Settings<PartialConfig>>()
  })

  it('accepts the defaults, which hold every key of the schema', () => {
    expect(configSchema.parse(defaultConfig)).toEqual(defaultConfig)
    const tools = Object.assign({}, ...Object.values(defaultConfig.tool_output_limits.tools), {
      truncation_strategy: 'head_tail',
    }) as object
    const withOneTool = {
      ...defaultConfig,
      models: {
        '<name>': {
          window: 1,
          output_limit: 1,
          text_tools: true,
          reasoning: 'low',
        },
      },
      prices: { '<name>': { input: 1, cache_read: 1, cache_write: 1, cache_write_hour: 1, output: 1, web_search: 1 } },
      mcp_servers: {
        '<name>': {
          command: '',
          args: [],
          env: { '<name>': '' },
          url: '',
          headers: { '<name>': '' },
          allow: [],
          timeout_seconds: 1,
          definitions: 'auto',
        },
      },
      tool_output_limits: { ...defaultConfig.tool_output_limits, tools: { '<name>': tools } },
    }
    expect(all.map(({ key }) => key).sort()).toEqual(leaves(withOneTool, []).toSorted())
  })

  it('says one sentence about every key, and its default', () => {
    for (const { key, description, default: value } of all) {
      expect(description, key).toMatch(/^[A-Z`].*[^.]\.$/)
      if (!key.includes('<name>'))
        expect(value, key).toEqual(
          key.split('.').reduce<unknown>((level, step) => (level as Record<string, unknown>)[step], defaultConfig),
        )
    }
  })

  it('has no setting that nothing reads: none is warned about for being set at all', async () => {
    const named = /^(?:mcp_servers|models|prices)\./
    for (const { key, default: value } of all.filter((one) => !named.test(one.key))) {
      const path = key.replace('<name>', 'LS').split('.')
      const flags = [{ flag: '--flag', path, value: anotherValue(key, value) }]
      const { warnings } = await loadConfig({ projectFolder: '/nowhere', environment: { HOME: '/nowhere' }, flags })
      expect(warnings, key).toEqual([])
    }
    expect(all.filter(({ description }) => description?.includes('without effect') === true)).toEqual([])
  })

  it('matches the file in the package (npm run docs:schema writes it)', () => {
    const file = new URL('../../schema/plimsoll.schema.json', import.meta.url)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(configJsonSchema())))
  })
})

describe('docs/configuration.md', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')

  it('holds the tables that the schema gives (npm run docs:schema writes them)', () => {
    const schema = JSON.parse(JSON.stringify(configJsonSchema())) as SettingSchema
    expect(configurationPage(page, schema, Object.keys(notForProjects))).toBe(page)
  })

  it('has a row for every key, and no other', () => {
    const keys = [...page.matchAll(/^\| `([a-z_]+(?:\.[a-z_<>]+)*)` \| [^|]+ \| [^|]* \| (?:yes|no) \| [A-Z`]/gm)].map(
      (match) => match[1],
    )
    expect(new Set(keys)).toEqual(new Set(all.map(({ key }) => key)))
    expect(keys.length).toBe(all.length)
  })

  it('shows example files that are valid', () => {
    const examples = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map((match) => match[1] as string)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(configSchema.safeParse(parse(example)).error).toBeUndefined()
  })
})

/** The keys of a type and of the types inside, without what may be left out. */
type Settings<Value> = Value extends readonly unknown[]
  ? readonly Settings<Value[number]>[]
  : Value extends object
    ? { readonly [Key in keyof Value]-?: Settings<Exclude<Value[Key], undefined>> }
    : Value

function leaves(value: unknown, path: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')]
  return Object.entries(value).flatMap(([key, field]) => leaves(field, [...path, key]))
}
