import type { Command } from 'commander'
import type { Strings } from '../strings/strings-for.ts'

/** Adds a command with what all of them have: a description, examples, and help in the user's language. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  { help, examples: title }: Strings['command'],
  examples: readonly string[],
): Command {
  return parent
    .command(name)
    .description(description)
    .helpOption('-h, --help', help)
    .allowExcessArguments(false)
    .addHelpText('after', `\n${title}\n${examples.map((example) => `  ${example}`).join('\n')}`)
}
