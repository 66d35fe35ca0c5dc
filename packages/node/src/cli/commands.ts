import type { ExportFormat } from '@plimsoll/core/session'
import type { DialectName } from '@plimsoll/core/wire'
import type { Command } from 'commander'
import type { Strings } from '../strings/strings-for.ts'
import type { CommandIo } from './command-io.ts'
import { shellNames, shells, wiredAgents } from './gateway/agent-wiring.ts'
import { hookedAgents } from './hook/hook-agents.ts'

/** Adds every command with its arguments and options, in the order of the help. */
export function addCommands(program: Command, io: CommandIo, strings: Strings): void {
  const { helpGroups } = strings.command
  const tools: Tools = {
    addUnder: (...given) => addCommand(strings, ...given),
    add: (...given) => addCommand(strings, program, ...given),
    call: (load) => caller(load, io),
  }
  program.commandsGroup(helpGroups.look)
  addLookCommands(strings, tools)
  program.commandsGroup(helpGroups.agent)
  addAgentCommands(strings, tools)
  program.commandsGroup(helpGroups.behind)
  addGatewayCommands(strings, tools)
  program.commandsGroup(helpGroups.sessions)
  addSessionCommands(strings, tools)
  program.commandsGroup(helpGroups.mend)
  addSetupCommands(program, strings, tools, io)
  addNoColor(program, strings)
}

interface Tools {
  readonly add: (...given: Added) => Command
  readonly addUnder: (parent: Command, ...given: Added) => Command
  readonly call: (load: Load) => (...given: readonly unknown[]) => Promise<void>
}

type Added = readonly [name: string, description: string, ...examples: readonly string[]]
type Load = () => Promise<(...given: never[]) => unknown>

/** Adds the implied command: `plimsoll -p TASK` is `chat`, and `plimsoll` alone, or with options only, is `overview`. */
export function withCommand(args: readonly string[]): readonly string[] {
  const [first] = args
  if (first?.startsWith('-') === true && args.some((word) => /^(?:-p.*|--print(?:=.*)?)$/s.test(word))) return ['chat', ...args]
  if (args.every((word) => word === '--')) return ['overview']
  return /^--(?:json|no-color|(?:by|since|until)(?:=.*)?)$/s.test(first ?? '') ? ['overview', ...args] : args
}

function addCommand(
  { command: { help, examples: title } }: Strings,
  parent: Command,
  ...[name, description, ...examples]: Added
): Command {
  return parent
    .command(name)
    .description(description)
    .helpOption('-h, --help', help)
    .helpCommand(false)
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .addHelpText('after', `\n${title}\n${examples.map((example) => `  ${example}`).join('\n')}`)
}

function addNoColor({ commands }: Command, strings: Strings): void {
  for (const command of commands) addNoColor(command.option('--no-color', strings.command.noColor), strings)
}

/** Loads a command when it is called, because the code that talks to providers takes longer to load than most commands run. */
function caller(load: Load, io: CommandIo): (...given: readonly unknown[]) => Promise<void> {
  return async (...given) => {
    const run = (await load()) as (...given: readonly unknown[]) => unknown
    // The last value is the command itself; before it are its arguments and its options.
    await run(...given.slice(0, -1), io)
  }
}

