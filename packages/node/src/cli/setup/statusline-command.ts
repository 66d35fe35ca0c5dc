import { modelFacts } from '@plimsoll/core'
import { withModelWindow } from '@plimsoll/core/bill'
import { defaultConfig, outputReserve } from '@plimsoll/core/policies'
import { stringsFor } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { environmentLocale } from '../locale.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { moneyText, shortNumber } from '../terminal/format-number.ts'
import { type ColourOptions, type Paint, paintFor } from '../terminal/paint.ts'
import { type HookInput, noInput, readHookInput } from './hook-input.ts'
import { latestLog } from './latest-log.ts'
import { readTail } from './log-tail.ts'
import { tailFacts } from './tail-facts.ts'
import { trimmableTokens } from './trimmable-tokens.ts'

/** The options of `plimsoll statusline` as they were written. */
export interface StatuslineOptions extends ColourOptions {
  readonly json?: boolean
}

/** What is shown; whatever is not known is null. */
interface Status {
  readonly model: string | null
  readonly used: number | null
  readonly usable: number | null
  readonly source: 'measured' | 'estimated' | null
  readonly cache: 'hot' | 'cold' | null
  readonly cacheSecondsLeft: number | null
  readonly dollars: number | null
  readonly trimmable: number | null
}

const unknown: Status = {
  model: null,
  used: null,
  usable: null,
  source: null,
  cache: null,
  cacheSecondsLeft: null,
  dollars: null,
  trimmable: null,
}

/** So much of a log is looked at: the last requests of even a long session, in a moment. */
const tailBytes = 2_000_000

/** Prints one line about the session that is running. Never fails: what cannot be found out is left out. */
export async function statuslineCommand(options: StatuslineOptions, io: CommandIo): Promise<void> {
  const status = await statusOf(io).catch(() => unknown)
  if (options.json === true) io.stdout.write(`${JSON.stringify(status)}\n`)
  else io.stdout.write(`${lineOf(status, io, paintFor(io.stdout, options, io))}\n`)
}

async function statusOf(io: CommandIo): Promise<Status> {
  const input = await hookInput(io)
  const path = input.transcript ?? (await latestLog(io))
  const tail = path === null ? null : await readTail(path, tailBytes)
  const facts = tail === null ? null : tailFacts(tail)
  const id = input.model ?? facts?.model ?? null
  const known = input.used ?? facts?.used ?? null
  // A log that says nothing of what the provider counted still has a size.
  const used = known ?? (tail === null || tail.bytes === 0 ? null : Math.round(tail.bytes / charactersPerToken))
  const trimmable = tail === null ? null : await trimmableTokens(tail, io.now()).catch(() => null)
  const left = facts?.hotUntil == null ? null : Math.round((facts.hotUntil - io.now()) / 1000)
  return {
    model: input.modelName ?? id,
    used,
    usable: used === null ? null : usableWindow(id, input.window),
    source: used === null ? null : known === null ? 'estimated' : 'measured',
    cache: left === null ? null : left > 0 ? 'hot' : 'cold',
    cacheSecondsLeft: left === null ? null : Math.max(0, left),
    dollars: input.dollars ?? facts?.dollars ?? null,
    trimmable: trimmable === null || trimmable < leastTrimmed ? null : trimmable,
  }
}

/** A rough share, which is said to be one. */
const charactersPerToken = 4
/** Less is not worth a word. */
const leastTrimmed = 500
/** What the hook says is a few kilobytes. */
const mostInput = 1_000_000

async function hookInput({ stdin, isInputTerminal }: CommandIo): Promise<HookInput> {
  // Nobody types it by hand.
  if (isInputTerminal === true) return noInput
  // A character may come in two pieces.
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > mostInput) return noInput
  }
  return readHookInput(text + decoder.decode())
}

/** The window without what is kept free for the answer. */
function usableWindow(model: string | null, given: number | null): number | null {
  const facts = model === null ? null : modelFacts(model)
  const window = given ?? facts?.window ?? null
  if (window === null) return null
  const config = facts === null ? defaultConfig : withModelWindow(defaultConfig, { ...facts, window })
  return window - outputReserve({ ...config, context_window: window })
}

function lineOf(status: Status, io: CommandIo, paint: Paint): string {
  const strings = stringsFor(environmentLocale(io.environment)).statusline
  const { model, used, usable, source, cache, cacheSecondsLeft, dollars, trimmable } = status
  const pieces: string[] = []
  if (model !== null) pieces.push(paint('bold', cleanText(model).slice(0, 40)))
  if (used !== null && usable !== null && usable > 0) {
    const share = used / usable
    const text = strings[source ?? 'estimated'](shortNumber(used), shortNumber(usable), `${Math.round(share * 100)} %`)
    pieces.push(share > 0.9 ? paint('error', text) : share > 0.7 ? paint('warning', text) : text)
  } else if (used !== null) pieces.push(strings.usedOnly(shortNumber(used)))
  if (cache === 'hot' && cacheSecondsLeft !== null) {
    const left = cacheSecondsLeft < 60 ? strings.seconds(cacheSecondsLeft) : strings.minutes(Math.floor(cacheSecondsLeft / 60))
    pieces.push(strings.cacheHot(left))
  }
  if (cache === 'cold') pieces.push(paint('dim', strings.cacheCold))
  if (dollars !== null) pieces.push(strings.cost(moneyText(dollars)))
  if (trimmable !== null) pieces.push(strings.trimmable(shortNumber(trimmable)))
  return pieces.join(' · ')
}
