import { join } from 'node:path'
import type { PartialConfig } from '@plimsoll/core'
import { type Config, completeConfig, defaultConfig, toolRules } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { RawLayer } from './check-layer.ts'
import { ConfigError, type ConfigProblem } from './config-error.ts'
import { userFolder } from './home-folder.ts'
import { nearest } from './nearest.ts'
import { readSmallFile } from './small-file.ts'
import { isInTheClear } from './upstream-address.ts'
import type { KeyPath } from './yaml-text.ts'

export interface ConfigSources {
  readonly projectFolder: string
  /** Read instead of the project’s; it must exist. */
  readonly configFile?: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags?: readonly FlagSetting[]
}

export interface FlagSetting {
  /** As the user typed it, such as `--policies`. */
  readonly flag: string
  readonly path: KeyPath
  readonly value: unknown
}

export interface LoadedConfig {
  readonly config: Config
  /** `default`, `file:line:column`, a variable or a flag, by key such as `compaction.threshold`. */
  readonly origins: Readonly<Record<string, string>>
  /** Sentences about settings that are legal and probably not what was meant. */
  readonly warnings: readonly string[]
}

/**
 * Merges defaults, the files, the environment and flags, key by key; lists replace. Throws `ConfigError` with all problems. The
 * schema and the parser of YAML are loaded with the first setting: without one they would take a third of the start of a command.
 */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const problems: ConfigProblem[] = []
  const unused: string[] = []
  const origins: Record<string, string> = {}
  let settings: PartialConfig = {}
  const lay = async (layer: RawLayer): Promise<void> => {
    const { checkLayer } = await import('./check-layer.ts')
    const checked = checkLayer(layer)
    if (checked.kind === 'refused') return void problems.push(...checked.problems)
    settings = merge(settings, checked.settings) as PartialConfig
    for (const path of settingsIn(checked.settings)) origins[path.join('.')] = layer.where(path, 'key')
  }
  for (const path of settingsIn(defaultConfig)) origins[path.join('.')] = 'default'
  for (const layer of await fileLayers(sources, problems, unused)) await lay(layer)
  const environment = await readEnvironment(sources.environment, Object.keys(completeConfig(settings).tool_output_limits.tools))
  problems.push(...environment.problems)
  for (const { variable, path, value } of environment.settings) await lay(singleSetting(path, value, variable))
  for (const { flag, path, value } of sources.flags ?? []) await lay(singleSetting(path, value, flag))
  if (problems.length > 0) throw new ConfigError(problems)
  const config = completeConfig(settings)
  return { config, origins, warnings: [...unused, ...environment.warnings, ...warningsAbout(config, origins)] }
}

async function fileLayers(sources: ConfigSources, problems: ConfigProblem[], unused: string[]): Promise<readonly RawLayer[]> {
  const { projectFolder, configFile, environment } = sources
  const own = userFolder(environment)
  const toolFile = join(projectFolder, 'backend', 'config', 'tool_config.yaml')
  const files = [
    ...(own === null ? [] : [{ file: join(own, 'config.yaml'), ofProject: false }]),
    ...(configFile === undefined ? [{ file: toolFile, ofProject: true }] : []),
    { file: configFile ?? join(projectFolder, 'plimsoll.yaml'), ofProject: true },
  ]
  const layers: RawLayer[] = []
  for (const { file, ofProject } of files) {
    const found = readSmallFile(file)
    if (typeof found === 'string') {
      const { readYaml } = await import('./yaml-text.ts')
      const yaml = readYaml(file, found)
      problems.push(...yaml.problems)
      const layer = { value: yaml.value, where: yaml.where, ofProject }
      if (yaml.problems.length === 0) layers.push(file === toolFile ? toolLayer(layer, unused) : layer)
      continue
    }
    const message = found?.problem ?? 'file not found'
    if (found !== null || file === configFile) problems.push({ where: file, key: '', message })
  }
  return layers
}

/**
 * The specification's file for limits of tool output. It has two keys that a project may not decide, and programs of the project may keep
 * settings of their own in it, so the rest is ignored instead of refused.
 */
function toolLayer(layer: RawLayer, unused: string[]): RawLayer {
  if (!isRecord(layer.value)) return layer
  const { tool_output_limits, summarization } = layer.value
  const { enabled, model, ...rest } = isRecord(summarization) ? summarization : {}
  const defaults: Readonly<Record<string, unknown>> = defaultConfig.summarization
  for (const [key, value] of Object.entries({ enabled, model })) {
    const path = ['summarization', key]
    if (value !== undefined && value !== defaults[key])
      unused.push(`${layer.where(path, 'key')}: ${path.join('.')}: ignored; set it in your own configuration`)
  }
  const summaries = isRecord(summarization) ? rest : (summarization ?? {})
  return { ...layer, value: { tool_output_limits: tool_output_limits ?? {}, summarization: summaries } }
}

function singleSetting(path: KeyPath, value: unknown, origin: string): RawLayer {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return { value: nested, where: () => origin, ofProject: false }
}

