import type { Command } from 'commander'
import type { Strings } from '../strings/strings-for.ts'

type Groups = Strings['command']['helpGroups']

/** Puts the commands of the help under headings, in the order of a first acquaintance. */
export function groupCommands(program: Command, headings: Groups): void {
  for (const command of program.commands) command.helpGroup(headings[groupOf[command.name()] ?? 'mend'])
  const order = Object.keys(headings)
  const placeOf = (command: Command) => order.indexOf(groupOf[command.name()] ?? 'mend')
  // The library shows groups in the order in which their first commands were added.
  const commands = program.commands as Command[]
  commands.sort((one, other) => placeOf(one) - placeOf(other))
}

const groupOf: Readonly<Record<string, keyof Groups>> = {
  overview: 'look',
  view: 'look',
  inspect: 'look',
  replay: 'look',
  chat: 'agent',
  serve: 'agent',
  run: 'behind',
  gateway: 'behind',
  env: 'behind',
  mcp: 'behind',
  statusline: 'behind',
  sessions: 'sessions',
  import: 'sessions',
  show: 'sessions',
  recall: 'sessions',
  resume: 'sessions',
  compact: 'sessions',
  export: 'sessions',
  repair: 'mend',
  doctor: 'mend',
  config: 'mend',
  completion: 'mend',
  help: 'mend',
}