function addLookCommands({ command, overview, replay, inspect, server }: Strings, { add, call }: Tools): void {
  add('overview', overview.help, 'plimsoll', 'plimsoll --by day --since 2026-11-01', 'plimsoll --by project', 'plimsoll --json')
    .option('--by <WHAT>', overview.by)
    .option('--since <DAY>', overview.since)
    .option('--until <DAY>', overview.until)
    .option('--json', overview.json)
    .action(call(async () => (await import('./replay/overview-command.ts')).overviewCommand))
  const view = add(
    'view',
    command.view,
    'plimsoll view',
    'plimsoll view chat.json --now 2026-01-31T10:00:00Z --root .',
    'plimsoll view - --json < request.json',
  ).argument('[FILE]', command.file)
  withRequestOptions(view, command, command)
    .option('--strings <LANGUAGE>', command.strings)
    .option('--timing <WHEN>', command.timing)
    .option('--conversation <N>', command.conversation)
    .option('--all', command.all)
    .option('--json', command.json)
    .action(call(async () => (await import('./requests/view-command.ts')).viewCommand))
  add(
    'replay',
    replay.help.replay,
    'plimsoll replay',
    'plimsoll replay ~/.claude/projects --full',
    'plimsoll replay logs --policies economy,spec --prices r.05 --html replay.html',
  )
    .argument('[PATH...]', replay.help.path)
    .option('--full', replay.help.full)
    .option('--policies <P>', replay.help.policies)
    .option('--prices <P>', replay.help.prices)
    .option('--sessions <N>', replay.help.sessions)
    .option('--html <FILE>', replay.help.html)
    .option('--force', replay.help.force)
    .option('--json', replay.help.json)
    .action(call(async () => (await import('./replay/replay-command.ts')).replayCommand))
  add(
    'inspect',
    server.help.inspect,
    'plimsoll inspect',
    'plimsoll inspect ~/.claude/projects/app/1f2e.jsonl --html session.html',
    'plimsoll inspect --last --under economy',
    'plimsoll inspect --last --open',
  )
    .argument('[PATH|SESSION]', inspect.help.target)
    .option('--conversation <N>', command.conversation)
    .option('--last', inspect.help.last)
    .option('--html <FILE>', inspect.help.html)
    .option('--force', inspect.help.force)
    .option('--open', inspect.help.open)
    .option('--no-redact', inspect.help.noRedact)
    .option('--under <SET>', inspect.help.under)
    .option('--policies <P>', inspect.help.policies)
    .option('--json', inspect.help.json)
    .action(call(async () => (await import('./inspect/inspect-command.ts')).inspectCommand))
}

function withRequestOptions(
  added: Command,
  { now, config, policies, exact }: Strings['command'],
  { root, model, dialect }: Pick<Strings['command'], 'root' | 'model' | 'dialect'>,
): Command {
  return added
    .option('--now <ISO>', now)
    .option('--root <DIR>', root)
    .option('--config <FILE>', config)
    .option('--policies <P>', policies)
    .option('--model <M>', model)
    .option('--dialect <NAME>', dialect(Object.keys(dialects).join(', ')))
    .option('--exact', exact)
}

function addAgentCommands(strings: Strings, { add, call }: Tools): void {
  const { agent, server } = strings
  const chat = add(
    'chat',
    agent.help.chat,
    'plimsoll chat',
    'plimsoll chat --resume last --mode accept-edits',
    'plimsoll -p "why does the test fail?" --json --max-cost 0.50',
  )
    .option('-p, --print <TASK>', agent.help.print)
    .option('--resume <ID>', agent.help.resume)
  withAgentOptions(chat, strings)
    .option('--json', agent.help.json)
    .action(call(async () => (await import('./agent/agent-command.ts')).agentCommand))
  const { help } = server.serve
  const serve = add(
    'serve',
    server.help.serve,
    'plimsoll serve',
    'plimsoll serve --open --model offline',
    'plimsoll serve --port 8000 --root ~/project',
  )
    .option('--port <N>', help.port)
    .option('--host <ADDRESS>', help.host)
    .option('--public', help.public)
    .option('--token <TOKEN>', help.token)
    .option('--open', help.open)
  withAgentOptions(serve, strings)
    .option('--json', help.json)
    .action(call(async () => (await import('./agent/serve-command.ts')).serveCommand))
}

