import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { PartialConfig } from '@plimsoll/core'
import { type Config, completeConfig, defaultConfig, toolRules } from '@plimsoll/core/policies'
import { checkLayer, type RawLayer } from './check-layer.ts'
import { ConfigError, type ConfigProblem } from './config-error.ts'
import { readEnvironment } from './environment.ts'
import { homeFolder } from './home-folder.ts'
import { isMapping } from './mapping.ts'
import { isInTheClear } from './upstream-address.ts'
import { type KeyPath, readYaml } from './yaml-text.ts'

/** Where the configuration is looked for. */
export interface ConfigSources {
  /** The folder whose `plimsoll.yaml` applies. */
  readonly projectFolder: string
  /** A file to read in place of the project's; it must exist. */
  readonly configFile?: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly flags?: readonly FlagSetting[]
}

/** One setting from the command line. */
export interface FlagSetting {
  /** As the user typed it, such as `--policies`. */
  readonly flag: string
  readonly path: KeyPath
  readonly value: unknown
}

/** The configuration in force. */
export interface LoadedConfig {
  readonly config: Config
  /** Where each setting comes from: `default`, `file:line:column`, a variable or a flag, by key such as `compaction.threshold`. */
  readonly origins: Readonly<Record<string, string>>
  /** The keys that the project's `plimsoll.yaml` decides, which nobody who only works there has chosen. */
  readonly fromProject: ReadonlySet<string>
  /** Sentences about settings that are legal and probably not what was meant. */
  readonly warnings: readonly string[]
}

/**
 * Merges defaults, the user's file, the project's file, the environment and flags, each over the one before, key by key; lists
 * replace. Throws `ConfigError` with every problem of every source.
 */
export function loadConfig(sources: ConfigSources): LoadedConfig {
  const problems: ConfigProblem[] = []
  const origins: Record<string, string> = {}
  const fromProject = new Set<string>()
  let settings: PartialConfig = {}
  const lay = (layer: RawLayer): void => {
    const checked = checkLayer(layer)
    if (checked.kind === 'refused') {
      problems.push(...checked.problems)
      return
    }
    settings = merge(settings, checked.settings) as PartialConfig
    const ofProject = layer.ofProject && sources.configFile === undefined
    for (const path of settingsIn(checked.settings)) {
      const key = path.join('.')
      origins[key] = layer.where(path, 'key')
      if (ofProject) fromProject.add(key)
      else fromProject.delete(key)
    }
  }
  for (const path of settingsIn(defaultConfig)) origins[path.join('.')] = 'default'
  for (const layer of fileLayers(sources, problems)) lay(layer)
  const environment = readEnvironment(sources.environment, Object.keys(completeConfig(settings).tool_output_limits.tools))
  problems.push(...environment.problems)
  for (const { variable, path, value } of environment.settings) lay(singleSetting(path, value, variable))
  for (const { flag, path, value } of sources.flags ?? []) lay(singleSetting(path, value, flag))
  if (problems.length > 0) throw new ConfigError(problems)
  const config = completeConfig(settings)
  return { config, origins, fromProject, warnings: [...environment.warnings, ...warningsAbout(config, origins)] }
}

/** The user's own file, as a list of one: under `XDG_CONFIG_HOME` where that is an absolute path, else under `~/.config`. */
function userFiles(environment: ConfigSources['environment']): readonly string[] {
  const configured = environment['XDG_CONFIG_HOME'] ?? ''
  const home = homeFolder(environment)
  const folder = isAbsolute(configured) ? configured : home === null ? null : join(home, '.config')
  return folder === null ? [] : [join(folder, 'plimsoll', 'config.yaml')]
}

function fileLayers(sources: ConfigSources, problems: ConfigProblem[]): readonly RawLayer[] {
  const { projectFolder, configFile, environment } = sources
  const files = [
    ...userFiles(environment).map((file) => ({ file, ofProject: false, required: false })),
    configFile === undefined
      ? { file: join(projectFolder, 'plimsoll.yaml'), ofProject: true, required: false }
      : { file: configFile, ofProject: true, required: true },
  ]
  return files.flatMap(({ file, ofProject, required }) => {
    const found = readConfigFile(file)
    if (found.kind === 'text') {
      const yaml = readYaml(file, found.text)
      problems.push(...yaml.problems)
      return yaml.problems.length > 0 ? [] : [{ value: yaml.value, where: yaml.where, ofProject }]
    }
    if (found.kind === 'unreadable') problems.push(found.problem)
    else if (required) problems.push({ where: file, key: '', message: 'expected a configuration file, got nothing by that name' })
    return []
  })
}

