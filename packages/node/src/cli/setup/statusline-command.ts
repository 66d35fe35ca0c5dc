import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { usableWindow } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { homeFolder } from '../../config/home-folder.ts'
import { loadConfig } from '../../config/load-config.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import { sessionsFolder } from '../../session/session-folder.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { type CommandIo, environmentLocale } from '../command-io.ts'
import { type JsonOptions, type Paint, paintFor } from '../terminal/screen.ts'
import { cleanText, moneyText, shortNumber } from '../terminal/text.ts'
import { type Fields, type LogTail, parseFields, readTail, tailFacts } from './log-tail.ts'

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

/** Enough for the last requests of a long session, and fast to read. */
const tailBytes = 2_000_000

/** Prints one line about the running session. Never fails: unknown facts are omitted. */
export async function statuslineCommand(options: JsonOptions, io: CommandIo): Promise<void> {
  const status = await statusOf(io).catch(() => unknown)
  if (options.json === true) io.stdout.write(`${JSON.stringify(status)}\n`)
  else io.stdout.write(`${lineOf(status, io, paintFor(io.stdout, options, io))}\n`)
}

async function statusOf(io: CommandIo): Promise<Status> {
  const input = await hookInput(io)
  const path = input.transcript ?? (await latestLog(io))
  const tail = path === null ? null : await readTail(path, tailBytes)
  const facts = tail === null ? null : tailFacts(tail, input.dollars === null ? await ownPrices(io) : {})
  const id = input.model ?? facts?.model ?? null
  const known = input.used ?? facts?.used ?? null
  // A log without the provider's counts still has a size.
  const used = known ?? (tail === null || tail.bytes === 0 ? null : Math.round(tail.bytes / charactersPerToken))
  const trimmable = tail === null ? null : await trimmableIn(tail, io.now()).catch(() => null)
  const left = facts?.hotUntil == null ? null : Math.round((facts.hotUntil - io.now()) / 1000)
  return {
    model: input.modelName ?? id,
    used,
    usable: used === null ? null : usableWindow(id, input.window),
    source: used === null ? null : known === null ? 'estimated' : 'measured',
    cache: left === null ? null : left > 0 ? 'hot' : 'cold',
    cacheSecondsLeft: left === null ? null : Math.max(0, left),
    dollars: input.dollars ?? facts?.dollars ?? null,
    trimmable: trimmable === null || trimmable < minTrimmable ? null : trimmable,
  }
}

/** Loaded only for a log: the policies and the readers of logs take most of the time that a status line has. */
async function trimmableIn(tail: LogTail, now: number): Promise<number | null> {
  return (await import('./trimmable-tokens.ts')).trimmableTokens(tail, now)
}

/** Claude Code reports its own cost, so most calls need not read the configuration. */
async function ownPrices({ folder, environment }: CommandIo): Promise<OwnPrices> {
  const loaded = await loadConfig({ projectFolder: folder, environment }).catch(() => null)
  return loaded?.config.prices ?? {}
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

const maxAsked = 20

/** Finds the newest Claude Code or Plimsoll log of this folder. */
async function latestLog({ environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): Promise<string | null> {
  const home = homeFolder(environment)
  const claude = environment['CLAUDE_CONFIG_DIR'] ?? (home === null ? null : join(home, '.claude'))
  const project = claude === null ? null : join(claude, 'projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'))
  const names = project === null ? [] : (await readdir(project).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
  const theirs = (await Promise.all(names.map((name) => dated(join(project ?? '', name))))).flat()
  const ours = await ownLogs(sessionsFolder(environment, home), folder)
  const [latest] = [...theirs, ...ours].sort((one, other) => other.at - one.at)
  return latest?.path ?? null
}

type DatedFile = { readonly path: string; readonly at: number }

async function dated(path: string): Promise<readonly DatedFile[]> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true ? [{ path, at: found.mtimeMs }] : []
}

/** Ids begin with the time, so the last names are the latest sessions. */
async function ownLogs(sessions: string, folder: string): Promise<readonly DatedFile[]> {
  const names = (await readdir(sessions).catch(() => [])).toSorted((one, other) => (one < other ? -1 : 1)).slice(-maxAsked)
  const logs = (await Promise.all(names.map((name) => dated(join(sessions, name, 'log.jsonl'))))).flat()
  const own = await Promise.all(logs.map(async (log) => ((await rootOf(log.path)) === folder ? [log] : [])))
  return own.flat()
}

/** The folder of a session of ours is in its first line. */
async function rootOf(path: string): Promise<string | null> {
  const root = /"root":("(?:[^"\\]|\\.)*")/.exec(await startOf(path))?.[1]
  try {
    return root === undefined ? null : (JSON.parse(root) as string)
  } catch {
    return null
  }
}

async function startOf(path: string): Promise<string> {
  const handle = await open(path, 'r').catch(() => null)
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
  } finally {
    await handle.close()
  }
}
