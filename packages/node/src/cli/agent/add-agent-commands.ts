import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../settings.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import type { ServeCommandOptions } from './serve-options.ts'

/** Adds the command that runs the agent. */
export function addAgentCommand(program: Command, io: CommandIo, { command, agent }: Strings, speak: Speak): void {
  const { help } = agent
  program
    .command('chat')
    .description(help.chat)
    .helpOption('-h, --help', command.help)
    .option('-p, --print <TASK>', help.print)
    .option('--model <M>', help.model)
    .option('--base-url <URL>', help.baseUrl)
    .option('--mode <MODE>', help.mode)
    .option('--resume <ID>', help.resume)
    .option('--max-cost <DOLLARS>', help.maxCost)
    .option('--max-steps <N>', help.maxSteps)
    .option('--reasoning <LEVEL>', help.reasoning)
    .option('--root <DIR>', help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--json', help.json)
    .option('--no-color', command.noColor)
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll chat\n  plimsoll chat --resume last --mode accept-edits\n  plimsoll -p "why does the test fail?" --json --max-cost 0.50`,
    )
    .action(async (options: AgentCommandOptions) => {
      // What talks to providers and draws on terminals takes longer to load than most commands take to run.
      const { agentCommand } = await import('./agent-command.ts')
      await agentCommand(options, io, speak)
    })
}

/** `plimsoll -p "TASK"` is `plimsoll chat -p "TASK"`. */
export function withChat(words: readonly string[]): readonly string[] {
  const isTask = words[0]?.startsWith('-') === true && words.some((word) => /^(?:-p.*|--print(?:=.*)?)$/s.test(word))
  return isTask ? ['chat', ...words] : words
}

/** Adds the command that serves the web app. */
export function addServeCommand(program: Command, io: CommandIo, { command, agent, server }: Strings, speak: Speak): void {
  const { help } = server.serve
  program
    .command('serve')
    .description(server.help.serve)
    .helpOption('-h, --help', command.help)
    .option('--port <N>', help.port)
    .option('--host <ADDRESS>', help.host)
    .option('--public', help.public)
    .option('--token <TOKEN>', help.token)
    .option('--open', help.open)
    .option('--model <M>', agent.help.model)
    .option('--base-url <URL>', agent.help.baseUrl)
    .option('--mode <MODE>', agent.help.mode)
    .option('--max-cost <DOLLARS>', agent.help.maxCost)
    .option('--max-steps <N>', agent.help.maxSteps)
    .option('--reasoning <LEVEL>', agent.help.reasoning)
    .option('--root <DIR>', agent.help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--json', help.json)
    .option('--no-color', command.noColor)
    .addHelpText(
      'after',
      `\n${command.examples}\n  plimsoll serve\n  plimsoll serve --open --model offline\n  plimsoll serve --port 8000 --root ~/project`,
    )
    .action(async (options: ServeCommandOptions) => {
      // What serves and what talks to providers takes longer to load than most commands take to run.
      const { serveCommand } = await import('./serve-command.ts')
      await serveCommand(options, io, speak)
    })
}
