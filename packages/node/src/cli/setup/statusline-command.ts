import { statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { usableWindow } from '@plimsoll/core/bill'
import { escapedPieces, isRecord } from '@plimsoll/core/text'
import { cacheFolder } from '../../config/home-folder.ts'
import { workerUrl } from '../../files/worker-url.ts'
import { spendingOf } from '../../logs/measure/spending.ts'
import { readSpending, withAnswers } from '../../logs/measure/spending-file.ts'
import type { Spending, SpentPeriod } from '../../shared/spending.ts'
import { isChinese } from '../../shared/strings/is-chinese.ts'
import { statusline as english } from '../../strings/english/setup.ts'
import { type CommandIo, environmentLocale, packageVersion } from '../command-io.ts'
import { type JsonOptions, type Paint, paintFor } from '../terminal/screen.ts'
import { cleanText, moneyText, shortNumber } from '../terminal/text.ts'
import { followLog } from './followed-log.ts'
import { currentFacts, type Fields, type LoggedAnswer, parseFields } from './log-facts.ts'
import { type QuickSettings, quickSettings } from './quick-settings.ts'

// Other programs call this all the time. What takes long to load is loaded only if it is needed: policies, readers of logs, the
// configuration's schema, the other language and the list of prices.

/** Null for everything unknown. */
interface Status {
  readonly model: string | null
  readonly used: number | null
  readonly usable: number | null
  readonly source: 'measured' | 'estimated' | null
  readonly cache: 'hot' | 'cold' | null
  readonly cacheSecondsLeft: number | null
  readonly dollars: number | null
  readonly trimmable: number | null
  /** Of all agents on this machine. */
  readonly spending: Omit<Spending, 'block'> | null
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
  spending: null,
}

/** Prints one line about the running session. Never fails: unknown facts are omitted. */
export async function statuslineCommand(options: JsonOptions, io: CommandIo): Promise<void> {
  const status = await statusOf(io).catch(() => unknown)
  if (options.json === true) return io.stdout.write([...escapedPieces(JSON.stringify(status)), '\n'].join(''))
  const strings = isChinese(environmentLocale(io.environment))
    ? (await import('../../strings/chinese/setup.ts')).statusline
    : english
  io.stdout.write(`${lineOf(status, strings, paintFor(io.stdout, options, io))}\n`)
}

async function statusOf(io: CommandIo): Promise<Status> {
  const { environment, folder, now } = io
  const input = await hookInput(io)
  const cache = cacheFolder(environment)
  const program = packageVersion()
  const { settings, stamp } = await quickSettings({ environment, folder, cache, program })
  const path = input.transcript ?? (await (await import('./latest-log.ts')).latestLog(io))
  const log =
    path === null
      ? null
      : await followLog({
          path,
          folder: cache,
          version: `plimsoll statusline 2 ${program} ${stamp}`,
          prices: settings.prices,
          now: now(),
          trimmableIn: async (lines) => (await import('./trimmable-tokens.ts')).trimmableTokens(lines, now()),
        })
  const facts = log === null ? null : currentFacts(log.facts)
  const id = input.model ?? facts?.model ?? null
  const known = input.used ?? facts?.used ?? null
  // A log without the provider's counts still has a size.
  const used = known ?? (log === null || log.bytes === 0 ? null : Math.round(log.bytes / charactersPerToken))
  const left = facts?.hotUntil == null ? null : Math.round((facts.hotUntil - now()) / 1000)
  return {
    model: input.modelName ?? id,
    used,
    usable: used === null ? null : usableWindow(id, input.window),
    source: used === null ? null : known === null ? 'estimated' : 'measured',
    cache: left === null ? null : left > 0 ? 'hot' : 'cold',
    cacheSecondsLeft: left === null ? null : Math.max(0, left),
    dollars: input.dollars ?? (log?.isWhole === true ? (facts?.dollars ?? null) : null),
    trimmable: log === null || log.trimmable === null || log.trimmable < minTrimmable ? null : log.trimmable,
    spending: cache === null ? null : currentSpending(cache, program, log?.facts.answers ?? [], settings, io),
  }
}

/** What was spent when the logs were measured last, and the answers of this session since. Has them measured again if that is long ago. */
function currentSpending(
  cache: string,
  program: string,
  answers: readonly LoggedAnswer[],
  { budget }: QuickSettings,
  { now, background }: CommandIo,
): Status['spending'] {
  const remembered = readSpending(cache, program)
  if (
    background !== undefined &&
    (remembered === null || Math.abs(now() - remembered.at) > refreshAfter) &&
    mayRefresh(cache, now())
  )
    background(workerUrl('./refresh-spending', import.meta.url))
  if (remembered === null) return null
  const recent = answers.flatMap((answer) => (answer.at === null ? [] : [{ ...answer, at: answer.at, isClaudeCode: true }]))
  const { block: _, ...spending } = spendingOf(withAnswers(remembered, recent), now(), budget)
  return spending
}

/** In milliseconds. Reading the logs of a working day takes a second or so. */
const refreshAfter = 600_000

/** Notes the time, so that of many status lines only one has the logs measured, even if that fails. */
function mayRefresh(cache: string, now: number): boolean {
  const file = join(cache, 'spending-asked')
  try {
    const asked = statSync(file, { throwIfNoEntry: false })
    if (asked !== undefined && Math.abs(now - asked.mtimeMs) < refreshAfter) return false
    if (asked === undefined) writeFileSync(file, '', { mode: 0o600 })
    else utimesSync(file, now / 1000, now / 1000)
    return true
  } catch {
    return false
  }
}

const charactersPerToken = 4
const minTrimmable = 500
const maxInputLength = 1_000_000

async function hookInput({ stdin, isInputTerminal }: CommandIo) {
  if (isInputTerminal === true) return readHookInput('')
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxInputLength) return readHookInput('')
  }
  return readHookInput(text + decoder.decode())
}

