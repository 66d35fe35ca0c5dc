import { knownPrices } from '@plimsoll/core/bill'
import { nearest } from '../../config/nearest.ts'
import type { ModelClient } from '../../model/model-client.ts'
import { permissionModes } from '../agent/agent-options.ts'
import { CommandError } from '../command-error.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped } from '../terminal/format-number.ts'
import { wrapText } from '../terminal/text-width.ts'
import type { Desk } from './desk.ts'

/** Shows the model that answers, or lets another one answer from now on. */
export async function changeModel(name: string, desk: Desk): Promise<void> {
  if (name !== '') {
    const model = await desk.host.model(name, ({ message, details }) => desk.say(`${message} (${details})`, 'warning'))
    desk.agent().useModel(model)
    await desk.look()
  }
  desk.print(modelLines(desk.agent().model(), desk))
}

function modelLines({ name, provider, facts, price }: ModelClient, { strings, screen }: Desk): readonly string[] {
  const { chat } = strings
  const { paint, columns } = screen()
  const known = (tokens: number | null) => (tokens === null ? null : grouped(tokens))
  return [
    paint('bold', `${cleanText(name)} (${cleanText(provider)})`),
    `  ${chat.modelFacts(known(facts.window), known(facts.outputLimit))}`,
    price === null
      ? `  ${chat.noPrice}`
      : `  ${chat.price(`$${price.input}`, `$${price.cacheRead}`, `$${price.output}`, knownPrices.date)}`,
    ...wrapText(chat.howToModel, columns - 2).map((line) => paint('dim', `  ${line}`)),
  ]
}

/** Shows what the agent may do without asking, or changes it. */
export function changeMode(name: string, desk: Desk): void {
  const { chat } = desk.strings
  const agent = desk.agent()
  if (name !== '') {
    const mode = permissionModes.find((known) => known === name)
    if (mode === undefined)
      throw new CommandError(chat.badMode(cleanText(name), permissionModes.join(', '), nearest(name, permissionModes)), 2)
    agent.setMode(mode)
  }
  const { paint } = desk.screen()
  desk.print(
    permissionModes.map((mode) =>
      mode === agent.mode() ? paint('bold', `❯ ${mode}: ${chat.modes[mode]}`) : `  ${mode}: ${chat.modes[mode]}`,
    ),
  )
}
