import { defaultConfig } from '@plimsoll/core'
import { z } from 'zod'
import { configSchema } from './config-schema.ts'

/** A JSON Schema of the configuration file, with a sentence and the default for every key, for editors to check and complete by. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configSchema)
  return {
    $schema,
    title: 'Plimsoll configuration',
    ...withDefaults(schema, defaultConfig),
  }
}

type Schema = Readonly<Record<string, unknown>>

function withDefaults(schema: Schema, value: unknown): Schema {
  const properties = schema['properties']
  if (properties === undefined) return value === undefined ? schema : { ...schema, default: value }
  const fields = value as Readonly<Record<string, unknown>>
  const described = Object.entries(properties as Readonly<Record<string, Schema>>).map(([key, child]) => [
    key,
    withDefaults(child, fields[key]),
  ])
  return { ...schema, properties: Object.fromEntries(described) }
}
