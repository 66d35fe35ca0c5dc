import { existsSync } from 'node:fs'
import { recall } from '@plimsoll/core'
import type { MissingReason, RecallAnswer, RecallRequest } from '@plimsoll/core/session'
import { damagedText, handleIn, severalTexts, storedOriginals, storedSource } from '../../mcp/recall-server.ts'
import { listSessions } from '../../session/list-sessions.ts'
import { readSession } from '../../session/open-session.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import { SessionError } from '../../session/session-error.ts'
import { type GatewayStore, isSharedStore, StoreError } from '../../store/gateway-store.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { storeLocation } from '../../store/store-location.ts'
import { tenantsOf } from '../../store/tenants.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, closing } from '../command-io.ts'
import { chooseSession } from '../sessions/session-choice.ts'
import { type SessionContext, type SessionOptions, sayNotices, sessionContext } from '../settings.ts'
import { cleanText, grouped, quotedText, writeText } from '../terminal/text.ts'
import { writeJson } from '../terminal/write-out.ts'
import { countOf } from './view-options.ts'

interface RecallCommandOptions extends SessionOptions {
  readonly session?: string
  readonly id?: string
  readonly tool?: string
  readonly about?: string
  readonly query?: string
  readonly lines?: string
  readonly characters?: string
  readonly pattern?: string
  readonly budget?: string
  readonly escape?: boolean
}

type Missing = Extract<RecallAnswer, { kind: 'missing' }>
type Found = Exclude<RecallAnswer, Missing>

/** `session` is a session, or a conversation of a gateway. */
type FoundAnswer = { readonly session: string; readonly answer: Found }

/** Prints omitted text, from one session or from the first one that has it. */
export async function recallCommand(handle: string | undefined, options: RecallCommandOptions, io: CommandIo): Promise<void> {
  const context = await sessionContext(options, io)
  const request = recallRequest(handle, options, context.strings.sessionCommands)
  const { session, answer } = await findAnswer(request, options, context)
  if (options.json === true) return writeJson({ session, answer }, session, context.strings, io.stdout)
  sayNotices(io, noticesOn(answer, session, request, context), options)
  const isEscaped = io.stdout.isTerminal || options.escape === true
  writeText(answer.text, io.stdout, isEscaped)
  // A search result is not an original, so its last line may be ended.
  if (answer.kind === 'spans' && !isEscaped && !answer.text.endsWith('\n')) io.stdout.write('\n')
}

async function findAnswer(request: RecallRequest, options: RecallCommandOptions, context: SessionContext): Promise<FoundAnswer> {
  const { sessions, strings } = context
  const { betweenSentences } = context.strings.command
  const named = options.session
  const rows = named === undefined ? (await listSessions(sessions)).rows : []
  const ids = named === undefined ? rows.map(({ id }) => id) : [await chooseSession(sessions, named, strings.sessionCommands)]
  if (ids.length === 0) {
    const kept = await answerFromGateway(request, context)
    if (kept !== null && 'answer' in kept) return kept
    if (kept !== null) throw missingError(kept, strings)
    const { noSessions, howToImport } = strings.sessionCommands
    throw new CommandError(`${noSessions(sessions)}${betweenSentences}${howToImport}`, 1)
  }
  let why: Missing | null = null
  for (const id of ids) {
    const answer = await answerOf(id, request, context, named === undefined)
    if (answer === null) continue
    if (answer.kind !== 'missing') return { session: id, answer }
    // Each session knows similar handles; those of the latest one are likely meant.
    why ??= answer
    if (!isElsewhere(answer.reason, request)) {
      why = answer
      break
    }
  }
  const isElse = named === undefined && (why === null || isElsewhere(why.reason, request))
  const kept = isElse ? await answerFromGateway(request, context) : null
  if (kept !== null && 'answer' in kept) return kept
  if (kept !== null && (why === null || !isElsewhere(kept.reason, request))) throw missingError(kept, strings)
  if (why === null) throw new CommandError(strings.sessionCommands.noSessions(sessions), 1)
  const isNowhere = ids.length > 1 && isElsewhere(why.reason, request)
  throw missingError(why, strings, isNowhere ? `${strings.sessionCommands.nowhere(ids.length)}${betweenSentences}` : '')
}

function missingError({ reason, text }: Missing, { sessionCommands }: Strings, before = ''): CommandError {
  return new CommandError(`${before}${sessionCommands.missing(reason, cleanText(text))}`, misspelt.has(reason) ? 2 : 1)
}

