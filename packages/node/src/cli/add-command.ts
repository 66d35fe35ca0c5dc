import type { Command } from 'commander'
import type { Strings } from '../strings/strings-for.ts'

/**
 * Adds a command with what all of them have: a description, examples, and help in the user's language. What a command works with is
 * loaded when it is called: what talks to providers takes longer to load than most commands take to run.
 */
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

/** Gathers the values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
