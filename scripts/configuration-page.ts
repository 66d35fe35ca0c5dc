/** A setting, or a section of settings, as JSON Schema describes it. */
export interface SettingSchema {
  readonly description?: string
  readonly default?: unknown
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: SettingSchema
  readonly anyOf?: readonly SettingSchema[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, SettingSchema>>
  readonly additionalProperties?: SettingSchema | boolean
}

/** Writes the tables of all settings between the marks of the page; the rest is written by hand. */
export function configurationPage(page: string, schema: SettingSchema, notForProjects: readonly string[]): string {
  const [before, rest] = parted(page, startMark)
  const [, after] = parted(rest, endMark)
  return `${before}${startMark}\n\n${settingTables(schema, notForProjects)}\n${endMark}${after}`
}

const startMark = '<!-- settings: written by npm run docs:schema -->'
const endMark = '<!-- end -->'

function parted(text: string, mark: string): readonly [before: string, after: string] {
  const place = text.indexOf(mark)
  if (place < 0) throw new Error(`docs/configuration.md: expected the mark ${mark}`)
  return [text.slice(0, place), text.slice(place + mark.length)]
}

function settingTables(schema: SettingSchema, notForProjects: readonly string[]): string {
  const all = Object.entries(schema.properties ?? {})
  const single = all.filter(([, child]) => !isSection(child))
  const sections = all.filter(([, child]) => isSection(child))
  const rows = (key: string, child: SettingSchema) =>
    leaves(child, [key]).map(([path, leaf]) => row(path, leaf, isForProject(path, notForProjects)))
  return [
    table(single.flatMap(([key, child]) => rows(key, child))),
    ...sections.map(([key, child]) => `### ${key}\n\n${child.description ?? ''}\n\n${table(rows(key, child))}`),
  ].join('\n')
}

function isForProject(path: readonly string[], notForProjects: readonly string[]): boolean {
  return !path.some((_, index) => notForProjects.includes(path.slice(0, index + 1).join('.')))
}

function isSection({ properties, additionalProperties }: SettingSchema): boolean {
  return properties !== undefined || typeof additionalProperties === 'object'
}

function leaves(schema: SettingSchema, path: readonly string[]): readonly (readonly [readonly string[], SettingSchema])[] {
  const { properties, additionalProperties } = schema
  if (properties !== undefined) return Object.entries(properties).flatMap(([key, child]) => leaves(child, [...path, key]))
  if (typeof additionalProperties === 'object') return leaves(additionalProperties, [...path, '<name>'])
  return [[path, schema]]
}

function table(rows: readonly string[]): string {
  return `| Key | Type | Default | Project | Meaning |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}

function row(path: readonly string[], schema: SettingSchema, isForProject: boolean): string {
  const value = path.includes('<name>') ? '' : `\`${JSON.stringify(schema.default).replaceAll(',', ', ')}\``
  return `| \`${path.join('.')}\` | ${typeText(schema)} | ${value} | ${isForProject ? 'yes' : 'no'} | ${schema.description ?? ''} |`
}

function typeText(schema: SettingSchema): string {
  const { type, anyOf, items } = schema
  if (anyOf !== undefined) return anyOf.map(typeText).join(', or ')
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (Array.isArray(type)) return type.map((one: string) => typeText({ type: one })).join(', or ')
  switch (type) {
    case 'integer':
      return `whole number${range(schema)}`
    case 'number':
      return `number${range(schema)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return items?.enum === undefined ? 'list of texts' : 'list of names'
    case 'null':
      return 'null'
    case undefined:
    default:
      return 'text'
  }
}

function range({ minimum, exclusiveMinimum, maximum = Number.MAX_SAFE_INTEGER }: SettingSchema): string {
  const least = exclusiveMinimum === undefined ? minimum : `above ${exclusiveMinimum}`
  if (least === undefined) return ''
  if (maximum < Number.MAX_SAFE_INTEGER)
    return exclusiveMinimum === undefined ? `, ${least} to ${maximum}` : `, ${least}, at most ${maximum}`
  return minimum === undefined ? `, ${least}` : `, ${least} or more`
}