function withAgentOptions(added: Command, { agent: { help }, command }: Strings): Command {
  return added
    .option('--model <M>', help.model)
    .option('--base-url <URL>', help.baseUrl)
    .option('--mode <MODE>', help.mode)
    .option('--max-cost <DOLLARS>', help.maxCost)
    .option('--max-steps <N>', help.maxSteps)
    .option('--reasoning <LEVEL>', help.reasoning)
    .option('--root <DIR>', help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--strings <LANGUAGE>', command.strings)
    .option('--timing <WHEN>', command.timing)
}

function addGatewayCommands({ command, gateway: { help }, statusline }: Strings, { add, addUnder, call }: Tools): void {
  const gateway = add(
    'gateway',
    help.gateway,
    'plimsoll gateway',
    'plimsoll gateway --trim safe --upstream openai=https://openrouter.ai/api',
    'plimsoll gateway savings',
  )
    .option('--port <N>', help.port)
    .option('--host <ADDRESS>', help.host)
    .option('--public', help.public)
    .option('--token <TOKEN>', help.token)
    .option('--upstream <[NAME=]URL>', help.upstream, collect)
    .option('--unencrypted', help.unencrypted)
    .option('--trim <MODE>', help.trim)
    .option('--store <PLACE>', help.store)
    .option('--keep-text', help.keepText)
    .option('--keep-cache-alive', help.keepCacheAlive)
    .option('--strings <LANGUAGE>', command.strings)
    .option('--timing <WHEN>', command.timing)
    .option('--log <LEVEL>', help.log)
    .option('--json', help.json)
    .action(call(async () => (await import('./gateway/gateway-command.ts')).gatewayCommand))
  addUnder(gateway, 'savings', help.savings, 'plimsoll gateway savings', 'plimsoll gateway savings --json')
    .option('--store <PLACE>', help.store)
    .option('--json', help.savingsJson)
    .action(call(async () => (await import('./gateway/savings-command.ts')).savingsCommand))
  const hiding = () => import('./gateway/hide-command.ts')
  addUnder(gateway, 'hide', help.hide, 'plimsoll gateway hide', 'plimsoll gateway hide 16')
    .argument('[MESSAGE]', help.result)
    .option('--conversation <ID>', help.conversation)
    .option('--store <PLACE>', help.store)
    .action(call(async () => (await hiding()).hideResultCommand))
  addUnder(gateway, 'unhide', help.unhide, 'plimsoll gateway unhide 16')
    .argument('<MESSAGE>', help.result)
    .option('--conversation <ID>', help.conversation)
    .option('--store <PLACE>', help.store)
    .action(call(async () => (await hiding()).unhideResultCommand))
  add('run', help.run, 'plimsoll run -- claude', 'plimsoll run --trim safe -- codex', 'plimsoll run -- node my-agent.js')
    .argument('<COMMAND...>', help.command)
    // Options after the agent's name belong to the agent.
    .passThroughOptions()
    .allowExcessArguments()
    .option('--trim <MODE>', help.trim)
    .option('--upstream <[NAME=]URL>', help.upstream, collect)
    .option('--unencrypted', help.unencrypted)
    .option('--store <PLACE>', help.store)
    .option('--keep-text', help.keepText)
    .option('--keep-cache-alive', help.keepCacheAlive)
    .option('--strings <LANGUAGE>', command.strings)
    .option('--timing <WHEN>', command.timing)
    .option('--no-inspector', help.noInspector)
    .option('--open', help.open)
    .action(call(async () => (await import('./gateway/run-command.ts')).runCommand))
  add('env', help.env, 'eval "$(plimsoll env claude)"', 'plimsoll env gemini --shell fish | source', 'plimsoll env codex --unset')
    .argument('<AGENT>', help.agent(wiredAgents.join(', ')))
    .option('--port <N>', help.envPort)
    .option('--unset', help.unset)
    .option('--shell <NAME>', help.shell(shells.join(', ')))
    .option('--json', help.envJson)
    .action(call(async () => (await import('./gateway/env-command.ts')).envCommand))
  add('mcp', help.mcp, 'plimsoll mcp', 'claude mcp add plimsoll -- plimsoll mcp')
    .option('--store <PLACE>', help.mcpStore)
    .action(call(async () => (await import('./gateway/mcp-command.ts')).mcpCommand))
  add('hook', help.hook, 'plimsoll hook --print claude-code', 'plimsoll hook claude-code < call.json')
    .argument('<AGENT>', help.agent(hookedAgents.join(', ')))
    .option('--print', help.hookPrint)
    .action(call(async () => (await import('./hook/hook-command.ts')).hookCommand))
  add('statusline', statusline.help.statusline, 'plimsoll statusline', 'plimsoll statusline --json < hook.json')
    .option('--json', statusline.help.json)
    .action(call(async () => (await import('./setup/statusline-command.ts')).statuslineCommand))
}

function addSessionCommands({ command, requestCommands, sessionCommands }: Strings, { add, addUnder, call }: Tools): void {
  const [help, request] = [sessionCommands.help, requestCommands.help]
  const sessions = add('sessions', help.sessions, 'plimsoll sessions', 'plimsoll sessions rewind last 43')
    .option('--all', help.everySession)
    .option('--json', help.sessionsJson)
    .action(call(async () => (await import('./sessions/sessions-command.ts')).sessionsCommand))
  const changes = () => import('./sessions/change-commands.ts')
  addUnder(sessions, 'rm', help.remove, 'plimsoll sessions rm 20261115-054440-k3f9x2')
    .argument('<ID...>', help.fullId)
    .action(call(async () => (await changes()).removeCommand))
  const addChange = (...given: Added) => addUnder(sessions, ...given).argument('<ID>', help.id)
  addChange('rewind', help.rewind, 'plimsoll sessions rewind last 43')
    .argument('<MESSAGE>', help.rewindMessage)
    .action(call(async () => (await changes()).rewindCommand))
  addChange('fork', help.fork, 'plimsoll sessions fork last', 'plimsoll sessions fork last 43')
    .argument('[MESSAGE]', help.forkMessage)
    .action(call(async () => (await changes()).forkCommand))
  addChange('pin', help.pin, 'plimsoll sessions pin last 16')
    .argument('<MESSAGE>', help.message)
    .action(call(async () => (await changes()).pinCommand))
  addChange('unpin', help.unpin, 'plimsoll sessions unpin last 16')
    .argument('<MESSAGE>', help.message)
    .action(call(async () => (await changes()).unpinCommand))
  addChange('hide', help.hide, 'plimsoll sessions hide last 16')
    .argument('<MESSAGE>', help.message)
    .action(call(async () => (await changes()).hideCommand))
  addChange('unhide', help.unhide, 'plimsoll sessions unhide last 16')
    .argument('<MESSAGE>', help.message)
    .action(call(async () => (await changes()).unhideCommand))
  addChange('restore', help.restore, 'plimsoll sessions restore last trim-repeated-reads:7')
    .argument('<EDIT>', help.edit)
    .action(call(async () => (await changes()).restoreCommand))
  add('import', help.import, 'plimsoll import chat.json', 'plimsoll import ~/.claude/projects/app/1f2e.jsonl --all')
    .argument('<FILE>', help.file)
    .option('--conversation <N>', help.conversation)
    .option('--title <TEXT>', help.title)
    .option('--all', help.everyConversation)
    .option('--json', help.importJson)
    .action(call(async () => (await import('./sessions/import-command.ts')).importCommand))
  const show = add('show', help.show, 'plimsoll show last', 'plimsoll show last 16', 'plimsoll show last --next')
    .argument('<ID>', help.id)
    .argument('[MESSAGE]', help.shownMessage)
    .option('--all', help.everyRow)
    .option('--branches', help.branches)
    .option('--next', request.next)
    .option('--escape', help.escape)
    .option('--json', help.showJson)
    .optionsGroup(request.withNext)
  withRequestOptions(show, command, request)
    .optionsGroup('Options:')
    .action(call(async () => (await import('./sessions/show-command.ts')).showCommand))
  add('recall', help.recall, 'plimsoll recall 498536d7cce3 --lines 1-40', 'plimsoll recall --query "winter time"')
    .argument('[HANDLE]', help.handle)
    .option('--session <ID>', help.session)
    .option('--id <ID>', help.messageId)
    .option('--tool <NAME>', help.tool)
    .option('--about <TEXT>', help.about)
    .option('--query <TEXT>', help.query)
    .option('--lines <A-B>', help.lines)
    .option('--characters <A-B>', help.characters)
    .option('--pattern <RE>', help.pattern)
    .option('--budget <N>', help.budget)
    .option('--escape', help.escape)
    .option('--json', help.recallJson)
    .action(call(async () => (await import('./requests/recall-command.ts')).recallCommand))
  add('export', help.export, 'plimsoll export last --out copy.json', 'plimsoll export last --format markdown --redact')
    .argument('<ID>', help.id)
    .option('--format <NAME>', help.format(Object.keys(exportFormats).join(', ')))
    .option('--out <FILE>', help.out)
    .option('--force', help.force)
    .option('--redact', help.redact)
    .option('--leaf <ENTRY>', help.leaf)
    .option('--escape', help.escape)
    .action(call(async () => (await import('./sessions/export-command.ts')).exportCommand))
  add('resume', request.resume, 'plimsoll resume last')
    .argument('<ID>', help.id)
    .action(call(async () => (await import('./agent/agent-command.ts')).resumeCommand))
  add(
    'compact',
    request.compact,
    'plimsoll compact last --preview',
    'plimsoll compact last --keep 3 --focus "the parser"',
    'plimsoll compact last --undo',
  )
    .argument('<ID>', help.id)
    .option('--preview', request.preview)
    .option('--undo', request.undo)
    .option('--fork', request.fork)
    .option('--keep <N>', request.keep)
    .option('--focus <TEXT>', request.focus)
    .option('--model <M>', request.writer)
    .option('--base-url <URL>', request.baseUrl)
    .option('--config <FILE>', command.config)
    .option('--json', request.compactJson)
    .action(call(async () => (await import('./requests/compact-command.ts')).compactCommand))
}

function addSetupCommands(program: Command, strings: Strings, { add, call }: Tools, io: CommandIo): void {
  const { command, gateway, repair, prices, config, completion } = strings
  add('doctor', gateway.help.doctor, 'plimsoll doctor', 'plimsoll doctor --url http://127.0.0.1:7478', 'plimsoll doctor --live')
    .option('--url <URL>', gateway.help.url)
    .option('--upstream <[NAME=]URL>', gateway.help.upstream, collect)
    .option('--unencrypted', gateway.help.unencrypted)
    .option('--store <PLACE>', gateway.help.store)
    .option('--model <M>', gateway.help.model)
    .option('--live', gateway.help.live)
    .option('--json', gateway.help.doctorJson)
    .action(call(async () => (await import('./setup/doctor-command.ts')).doctorCommand))
  add('repair', repair.help.repair, 'plimsoll repair session.jsonl', 'plimsoll repair chat.json --out repaired.json --json')
    .argument('<FILE>', repair.help.file)
    .option('--out <COPY>', repair.help.out)
    .option('--keep-images', repair.help.keepImages)
    .option('--json', repair.help.json)
    .action(call(async () => (await import('./setup/repair-command.ts')).repairCommand))
  add('prices', prices.help.prices, 'plimsoll prices', 'plimsoll prices gpt-5-codex claude-opus-4-1', 'plimsoll prices --json')
    .argument('[MODEL...]', prices.help.model)
    .option('--day <DAY>', prices.help.day)
    .option('--config <FILE>', command.config)
    .option('--json', prices.help.json)
    .action(call(async () => (await import('./setup/prices-command.ts')).pricesCommand))
  add('config', config.help.config, 'plimsoll config', 'plimsoll config compaction --show-origin', 'plimsoll config --json')
    .argument('[KEY]', config.help.key)
    .option('--show-origin', config.help.showOrigin)
    .option('--root <DIR>', config.help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--json', config.help.json)
    .action(call(async () => (await import('./setup/config-command.ts')).configCommand))
  add(
    'completion',
    completion.help.completion,
    'eval "$(plimsoll completion bash)"',
    'plimsoll completion zsh > "$HOME/.zfunc/_plimsoll"',
    'plimsoll completion fish > ~/.config/fish/completions/plimsoll.fish',
  )
    .argument('<SHELL>', completion.help.shell(shellNames.join(', ')))
    .action(async (shell: string) =>
      (await import('./setup/completion-command.ts')).completionCommand(shell, program, io, strings),
    )
}

// Names for the help and for completion, in their order. The formats themselves take longer to load than most commands run.
export const dialects: Readonly<Record<DialectName, true>> = {
  'openai-chat': true,
  anthropic: true,
  'ai-sdk': true,
  'openai-responses': true,
  gemini: true,
}
export const exportFormats: Readonly<Record<ExportFormat, true>> = {
  'openai-chat': true,
  'openai-responses': true,
  anthropic: true,
  gemini: true,
  'ai-sdk': true,
  react: true,
  markdown: true,
  log: true,
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
