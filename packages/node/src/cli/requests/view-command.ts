import { type Codec, codecs, detectCodec, type Facts, toolResults } from '@plimsoll/core'
import { describeOverflow } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { patchValue, ReadError, type RequestView, viewRequest } from '@plimsoll/core/wire'
import { requestList } from '../../files/held-request.ts'
import { createLogger } from '../../files/logger.ts'
import { secondsTime } from '../../files/time-and-size.ts'
import { skippedSentences } from '../../logs/log-reader.ts'
import { createO200kTokenizer } from '../../model/tokens.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { readSettings, type Settings } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { createScreen, paintFor } from '../terminal/screen.ts'
import { jsonLine } from '../terminal/write-out.ts'
import { type ChosenConversation, findConversation, findExample } from './find-conversation.ts'
import { codecOf, nowOf, numberOf, rootOf, type ViewOptions, type WindowInForce, windowFor } from './view-options.ts'
import { viewScreen } from './view-screen.ts'
import { categorise } from './window-section.ts'

/** Shows what would be sent for a conversation, as if it had never been sent before, and why. */
export async function viewCommand(file: string | undefined, options: ViewOptions, io: CommandIo): Promise<void> {
  const read = readSettings(options, io)
  const { strings } = read
  const example = file === undefined ? await findExample() : null
  const now = nowOf(options, strings) ?? example?.now ?? io.now()
  const chosen = codecOf(options, strings)
  const conversation = await findConversation(file ?? example?.file ?? '', numberOf(options, strings), io, strings)
  const model = options.model ?? conversation.log?.session.model ?? modelIn(conversation.request)
  const { config, window } = windowFor(read, model)
  const settings = { ...read, config }
  const facts: Facts = {
    now,
    root: rootOf(options, example?.root ?? conversation.log?.session.root, io),
    platform: io.platform,
    config,
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
  const answer = options.json === true ? jsonAnswer(conversation, viewed, window, strings) : [account()]
  const paint = paintFor(io.stderr, options, io)
  for (const notice of notices) io.stderr.write(`${paint('dim', notice)}\n`)
  const log = createLogger({
    level: settings.logLevel,
    write: io.stderr.write,
    ...(io.stderr.isTerminal ? { format: ({ message }) => paint('dim', `· ${cleanText(message)}`) } : {}),
  })
  for (const message of settings.warnings) log({ level: 'warn', event: 'configuration_warning', message })
  for (const record of viewed.log()) log(record)
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
    throw new CommandError(strings.trouble.notReadable(place, codec.name, cleanText(error.message)), 1)
  }
}

function jsonAnswer(
  { request, name }: ChosenConversation,
  { patches, report }: RequestView,
  window: WindowInForce,
  strings: Strings,
) {
  const patched = patchValue(request, patches)
  return jsonLine({ messages: requestList(patched), report, window }, name, strings)
}

function modelIn(request: unknown): string | null {
  const model = isRecord(request) ? request['model'] : null
  return typeof model === 'string' && model !== '' ? model : null
}