/** Null for a session that disappears, or cannot be read, during a search of all. */
async function answerOf(id: string, request: RecallRequest, { sessions, settings }: SessionContext, isOneOfMany: boolean) {
  try {
    return await closing(await readSession(sessions, id), (session) =>
      recall(request, recallSourceOf(session), { facts: { config: settings.config } }),
    )
  } catch (error) {
    if (error instanceof SessionError && isOneOfMany) return null
    throw error
  }
}

function isElsewhere(reason: MissingReason, { query }: RecallRequest): boolean {
  return ['unknown-handle', 'unknown-id', 'no-call'].includes(reason) || (reason === 'no-match' && query !== undefined)
}

const misspelt = new Set<MissingReason>(['bad-request', 'bad-handle', 'bad-pattern'])

function noticesOn(answer: Found, session: string, request: RecallRequest, { io, strings }: SessionContext): readonly string[] {
  if (answer.kind === 'spans') return io.stdout.isTerminal ? [strings.sessionCommands.session(session)] : []
  const { original, shown, lines, others, otherCount, trouble } = answer
  const media = [...new Set(original.media)].join(', ')
  const what = [cleanText(original.tool ?? ''), cleanText(original.about), `(${original.handle})`]
    .filter((text) => text !== '')
    .join(' ')
  const narrowed = (['lines', 'characters', 'pattern', 'budget'] as const).some((name) => request[name] !== undefined)
  // Two pieces of one long line are one line.
  const ranges = [...new Set(shown.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)))]
  return [
    ...(io.stdout.isTerminal ? [strings.sessionCommands.foundIn(session, cleanText(original.message), what)] : []),
    ...(narrowed && shown.length > 0
      ? [strings.sessionCommands.shownLines(`${ranges.slice(0, 6).join(', ')}${ranges.length > 6 ? ', …' : ''}`, grouped(lines))]
      : []),
    ...(otherCount > 0
      ? [strings.sessionCommands.otherOriginals(grouped(otherCount), others.slice(0, 5).map(({ handle }) => handle).join(', '))] // biome-ignore format: one idea
      : []),
    ...(media === '' ? [] : [strings.sessionCommands.mediaLeftOut(cleanText(media))]),
    ...(trouble === undefined ? [] : [strings.sessionCommands.extractLeft(cleanText(trouble))]),
  ]
}

function recallRequest(handle: string | undefined, options: RecallCommandOptions, strings: Strings['sessionCommands']) {
  const { id, tool, about, query, pattern } = options
  const ways = [handle, id, tool ?? about, query].filter((way) => way !== undefined).length
  if (query?.trim() === '') throw new CommandError(strings.nothingAsked, 2)
  if (ways !== 1) throw new CommandError(ways === 0 ? strings.nothingAsked : strings.askedTwice, 2)
  const lines = rangeOf(options.lines, strings.badLines)
  const characters = rangeOf(options.characters, strings.badCharacters)
  const budget = countOf(options.budget, strings.badBudget)
  const given = { handle, id, tool, about, query, pattern, lines, characters, budget }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as RecallRequest
}

function rangeOf(range: string | undefined, bad: (came: string) => string): readonly [number, number] | null {
  if (range === undefined) return null
  const found = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(range.trim())
  if (found === null) throw new CommandError(bad(quotedText(range)), 2)
  return [Number(found[1]), Number(found[2] ?? found[1])]
}

/** Searches the originals of a gateway. Null if no store answers. */
async function answerFromGateway(
  request: RecallRequest,
  { io, settings: { config } }: SessionContext,
): Promise<FoundAnswer | Missing | null> {
  const location = storeLocation(config.gateway.store, io.environment)
  // A search must not create a store.
  if (!isSharedStore(location) && !existsSync(location)) return null
  const handle = handleIn(request.handle)
  if (request.handle !== undefined && handle === null) return null
  let store: GatewayStore | null = null
  try {
    const opened = await openGatewayStore(location, { now: io.now, isReading: true })
    store = opened
    const tenants = () => tenantsOf(opened, isSharedStore(location), io.environment)
    const kept = await storedOriginals(handle, { store, tenants })
    const forged = handle === null ? null : severalTexts(handle, kept)
    if (forged !== null) return { kind: 'missing', reason: 'ambiguous-handle', text: forged }
    const answer = recall(request, storedSource(kept), { facts: { config } })
    if (answer.kind === 'missing') return answer
    const id = answer.kind === 'found' ? answer.original.message : null
    const conversation = kept.find(({ message }) => message.id === id)?.conversation
    return { session: conversation === undefined ? 'gateway' : `gateway:${conversation}`, answer }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return error.kind === 'damaged' ? { kind: 'missing', reason: 'lost-blob', text: damagedText } : null
  } finally {
    await store?.close()
  }
}
