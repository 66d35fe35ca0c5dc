import { type Codec, codecs, detectCodec, type Facts, type Report, toolResults } from '@plimsoll/core'
import { type Config, describeOverflow } from '@plimsoll/core/policies'
import { isRecord, modelStringsIn } from '@plimsoll/core/text'
import { patchValue, ReadError, type RequestView, viewRequest } from '@plimsoll/core/wire'
import { requestList } from '../../files/parse-conversations.ts'
import { secondsTime } from '../../files/time-and-size.ts'
import { skippedSentences } from '../../logs/log-reader.ts'
import { createO200kTokenizer } from '../../model/tokens.ts'
import { modelLanguage, type Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { openLog } from '../open-log.ts'
import { readSettings, type Settings, sayNotices } from '../settings.ts'
import { createScreen, type Screen } from '../terminal/screen.ts'
import { change, cleanText, grouped, percent, wrapText } from '../terminal/text.ts'
import { jsonLine } from '../terminal/write-out.ts'
import { editLines, policyTable } from './edit-lines.ts'
import { type ChosenConversation, findConversation, findExample } from './find-conversation.ts'
import { codecOf, nowOf, numberOf, rootOf, type ViewOptions, type WindowInForce, windowFor } from './view-options.ts'
import { type Category, categorise, windowSection } from './window-section.ts'

/** Shows what would be sent for a conversation, as if it had never been sent before, and why. */
export async function viewCommand(file: string | undefined, options: ViewOptions, io: CommandIo): Promise<void> {
  const read = await readSettings(options, io)
  const { strings } = read
  const example = file === undefined ? await findExample() : null
  const now = nowOf(options, strings) ?? example?.now ?? io.now()
  const chosen = codecOf(options, strings)
  const conversation = await findConversation(file ?? example?.file ?? '', numberOf(options, strings), io, strings)
  const { request } = conversation
  const named = isRecord(request) && typeof request['model'] === 'string' && request['model'] !== '' ? request['model'] : null
  const model = options.model ?? conversation.log?.session.model ?? named
  const { config, window } = windowFor(read, model)
  const settings = { ...read, config }
  const facts: Facts = {
    now,
    root: rootOf(options, example?.root ?? conversation.log?.session.root, io),
    platform: io.platform,
    config,
    strings: modelStringsIn(modelLanguage(config)),
    ...(options.exact === true ? { tokens: await createO200kTokenizer() } : {}),
  }
  const codec = conversation.log?.codec ?? chosen ?? detectCodec(conversation.request) ?? codecs['openai-chat']
  const viewed = viewOf(codec, conversation, settings, facts)
  const notices = [
    ...(conversation.count > 1 ? [strings.view.conversations(conversation.count, conversation.number)] : []),
    ...logNotices(conversation, strings.view),
  ]
  if (example !== null && options.json === true) notices.push(strings.view.example)
  const { reading, built, report } = viewed
  const account = () =>
    viewScreen(
      {
        file: example === null ? conversation.name : strings.view.exampleName,
        isExample: example !== null,
        dialect: codec.name,
        messages: conversation.messages.length,
        toolResults: toolResults(reading.messages, facts).length,
        timed: reading.messages.some((message) => message.at !== undefined),
        window,
        exactTokenizer: facts.tokens?.name ?? null,
        now: secondsTime(now),
        config,
        policies: settings.policies.map(({ name }) => name),
        report,
        categories: categorise(reading.messages, built.view, facts, strings.view),
        overflow: report.overflow === null ? null : describeOverflow(report.overflow, strings.language),
        all: options.all === true,
      },
      createScreen(strings.view, options, io),
    )
  const messages = () => requestList(patchValue(conversation.request, viewed.patches))
  const answer =
    options.json === true
      ? jsonLine({ messages: messages(), report, window, strings: config.strings }, conversation.name, strings)
      : [account()]
  const { logLevel, warnings } = settings
  sayNotices(io, [...notices, ...(logLevel === null ? warnings.map(cleanText) : [])], options)
  const log = openLog(settings, io, options)
  if (log !== null) {
    for (const message of warnings) log({ level: 'warn', event: 'configuration_warning', message })
    for (const record of viewed.log()) log(record)
  }
  for (const piece of answer) io.stdout.write(piece)
}

function logNotices({ log }: ChosenConversation, strings: Strings['view']): readonly string[] {
  if (log === undefined) return []
  const { abandoned, sidechains } = log.session
  return [
    ...skippedSentences(log.skipped, strings),
    ...(abandoned + sidechains > 0 ? [strings.leftOut(abandoned, sidechains)] : []),
  ]
}

function viewOf(
  codec: Codec,
  { request, name, count, number }: ChosenConversation,
  { policies, strings }: Settings,
  facts: Facts,
): RequestView {
  try {
    return viewRequest(codec, request, policies, facts)
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    const place = count > 1 ? `${name} (${number})` : name
    throw new CommandError(strings.problem.notReadable(place, codec.name, cleanText(error.message)), 1)
  }
}

interface ViewAccount {
  readonly file: string
  readonly isExample: boolean
  readonly dialect: string
  readonly messages: number
  readonly toolResults: number
  /** Whether any message has a time. */
  readonly timed: boolean
  readonly window: WindowInForce
  /** Null if tokens are estimated. */
  readonly exactTokenizer: string | null
  readonly now: string
  readonly config: Config
  readonly policies: readonly string[]
  readonly report: Report
  readonly categories: readonly Category[]
  /** Null if the view fits. */
  readonly overflow: ReturnType<typeof describeOverflow> | null
  readonly all: boolean
}

function viewScreen(account: ViewAccount, screen: Screen): string {
  const { strings, paint, columns } = screen
  const { report, config, window } = account
  const { tokensBefore, tokensAfter, edits, problems, load } = report
  const usable = window.tokens - window.reserve
  const title = [
    account.dialect,
    strings.messages(account.messages),
    ...(window.model === null ? [] : [cleanText(window.model)]),
    strings.asOf(account.now),
  ].join(' · ')
  const sentences = (text: string) => wrapText(text, columns - 2).map((line) => ` ${line}`)
  const lines = [
    ...wrapText(`Plimsoll ${cleanText(account.file)}`, columns).map((line) => paint('bold', line)),
    ...(account.isExample ? [...sentences(strings.example), ...sentences(strings.exampleHint)] : []),
    ...sentences(title).map((line) => paint('dim', line)),
    ...sentences(account.exactTokenizer === null ? strings.estimated : strings.exact(account.exactTokenizer)).map((line) =>
      paint('dim', line),
    ),
    ...sentences(strings.language(strings.languages[modelLanguage(config)])).map((line) => paint('dim', line)),
    ...windowSection(account.categories, window, screen),
    '',
    ...sentences(strings.load(grouped(load.tokens), grouped(load.low), grouped(load.high), percent(load.tokens / usable))),
    '',
  ]
  if (edits.length > 0) lines.push(...editLines(edits, account.all, screen), '')
  lines.push(...policyTable(account.policies, report, account.toolResults, config, screen))
  if (!account.timed && account.policies.includes('trim-outdated-commands')) lines.push(paint('dim', `  ${strings.noTimes}`))
  lines.push('')
  if (problems.length > 0) {
    lines.push(paint('error', strings.problems(problems.length)))
    for (const { rule, message } of problems.slice(0, account.all ? problems.length : 10))
      lines.push(`  ! ${strings.problem(rule, cleanText(message))}`)
    lines.push('')
  }
  if (account.overflow !== null) {
    for (const sentence of account.overflow.sentences)
      for (const line of wrapText(sentence, columns)) lines.push(paint('error', line))
    for (const part of account.overflow.parts)
      for (const line of wrapText(cleanText(part), columns - 4)) lines.push(`  ! ${line}`)
    lines.push('')
  }
  const canGo = problems.length === 0 && account.overflow === null && load.tokens <= usable
  if (edits.length === 0) lines.push(canGo ? paint('good', strings.nothingToTrim) : strings.nothingTrimmed)
  const closing = strings.closing(grouped(tokensBefore), grouped(tokensAfter), change(tokensBefore, tokensAfter))
  lines.push(paint('bold', edits.length === 0 ? closing : `${strings.edits(edits.length)} · ${closing}`))
  return `${lines.join('\n')}\n`
}
