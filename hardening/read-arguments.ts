import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The options and words of this command. `--help` prints the usage and ends it with 0; what the command does not know is told in
 * one sentence and ends it with 2.
 */
export function readArguments<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage.trim()}\n`)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!code.startsWith('ERR_PARSE_ARGS')) throw error
    return refuse(message.split(/\.\s|\n/)[0] ?? message)
  }
}

/** Ends the command with 2 and one sentence about what is wrong with the way it was called. */
export function refuse(what: string): never {
  process.stderr.write(`${what.replace(/\.$/, '')}; --help says how this is called.\n`)
  process.exit(2)
}
