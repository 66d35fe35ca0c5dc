import { resolve } from 'node:path'
import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import { withoutSecrets } from '../../config/config-error.ts'
import { homeFolder } from '../../config/home-folder.ts'
import { nearest } from '../../config/nearest.ts'
import { type Strings, stringsFor } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, environmentLocale } from '../command-io.ts'
import { loadFor, promptsFor, type SettingsOptions } from '../settings.ts'
import { type ColourOptions, paintFor } from '../terminal/screen.ts'
import { cleanText, tildePath } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'

export interface ConfigCommandOptions extends SettingsOptions, ColourOptions {
  readonly showOrigin?: boolean
}

/** Prints the active settings as YAML that could be a configuration file. */
export async function configCommand(key: string | undefined, options: ConfigCommandOptions, io: CommandIo): Promise<void> {
  const loaded = await loadFor(options, io)
  const strings = stringsFor(loaded.config.locale ?? environmentLocale(io.environment))
  io.speak?.(strings)
  const config = withoutSecrets(loaded.config, strings.config.secret)
  const home = homeFolder(io.environment)
  const origins: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(loaded.origins).map(([name, origin]) => [name, tildePath(origin, home)]),
  )
  const path = key === undefined || key === '' ? [] : pathOf(config, key, strings)
  const value = path.reduce<unknown>((inner, step) => (inner as Readonly<Record<string, unknown>>)[step], config)
  const prompts = promptsFor(loaded.config, resolve(io.folder, options.root ?? '.'), io)
  const files = path.length === 0 || path[0] === 'prompts' ? prompts.files : null
  const warnings = [...loaded.warnings, ...prompts.warnings].map((warning) => cleanText(warning))
  if (options.json === true) {
    const named = path.join('.')
    const inside = Object.entries(origins).filter(([name]) => named === '' || name === named || name.startsWith(`${named}.`))
    const answer = { config: value, origins: Object.fromEntries(inside), ...(files === null ? {} : { prompts: files }), warnings }
    return writeJson(answer, 'config', strings, io.stdout)
  }
  const paint = paintFor(io.stdout, options, io)
  for (const line of yamlLines(value, path)) {
    const origin = options.showOrigin === true && line.key !== null ? origins[line.key] : undefined
    io.stdout.write(`${escapeUnprintable(line.text)}${origin === undefined ? '' : paint('dim', `  # ${cleanText(origin)}`)}\n`)
  }
  for (const file of files ?? [])
    io.stdout.write(`${paint('dim', `# ${strings.config.promptFile(cleanText(tildePath(file, home)))}`)}\n`)
  const paintWarning = paintFor(io.stderr, options, io)
  for (const warning of warnings) io.stderr.write(`${paintWarning('warning', warning)}\n`)
}

function pathOf(config: unknown, key: string, { config: configStrings }: Strings): readonly string[] {
  const path: string[] = []
  let value = config
  let rest = key
  while (rest !== '') {
    // A tool's name may contain a dot.
    const names = isRecord(value) ? Object.keys(value) : []
    const step = names
      .filter((name) => rest === name || rest.startsWith(`${name}.`))
      .sort((one, other) => other.length - one.length)[0]
    if (step === undefined) {
      const near = nearest(rest.split('.')[0] ?? '', names)
      throw new CommandError(configStrings.unknownKey(cleanText(key), near === null ? null : [...path, near].join('.')), 2)
    }
    path.push(step)
    value = (value as Readonly<Record<string, unknown>>)[step]
    rest = rest.slice(step.length + 1)
  }
  return path
}

/** `key` is null for the name of a section. */
type YamlLine = { readonly text: string; readonly key: string | null }

/** Writes anything but a plain word as JSON, which YAML accepts too. */
function yamlLines(value: unknown, path: readonly string[]): readonly YamlLine[] {
  if (path.length > 0 && !isSection(value))
    return [{ text: `${nameOf(path.at(-1) ?? '')}: ${scalar(value)}`, key: path.join('.') }]
  return sectionLines(value, path, '')
}

function sectionLines(value: unknown, path: readonly string[], indent: string): readonly YamlLine[] {
  return Object.entries(value as object).flatMap(([name, inner]: [string, unknown]): readonly YamlLine[] => {
    const here = [...path, name]
    if (!isSection(inner)) return [{ text: `${indent}${nameOf(name)}: ${scalar(inner)}`, key: here.join('.') }]
    return [{ text: `${indent}${nameOf(name)}:`, key: null }, ...sectionLines(inner, here, `${indent}  `)]
  })
}

function isSection(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0
}

function nameOf(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) && !ambiguous.test(name) ? name : JSON.stringify(name)
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  return /^[A-Za-z_][\w./-]*$/.test(value) && !ambiguous.test(value) ? value : JSON.stringify(value)
}

/** Words that YAML, or an older YAML, reads as something else. */
const ambiguous = /^(?:true|false|null|yes|no|on|off|y|n)$/i
