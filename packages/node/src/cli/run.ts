import { type CommandIo, packageVersion } from './command-io.ts'

/** Runs one command line and returns its exit code. Never throws and never ends the process. */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  // Other programs call these two all the time, and parsing a command line takes longer to load than they take to run.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    io.stdout.write(`${packageVersion()}\n`)
    return 0
  }
  if (args.length === 1 && args[0] === 'statusline') {
    await (await import('./setup/statusline-command.ts')).statuslineCommand({}, io)
    return 0
  }
  return (await import('./run-program.ts')).runProgram(args, io)
}