function lineOf(status: Status, strings: typeof english, paint: Paint): string {
  const { model, used, usable, source, cache, cacheSecondsLeft, dollars, trimmable, spending } = status
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
  if (spending !== null) pieces.push(...spendingPieces(spending, strings, paint))
  if (trimmable !== null) pieces.push(strings.trimmable(shortNumber(trimmable)))
  return pieces.join(' · ')
}

/** Today's spending and that of the last hour, and the budget that is closest to its end, or furthest beyond it. */
function spendingPieces(
  { today, week, month, lastHour }: NonNullable<Status['spending']>,
  strings: typeof english,
  paint: Paint,
) {
  const rate = lastHour > 0 ? moneyText(lastHour) : null
  const cost = `${today.unpriced > 0 ? '≥ ' : ''}${moneyText(today.dollars)}`
  const spent = today.requests === 0 ? [] : [strings.today(cost, rate)]
  const periods = { day: today, week, month }
  const [worst] = (Object.entries(periods) as [keyof typeof periods, SpentPeriod][])
    .filter(([, { state }]) => state === 'near' || state === 'over')
    .toSorted(([, one], [, other]) => (other.share ?? 0) - (one.share ?? 0))
  if (worst === undefined) return spent
  const [name, { state, dollars, budget }] = worst
  const text = strings.budget[name](moneyText(dollars), moneyText(budget ?? 0))
  return [...spent, state === 'over' ? paint('error', `${text} !!`) : paint('warning', `${text} !`)]
}

/** Reads Claude Code's input for its status line. Every field may be missing. */
function readHookInput(text: string) {
  const value = parseFields(text)
  const model = fields(value, 'model')
  const context = fields(value, 'context_window')
  const usage = fields(context, 'current_usage')
  const window = count(context['context_window_size'])
  const counted = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) => count(usage[key]))
  const share = context['used_percentage']
  const byShare = typeof share === 'number' && share > 0 && window !== null ? Math.round((share / 100) * window) : null
  const sum = counted.reduce<number>((total, tokens) => total + (tokens ?? 0), 0)
  return {
    model: wordsOf(model['id']),
    modelName: wordsOf(model['display_name']) ?? wordsOf(model['id']),
    transcript: wordsOf(value['transcript_path']),
    window,
    used: sum > 0 ? sum : byShare,
    dollars: count(fields(value, 'cost')['total_cost_usd']),
  }
}

function fields(value: Fields, key: string): Fields {
  const inner = value[key]
  return isRecord(inner) ? inner : {}
}

function wordsOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
