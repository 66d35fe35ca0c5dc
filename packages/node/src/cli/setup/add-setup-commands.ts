import type { Command } from 'commander'
import type { Strings } from '../../strings/strings-for.ts'
import { addCommand, collect } from '../add-command.ts'
import type { CommandIo } from '../command-io.ts'
import { shellNames } from '../gateway/agent-wiring.ts'
import type { ConfigCommandOptions } from './config-command.ts'
import type { DoctorOptions } from './doctor-command.ts'
import type { RepairCommandOptions } from './repair-command.ts'
import type { StatuslineOptions } from './statusline-command.ts'

/** Adds the commands that mend and explain: broken logs, settings, the status line, completion in shells. */
export function addSetupCommands(program: Command, io: CommandIo, strings: Strings): void {
  const { command, gateway, repair, config, statusline, completion } = strings
  const add = (name: string, description: string, ...examples: readonly string[]) =>
    addCommand(program, name, description, command, examples)

  add('repair', repair.help.repair, 'plimsoll repair session.jsonl', 'plimsoll repair chat.json --out mended.json --json')
    .argument('<FILE>', repair.help.file)
    .option('--out <COPY>', repair.help.out)
    .option('--keep-images', repair.help.keepImages)
    .option('--json', repair.help.json)
    .option('--no-color', command.noColor)
    .action(async (file: string, options: RepairCommandOptions) =>
      (await import('./repair-command.ts')).repairCommand(file, options, io),
    )

  add('doctor', gateway.help.doctor, 'plimsoll doctor', 'plimsoll doctor --url http://127.0.0.1:7478', 'plimsoll doctor --live')
    .option('--no-color', command.noColor)
    .option('--url <URL>', gateway.help.url)
    .option('--upstream <[NAME=]URL>', gateway.help.upstream, collect)
    .option('--store <PLACE>', gateway.help.store)
    .option('--model <M>', gateway.help.model)
    .option('--live', gateway.help.live)
    .option('--json', gateway.help.doctorJson)
    .action(async (options: DoctorOptions) => (await import('./doctor-command.ts')).doctorCommand(options, io))

  add('config', config.help.config, 'plimsoll config', 'plimsoll config compaction --show-origin', 'plimsoll config --json')
    .argument('[KEY]', config.help.key)
    .option('--show-origin', config.help.showOrigin)
    .option('--root <DIR>', config.help.root)
    .option('--config <FILE>', command.config)
    .option('--policies <P>', command.policies)
    .option('--json', config.help.json)
    .option('--no-color', command.noColor)
    .action(async (key: string | undefined, options: ConfigCommandOptions) =>
      (await import('./config-command.ts')).configCommand(key, options, io),
    )

  add('statusline', statusline.help.statusline, 'plimsoll statusline', 'plimsoll statusline --json < hook.json')
    .option('--json', statusline.help.json)
    .option('--no-color', command.noColor)
    .action(async (options: StatuslineOptions) => (await import('./statusline-command.ts')).statuslineCommand(options, io))

  add(
    'completion',
    completion.help.completion,
    'eval "$(plimsoll completion bash)"',
    'plimsoll completion zsh > "$HOME/.zfunc/_plimsoll"',
    'plimsoll completion fish > ~/.config/fish/completions/plimsoll.fish',
  )
    .argument('<SHELL>', completion.help.shell(shellNames.join(', ')))
    .action(async (shell: string) => (await import('./completion-command.ts')).completionCommand(shell, program, io, strings))
}