function singleSetting(path: KeyPath, value: unknown, origin: string): RawLayer {
  const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  return { value: nested, where: () => origin, ofProject: false }
}

function merge(base: unknown, over: unknown): unknown {
  if (!isMapping(base) || !isMapping(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) merged[key] = merge(merged[key], value)
  return merged
}

/** The path of every single setting in a value. */
function settingsIn(value: unknown, path: readonly string[] = []): readonly KeyPath[] {
  return isMapping(value) ? Object.entries(value).flatMap(([key, field]) => settingsIn(field, [...path, key])) : [path]
}

/** A configuration file's text; absent when there is none. */
type ConfigFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly problem: ConfigProblem }

/** Nobody writes this much by hand, and a larger file is something else. */
const mostBytes = 65_536

/** Reads a configuration file: UTF-8 and at most 64 KB. Trouble comes back as a value. */
function readConfigFile(file: string): ConfigFile {
  const unreadable = (message: string): ConfigFile => ({ kind: 'unreadable', problem: { where: file, key: '', message } })
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return { kind: 'absent' }
    if (!found.isFile()) return unreadable(`expected a file, got ${found.isDirectory() ? 'a folder' : 'something else'}`)
    const bytes = readUpTo(file, mostBytes + 1)
    if (bytes.length > mostBytes) return unreadable(`expected at most ${mostBytes} bytes, got more`)
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable('expected text in UTF-8, got other bytes')
    return unreadable(`cannot be read (${code ?? String(error)})`)
  }
}

/** Reads by count and not by the size that the file is said to have, which may be wrong or change. */
function readUpTo(file: string, most: number): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(most)
    let length = 0
    for (;;) {
      const read = readSync(descriptor, bytes, length, most - length, null)
      length += read
      if (read === 0 || length === most) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Sentences about a configuration that is legal and probably not what was meant, where somebody set it. */
function warningsAbout(config: Config, origins: Readonly<Record<string, string>>): readonly string[] {
  const warnings = [...idleSummaries(config), ...smallReads(config), ...openUpstreams(config)].flatMap(({ key, message }) => {
    const origin = origins[key]
    // Nobody has to be told at every start of what stands in the defaults, such as the specification's own small limit.
    return origin === undefined || origin === 'default' ? [] : [`${origin}: ${key}: ${message}`]
  })
  const more = warnings.length - mostWarnings
  return more > 0 ? [...warnings.slice(0, mostWarnings), `and ${more} more warnings`] : warnings
}

const mostWarnings = 20

interface Doubt {
  readonly key: string
  readonly message: string
}

/** A model may only be asked where that is enabled, which is easily forgotten. */
function idleSummaries({ tool_output_limits: limits, summarization }: Config): readonly Doubt[] {
  if (summarization.enabled) return []
  const rows = [
    { key: 'tool_output_limits.default', row: limits.default },
    ...Object.entries(limits.tools).map(([tool, row]) => ({ key: toolKey(tool), row })),
  ]
  return rows
    .filter(({ row }) => row.truncation_strategy === 'summarize')
    .map(({ key }) => ({
      key: `${key}.truncation_strategy`,
      message: 'summarize cuts as head_tail does unless summarization.enabled is true',
    }))
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

/** A key that is sent without encryption can be read by whoever is between. */
function openUpstreams({ gateway: { upstreams } }: Config): readonly Doubt[] {
  return Object.entries(upstreams)
    .filter(([, address]) => isInTheClear(address))
    .map(([name]) => ({
      key: `gateway.upstreams.${name}`,
      message: 'requests and keys go to another machine without encryption',
    }))
}

function toolKey(tool: string): string {
  return `tool_output_limits.tools.${tool}`
}
