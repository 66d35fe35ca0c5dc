import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import type { Speak } from '../session-context.ts'
import type { AgentCommandOptions } from './agent-options.ts'
import { openAgentHost } from './open-agent-host.ts'
import { runTask } from './run-task.ts'

/** Runs the agent: with a person, or on one task. */
export async function agentCommand(options: AgentCommandOptions, io: CommandIo, speak: Speak): Promise<void> {
  const host = await openAgentHost(options, io, speak)
  try {
    if (options.print !== undefined) return await runTask(host, options, io)
    if (options.json === true) throw new CommandError(host.context.strings.agent.jsonNeedsTask, 2)
    const { chatCommand } = await import('../chat/chat-command.ts')
    await chatCommand(host, options, io)
  } finally {
    await host.close()
  }
}
