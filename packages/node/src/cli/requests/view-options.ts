import { resolve } from 'node:path'
import { type Codec, codecs } from '@plimsoll/core'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import type { SettingsOptions } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'

/** The options of `plimsoll view` as they were written. */
export interface ViewOptions extends SettingsOptions {
  readonly now?: string
  readonly root?: string
  readonly model?: string
  readonly dialect?: string
  readonly conversation?: string
  readonly exact?: boolean
  readonly all?: boolean
  readonly json?: boolean
  readonly color?: boolean
}

/** The time that `--now` gives, in milliseconds; null when it is not given. */
export function nowOf({ now }: ViewOptions, { command }: Strings): number | null {
  if (now === undefined) return null
  const time = isTime(now) ? Date.parse(now) : Number.NaN
  if (Number.isNaN(time)) throw new CommandError(command.badNow(cleanText(JSON.stringify(now))), 2)
  return time
}

/** The engine's parser takes almost anything for a date, and 31 February for 3 March; only what is plainly a time is meant. */
function isTime(text: string): boolean {
  const date = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (date === null) return false
  const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** The conversation that `--conversation` chooses, from 1; null when it is not given. */
export function numberOf({ conversation }: ViewOptions, { command }: Strings): number | null {
  if (conversation === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(conversation))
    throw new CommandError(command.badConversation(cleanText(JSON.stringify(conversation))), 2)
  return Number(conversation)
}

/** The codec that `--dialect` names; null when it is not given. */
export function codecOf({ dialect }: ViewOptions, { command }: Strings): Codec | null {
  if (dialect === undefined) return null
  const codec = Object.values(codecs).find(({ name }) => name === dialect)
  if (codec !== undefined) return codec
  throw new CommandError(command.badDialect(Object.keys(codecs).join(', '), cleanText(JSON.stringify(dialect))), 2)
}

/** The project's folder: the option, else the example's, else here. A folder of another machine, such as `F:\\project`, is taken as it is. */
export function rootOf({ root }: ViewOptions, exampleRoot: string | undefined, { folder }: CommandIo): string {
  if (root === undefined) return exampleRoot ?? folder
  return /^(?:[A-Za-z]:[\\/]|\\\\)/.test(root) ? root : resolve(folder, root)
}
