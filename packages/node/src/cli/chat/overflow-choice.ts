import { isRecord } from '@plimsoll/core/text'
import type { Agent, TurnOutcome } from '../../agent/agent.ts'
import { compactHarder, startHandOver } from '../../agent/compaction/hand-over.ts'
import type { AgentError } from '../../shared/event.ts'
import { agentErrorText } from '../../shared/strings/strings-for.ts'
import { writing } from '../settings.ts'
import { cleanLine } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format.ts'
import type { ChoicesDialog, Desk } from './chat-state.ts'

/** Asks what to do about a conversation that is too long, and does it. Gives how the turn went on, null where it did not. */
export async function answerOverflow(error: AgentError, desk: Desk): Promise<TurnOutcome | null> {
  const dialog = overflowDialog(error, desk)
  if (!desk.isAttended) {
    desk.print(dialog.lines.slice(1))
    return null
  }
  const picked = await desk.pick(dialog)
  if (picked === 0) return compressAndRetry(desk)
  if (picked === 1) return goOnElsewhere(desk)
  if (picked === 2) desk.fill('/model ')
  return null
}

function overflowDialog(error: AgentError, { strings, host }: Desk): ChoicesDialog {
  const { overflow } = strings.chat
  // What can be done is what the answers say.
  const { message } = agentErrorText(error, host.context.settings.config.locale)
  return {
    kind: 'choices',
    lines: [
      cleanLine(message.slice(0, 500)),
      ...sizesIn(error, overflow.sizes),
      ...partsIn(error).map(({ what, tokens }, index) => `  ${index + 1}. ${overflow.part(what, grouped(tokens))}`),
    ],
    choices: [
      { key: 'c', label: overflow.compress },
      { key: 'n', label: overflow.newSession },
      { key: 'm', label: overflow.otherModel },
      { key: 'd', label: overflow.dismiss },
    ],
    dismiss: 3,
  }
}

function sizesIn({ details }: AgentError, sizes: (requested: string, most: string) => string): readonly string[] {
  const { requested, max } = details
  return typeof requested === 'number' && typeof max === 'number' ? [sizes(grouped(requested), grouped(max))] : []
}

function partsIn({ details }: AgentError): readonly { readonly what: string; readonly tokens: number }[] {
  const biggest: readonly unknown[] = Array.isArray(details['biggest']) ? details['biggest'] : []
  return biggest.slice(0, 3).flatMap((part) => {
    if (!isRecord(part) || typeof part['what'] !== 'string' || typeof part['tokens'] !== 'number') return []
    return [{ what: cleanLine(part['what'].slice(0, 200)), tokens: part['tokens'] }]
  })
}

async function compressAndRetry(desk: Desk): Promise<TurnOutcome | null> {
  return workOn(desk, (agent, signal) => compactHarder(agent, desk.host.context.settings.config, signal))
}

/** Goes on in a new session that begins with what is needed of the old one, and has what was said last answered there. */
async function goOnElsewhere(desk: Desk): Promise<TurnOutcome | null> {
  const { context } = desk.host
  const old = desk.agent().session
  const next = await startHandOver(context.sessions, old, writing(context))
  const { id } = next
  await next.close()
  await desk.enter(id)
  desk.say(desk.strings.chat.handedOver(old.id))
  return workOn(desk, async () => undefined)
}

async function workOn(desk: Desk, prepare: (agent: Agent, signal: AbortSignal) => Promise<void>): Promise<TurnOutcome | null> {
  let outcome: TurnOutcome | null = null
  await desk.work(async (signal) => {
    const agent = desk.agent()
    await prepare(agent, signal)
    if (!signal.aborted) outcome = await agent.resume(signal)
  })
  return outcome
}
