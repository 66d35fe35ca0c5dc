import { isAbsolute } from 'node:path'
import { type Codec, codecs, type Facts, toolResults } from '@plimsoll/core'
import { roundsOf } from '@plimsoll/core/compaction'
import { type Config, describeOverflow } from '@plimsoll/core/policies'
import { countMessage, estimator } from '@plimsoll/core/text'
import { type DialectName, writeRequest } from '@plimsoll/core/wire'
import { foldedTodos } from '../../agent/compaction/compaction-history.ts'
import { planSession } from '../../agent/compaction/plan-session.ts'
import { ledgerInForce } from '../../agent/request/keep-alive.ts'
import { type NextRequest, nextRequest } from '../../agent/request/next-request.ts'
import { createRulesReader, type RulesReading } from '../../files/rules-files.ts'
import { secondsTime } from '../../files/time-and-size.ts'
import { rulesText } from '../../layers/assemble-layers.ts'
import { termsByName } from '../../model/model-knowledge.ts'
import { createO200kTokenizer } from '../../model/tokens.ts'
import type { ReadOnlySession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-io.ts'
import { withLongSession, withStored } from '../sessions/session-choice.ts'
import { type SessionContext, sayNotices } from '../settings.ts'
import { createScreen, type Screen } from '../terminal/screen.ts'
import { change, cleanText, grouped, percent, wrapText } from '../terminal/text.ts'
import { jsonLine } from '../terminal/write-out.ts'
import { policyTable } from './edit-lines.ts'
import { codecOf, nowOf, rootOf, type ViewOptions, windowFor, windowSource } from './view-options.ts'

export type NextOptions = Omit<ViewOptions, 'conversation' | 'all'>

/** Shows the next request of a stored session. Sends nothing and writes nothing. */
export async function nextCommand(word: string, options: NextOptions, context: SessionContext): Promise<void> {
  const { strings, io } = context
  const now = nowOf(options, strings) ?? io.now()
  const codec = codecOf(options, strings) ?? codecs['openai-chat']
  await withStored(word, context, async (session) => {
    const built = await withLongSession(session.id, context, () => buildRequest(session, now, options, context))
    refuseOverflow(built.request, strings)
    const answer =
      options.json === true
        ? jsonLine(requestAnswer(built, codec), session.id, strings)
        : [nextScreen(accountOf(session, built), strings, createScreen(strings.view, options, io))]
    sayNotices(io, noticesOf(session, built, options, context), options)
    for (const piece of answer) io.stdout.write(piece)
  })
}

type Built = Awaited<ReturnType<typeof buildRequest>>

async function buildRequest(session: ReadOnlySession, now: number, options: NextOptions, { io, settings }: SessionContext) {
  const stored = session.state()
  const state = { ...stored, ledger: ledgerInForce(session, stored) }
  const model = options.model ?? state.model
  const { config, window } = windowFor(settings, model)
  const root = rootOf(options, state.header.root, io)
  const facts: Facts = {
    now,
    root,
    platform: io.platform,
    config,
    ...(model === null ? {} : { cache: termsByName(model, config, secondsTime(now).slice(0, 10)) }),
    ...(options.exact === true ? { tokens: await createO200kTokenizer() } : {}),
  }
  // A log may come from anywhere, and so may its folder: a log must not make another machine be asked for rules.
  const rules: RulesReading =
    isAbsolute(root) && !/^(?:\\\\|\/\/)/.test(root)
      ? await createRulesReader({ root, names: config.rules_files }).read()
      : { files: [], troubles: [] }
  const todos = foldedTodos(session, state, facts)
  const { policies } = settings
  const request = nextRequest({ state, config, policies, facts, model, rules: rulesText(rules.files), todos })
  return { request, config, window, rules, facts }
}

function refuseOverflow({ report }: NextRequest, { language }: Strings): void {
  if (report.overflow === null) return
  const { sentences, parts } = describeOverflow(report.overflow, language)
  throw new CommandError([sentences.join(' '), ...parts.map((part) => `  ! ${cleanText(part)}`)].join('\n'), 1)
}

function requestAnswer({ request, window }: Built, { name }: Codec) {
  const { model, reserve: maxTokens } = window
  const written = writeRequest(name as DialectName, request.messages, { model: model ?? '', maxTokens })
  const { model: _unknown, ...rest } = written
  return { request: model === null ? rest : written, report: request.report, window }
}

function accountOf(session: ReadOnlySession, { request, config, window, rules, facts }: Built) {
  const state = session.state()
  const tokens = facts.tokens ?? estimator
  return {
    session: session.id,
    messages: state.messages.length,
    toolResults: toolResults(state.messages, facts).length,
    window,
    exactTokenizer: facts.tokens?.name ?? null,
    now: secondsTime(facts.now ?? 0),
    config,
    policies: request.policies,
    report: request.report,
    summaries: state.folds.map(({ why, into }) => ({ why, tokens: into === null ? 0 : countMessage(into, tokens) })),
    rules: rules.files.map(({ name, text, cutFrom }) => ({ name, tokens: tokens.count(text), cutFrom: cutFrom ?? null })),
    hasRecap: request.layers['recap'] !== undefined,
    compaction: request.compactionDue ? adviceFor(session, config) : laterAdvice,
  }
}

function adviceFor(session: ReadOnlySession, config: Config): CompactionAdvice {
  if (planSession(session, { config }) !== null) return { kind: 'now' }
  const rounds = roundsOf(session.state().messages).length
  const keep = Math.max(1, Math.floor(Math.min(rounds, config.compaction.keep_rounds) / 2))
  return planSession(session, { config, keepRounds: keep, force: true }) === null
    ? { kind: 'in-vain' }
    : { kind: 'keep-fewer', keep }
}

function noticesOf(
  session: ReadOnlySession,
  { window, rules }: Built,
  { json }: NextOptions,
  { settings, strings }: SessionContext,
): readonly string[] {
  const { requestCommands } = strings
  const troubles = session.troubles().length
  return [
    ...(troubles === 0 ? [] : [requestCommands.troubles(troubles, `plimsoll show ${session.id}`)]),
    ...rules.troubles.map(({ name, problem: { kind } }) => {
      const { rulesReasons: reasons } = requestCommands
      const reason = Object.hasOwn(reasons, kind) ? reasons[kind as keyof typeof reasons] : reasons.unreadable
      return requestCommands.rulesNotUsed(cleanText(name), reason)
    }),
    ...(json === true && window.model === null ? [requestCommands.noModel] : []),
    ...settings.warnings.map(cleanText),
  ]
}

type NextAccount = ReturnType<typeof accountOf>

/** `in-vain` if no setting would help. */
type CompactionAdvice = { readonly kind: 'later' | 'now' | 'in-vain' } | { readonly kind: 'keep-fewer'; readonly keep: number }

const laterAdvice: CompactionAdvice = { kind: 'later' }

function nextScreen(account: NextAccount, strings: Strings, screen: Screen): string {
  const { paint, columns } = screen
  const { view, requestCommands } = strings
  const { report, config, window } = account
  const { load, tokensBefore, tokensAfter } = report
  const usable = window.tokens - window.reserve
  const title = [
    view.messages(account.messages),
    ...(window.model === null ? [] : [cleanText(window.model)]),
    view.asOf(account.now),
  ].join(' · ')
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const dim = (text: string) => sentences(text).map((line) => paint('dim', line))
  const lines = [
    ...wrapText(requestCommands.nextRequest(account.session), columns).map((line) => paint('bold', line)),
    ...dim(title),
    ...dim(account.exactTokenizer === null ? view.estimated : view.exact(account.exactTokenizer)),
    ...dim(view.windowWithSource(grouped(window.tokens), grouped(window.reserve), windowSource(window, view))),
    '',
    ...sentences(view.load(grouped(load.tokens), grouped(load.low), grouped(load.high), percent(load.tokens / usable))),
    '',
    ...policyTable(account.policies, report, account.toolResults, config, screen),
    '',
    ...summaryLines(account, requestCommands, screen),
    ...ruleLines(account, requestCommands).flatMap(sentences),
    ...(account.hasRecap ? sentences(requestCommands.recap) : []),
    '',
    ...sentences(compactionText(account, requestCommands)).map((line) =>
      account.compaction.kind === 'later' ? line : paint('warning', line),
    ),
    ...commandsFor(account).map((command) => `   ${command}`),
    ...(report.problems.length === 0 ? [] : sentences(view.problems(report.problems.length)).map((line) => paint('error', line))),
    ...(account.messages === 0 ? sentences(requestCommands.nothingSaid) : []),
    ...dim(requestCommands.notSent),
    `   plimsoll resume ${account.session}`,
    paint('bold', view.closing(grouped(tokensBefore), grouped(tokensAfter), change(tokensBefore, tokensAfter))),
  ]
  return `${lines.join('\n')}\n`
}

function summaryLines({ summaries }: NextAccount, strings: Strings['requestCommands'], { columns, paint }: Screen) {
  if (summaries.length === 0) return []
  return [
    paint('bold', strings.summaries(summaries.length)),
    ...summaries.flatMap(({ why, tokens }) =>
      wrapText(strings.summary(cleanText(why), grouped(tokens)), columns - 2).map((line) => `  ${line}`),
    ),
    '',
  ]
}

function ruleLines({ rules, config }: NextAccount, strings: Strings['requestCommands']): readonly string[] {
  if (rules.length === 0) return [strings.noRules(cleanText(config.rules_files.join(', ')))]
  return rules.flatMap(({ name, tokens, cutFrom }) => [
    strings.rules(cleanText(name), grouped(tokens)),
    ...(cutFrom === null ? [] : [strings.rulesCut(cleanText(name), grouped(cutFrom))]),
  ])
}

function compactionText({ compaction: { kind }, config }: NextAccount, strings: Strings['requestCommands']): string {
  const { threshold, keep_rounds } = config.compaction
  if (kind === 'later') return strings.compactionNotDue(grouped(threshold * config.context_window))
  if (kind === 'now') return strings.compactionDue
  return kind === 'keep-fewer' ? strings.compactionKeepsAll(keep_rounds) : strings.compactionInVain
}

/** Commands to be copied, which are never broken. */
function commandsFor({ compaction, session }: NextAccount): readonly string[] {
  const command = `plimsoll compact ${session}`
  if (compaction.kind === 'now') return [`${command} --preview`, command]
  return compaction.kind === 'keep-fewer' ? [`${command} --keep ${compaction.keep}`] : []
}
