import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import type { ServeCommandOptions } from './serve-options.ts'

/** Adds the commands that run the agent: in the terminal, and behind the web app. */
export function addAgentCommands(program: Command, io: CommandIo, { command, agent, server }: Strings): void {
  const { help } = agent
  const { help: serve } = server.serve
  addCommand(program, 'chat', help.chat, command, [
    'plimsoll chat',
    'plimsoll chat --resume last --mode accept-edits',
    'plimsoll -p "why does the test fail?" --json --max-cost 0.50',
  ])
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
    .action(async (options: AgentCommandOptions) => (await import('./agent-command.ts')).agentCommand(options, io))
  addCommand(program, 'serve', server.help.serve, command, [
    'plimsoll serve',
    'plimsoll serve --open --model offline',
    'plimsoll serve --port 8000 --root ~/project',
  ])
    .option('--port <N>', serve.port)
    .option('--host <ADDRESS>', serve.host)
    .option('--public', serve.public)
    .option('--token <TOKEN>', serve.token)
    .option('--open', serve.open)
    .option('--model <M>', help.model)
    .option('--base-url <URL>', help.baseUrl)
    .option('--mode <MODE>', help.mode)
    .option('--max-cost <DOLLARS>', help.maxCost)
    .option('--max-steps <N>', help.maxSteps)
    .option('--reasoning <LEVEL>', help.reasoning)
    .option('--root <DIR>', help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--json', serve.json)
    .option('--no-color', command.noColor)
    .action(async (options: ServeCommandOptions) => (await import('./serve-command.ts')).serveCommand(options, io))
}

/** `plimsoll -p "TASK"` is `plimsoll chat -p "TASK"`. */
export function withChat(words: readonly string[]): readonly string[] {
  const isTask = words[0]?.startsWith('-') === true && words.some((word) => /^(?:-p.*|--print(?:=.*)?)$/s.test(word))
  return isTask ? ['chat', ...words] : words
}
