import { defaultConfig } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { ConfigProblem } from './config-error.ts'
import { nearest } from './nearest.ts'
import { toolLimitKeys } from './schema-parts.ts'
import { type KeyPath, readYaml } from './yaml-text.ts'

/** What the environment sets, and what is wrong with it. */
interface EnvironmentSettings {
  readonly settings: readonly { readonly variable: string; readonly path: KeyPath; readonly value: unknown }[]
  readonly problems: readonly ConfigProblem[]
  /** Sentences about variables with our prefix that name no key: perhaps mistyped, perhaps another program's. */
  readonly warnings: readonly string[]
}

const prefix = 'PLIMSOLL_'
/** Variables of ours that are no settings: they belong to the command line. */
const notSettings = new Set([
  'PLIMSOLL_LOG',
  'PLIMSOLL_DEBUG',
  'PLIMSOLL_SERVER_TOKEN',
  'PLIMSOLL_GATEWAY_TOKEN',
  'PLIMSOLL_TENANT_KEY',
])

/**
 * Reads settings from variables: `PLIMSOLL_` and the key in capitals with `__` between levels, the value as in YAML. A tool's name
 * is taken from `tools` if it differs only in what a variable's name cannot say (case, hyphens), else in lower case. An empty
 * variable sets nothing.
 */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  tools: readonly string[],
): EnvironmentSettings {
  const settings: EnvironmentSettings['settings'][number][] = []
  const problems: ConfigProblem[] = []
  const warnings: string[] = []
  for (const variable of Object.keys(environment).sort()) {
    const text = environment[variable]
    if (!variable.startsWith(prefix) || notSettings.has(variable) || text === undefined || text === '') continue
    const path = pathOf(variable.slice(prefix.length).split('__'), tools)
    if (path === null) {
      const meant = nearest(variable, allVariables)
      warnings.push(`${variable}: names no setting${meant === null ? '' : `; did you mean ${meant}?`}`)
      continue
    }
    const yaml = readYaml(variable, text)
    if (yaml.problems.length > 0)
      problems.push(...yaml.problems.map(({ message }) => ({ where: variable, key: path.join('.'), message })))
    else settings.push({ variable, path, value: yaml.value })
  }
  return { settings, problems, warnings }
}

function pathOf(names: readonly string[], tools: readonly string[]): KeyPath | null {
  const path: string[] = []
  let level: unknown = defaultConfig
  for (const name of names) {
    if (level === defaultConfig.tool_output_limits.tools) {
      path.push(tools.find((tool) => variableName(tool) === name) ?? name.toLowerCase())
      level = toolFields
      continue
    }
    const key = isRecord(level) ? Object.keys(level).find((candidate) => variableName(candidate) === name) : undefined
    if (key === undefined) return null
    path.push(key)
    level = (level as Readonly<Record<string, unknown>>)[key]
  }
  return path
}

const toolFields: Readonly<Record<string, unknown>> = Object.fromEntries(toolLimitKeys.map((key) => [key, null]))

const allVariables: readonly string[] = variablesOf(defaultConfig, prefix)

function variablesOf(value: unknown, start: string): readonly string[] {
  if (!isRecord(value)) return [start]
  const separator = start === prefix ? '' : '__'
  return Object.entries(value).flatMap(([key, field]) => variablesOf(field, `${start}${separator}${variableName(key)}`))
}

function variableName(key: string): string {
  return key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
