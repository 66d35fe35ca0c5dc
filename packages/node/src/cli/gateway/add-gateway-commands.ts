import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand, collect } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import { shells, wiredAgents } from './agent-wiring.ts'
import type { EnvOptions } from './env-command.ts'
import type { GatewayCommandOptions } from './gateway-place.ts'
import type { McpCommandOptions } from './mcp-command.ts'
import type { RunOptions } from './run-command.ts'
import type { SavingsOptions } from './savings-command.ts'

/** Adds the gateway, and what puts agents behind it. What a command works with is loaded when it is called. */
export function addGatewayCommands(program: Command, io: CommandIo, strings: Strings): void {
  const { command } = strings
  const { help } = strings.gateway
  const add = (parent: Command, name: string, description: string, ...examples: readonly string[]) =>
    addCommand(parent, name, description, command, examples).option('--no-color', command.noColor)

  const gateway = add(
    program,
    'gateway',
    help.gateway,
    'plimsoll gateway',
    'plimsoll gateway --trim safe --upstream openai=https://openrouter.ai/api',
    'plimsoll gateway savings',
  )
    .helpCommand(false)
    .enablePositionalOptions()
    .option('--port <N>', help.port)
    .option('--host <ADDRESS>', help.host)
    .option('--public', help.public)
    .option('--token <TOKEN>', help.token)
    .option('--upstream <[NAME=]URL>', help.upstream, collect)
    .option('--trim <MODE>', help.trim)
    .option('--store <PLACE>', help.store)
    .option('--keep-text', help.keepText)
    .option('--log <LEVEL>', help.log)
    .option('--json', help.json)
    .action(async (options: GatewayCommandOptions) => (await import('./gateway-command.ts')).gatewayCommand(options, io))
  add(gateway, 'savings', help.savings, 'plimsoll gateway savings', 'plimsoll gateway savings --json')
    .option('--store <PLACE>', help.store)
    .option('--json', help.savingsJson)
    .action(async (options: SavingsOptions) => (await import('./savings-command.ts')).savingsCommand(options, io))

  add(program, 'run', help.run, 'plimsoll run -- claude', 'plimsoll run --trim safe -- codex', 'plimsoll run -- node my-agent.js')
    .argument('<COMMAND...>', help.command)
    // What stands behind the agent's name is the agent's.
    .passThroughOptions()
    .allowExcessArguments()
    .option('--trim <MODE>', help.trim)
    .option('--upstream <[NAME=]URL>', help.upstream, collect)
    .option('--store <PLACE>', help.store)
    .option('--keep-text', help.keepText)
    .option('--no-inspector', help.noInspector)
    .option('--open', help.open)
    .action(async (words: readonly string[], options: RunOptions) =>
      (await import('./run-command.ts')).runCommand(words, options, io),
    )

  add(
    program,
    'env',
    help.env,
    'eval "$(plimsoll env claude)"',
    'plimsoll env gemini --shell fish | source',
    'plimsoll env codex --unset',
  )
    .argument('<AGENT>', help.agent(wiredAgents.join(', ')))
    .option('--port <N>', help.envPort)
    .option('--unset', help.unset)
    .option('--shell <NAME>', help.shell(shells.join(', ')))
    .option('--json', help.envJson)
    .action(async (agent: string, options: EnvOptions) => (await import('./env-command.ts')).envCommand(agent, options, io))

  add(program, 'mcp', help.mcp, 'plimsoll mcp', 'claude mcp add plimsoll -- plimsoll mcp')
    .option('--store <PLACE>', help.mcpStore)
    .action(async (options: McpCommandOptions) => (await import('./mcp-command.ts')).mcpCommand(options, io))
}