function merge(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) merged[key] = merge(merged[key], value)
  return merged
}

function settingsIn(value: unknown, path: readonly string[] = []): readonly KeyPath[] {
  return isRecord(value) ? Object.entries(value).flatMap(([key, field]) => settingsIn(field, [...path, key])) : [path]
}

const maxWarnings = 20

/** Warns about settings that are probably not what was meant, except defaults. */
function warningsAbout(config: Config, origins: Readonly<Record<string, string>>): readonly string[] {
  const warnings = [...idleSummaries(config), ...smallReads(config), ...openUpstreams(config)].flatMap(({ key, message }) => {
    const origin = origins[key] ?? 'default'
    return origin === 'default' ? [] : [`${origin}: ${key}: ${message}`]
  })
  const more = warnings.length - maxWarnings
  return more > 0 ? [...warnings.slice(0, maxWarnings), `and ${more} more warnings`] : warnings
}

type Doubt = Pick<ConfigProblem, 'key' | 'message'>

function idleSummaries({ tool_output_limits: limits, summarization }: Config): readonly Doubt[] {
  if (summarization.enabled) return []
  const rows = [
    { key: 'tool_output_limits.default', row: limits.default },
    ...Object.entries(limits.tools).map(([tool, row]) => ({ key: toolKey(tool), row })),
  ]
  const message = 'summarize works like head_tail unless summarization.enabled is true'
  const idle = rows.filter(({ row }) => row.truncation_strategy === 'summarize')
  return idle.map(({ key }) => ({ key: `${key}.truncation_strategy`, message }))
}

const smallRead = { max_chars: 5000, max_lines: 200 }

function smallReads({ tool_output_limits: { tools } }: Config): readonly Doubt[] {
  return Object.entries(tools).flatMap(([tool, limits]) => {
    if (toolRules(tool)?.kind !== 'file-read') return []
    return (['max_chars', 'max_lines'] as const).flatMap((limit) => {
      const value = limits[limit]
      if (value === undefined || value > smallRead[limit]) return []
      return [{ key: `${toolKey(tool)}.${limit}`, message: `${value} hides most of a normal source file from the model` }]
    })
  })
}

function openUpstreams({ gateway: { upstreams } }: Config): readonly Doubt[] {
  const message = 'requests and API keys go to another machine without encryption'
  const open = Object.entries(upstreams).filter(([, address]) => isInTheClear(address))
  return open.map(([name]) => ({ key: `gateway.upstreams.${name}`, message }))
}

function toolKey(tool: string): string {
  return `tool_output_limits.tools.${tool}`
}

const prefix = 'PLIMSOLL_'
/** These belong to the command line. */
const notSettings = new Set(['LOG', 'DEBUG', 'SERVER_TOKEN', 'GATEWAY_TOKEN', 'TENANT_KEY'].map((name) => `${prefix}${name}`))

/**
 * Reads `PLIMSOLL_` and the key in capitals with `__` between levels, the value as in YAML. A tool’s name is taken from `tools`
 * if it differs only in case or hyphens, else in lower case. Skips empty variables.
 */
async function readEnvironment(environment: ConfigSources['environment'], tools: readonly string[]) {
  const settings: { readonly variable: string; readonly path: KeyPath; readonly value: unknown }[] = []
  const problems: ConfigProblem[] = []
  const warnings: string[] = []
  for (const variable of Object.keys(environment).sort()) {
    const text = environment[variable]
    if (!variable.startsWith(prefix) || notSettings.has(variable) || text === undefined || text === '') continue
    const { toolLimitKeys } = await import('./schema-parts.ts')
    const path = pathOf(variable.slice(prefix.length).split('__'), tools, toolLimitKeys)
    if (path === null) {
      const meant = nearest(variable, allVariables)
      warnings.push(`${variable}: names no setting${meant === null ? '' : `; did you mean ${meant}?`}`)
      continue
    }
    const { readYaml } = await import('./yaml-text.ts')
    const yaml = readYaml(variable, text)
    if (yaml.problems.length > 0)
      problems.push(...yaml.problems.map(({ message }) => ({ where: variable, key: path.join('.'), message })))
    else settings.push({ variable, path, value: yaml.value })
  }
  return { settings, problems, warnings }
}

function pathOf(names: readonly string[], tools: readonly string[], toolKeys: readonly string[]): KeyPath | null {
  const path: string[] = []
  const toolFields: Readonly<Record<string, unknown>> = Object.fromEntries(toolKeys.map((key) => [key, null]))
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

const allVariables: readonly string[] = variablesOf(defaultConfig, prefix)

function variablesOf(value: unknown, start: string): readonly string[] {
  if (!isRecord(value)) return [start]
  const separator = start === prefix ? '' : '__'
  return Object.entries(value).flatMap(([key, field]) => variablesOf(field, `${start}${separator}${variableName(key)}`))
}

function variableName(key: string): string {
  return key.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}
