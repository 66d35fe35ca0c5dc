import { type ParseArgsConfig, parseArgs } from 'node:util'

/**
 * The options and arguments of this command. `--help` prints the usage and exits with 0; an unknown option prints one sentence and
 * exits with 2.
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

/** Prints what is wrong with the command line and exits with 2. */
export function refuse(what: string): never {
  process.stderr.write(`${what.replace(/\.$/, '')}; see --help.\n`)
  process.exit(2)
}
