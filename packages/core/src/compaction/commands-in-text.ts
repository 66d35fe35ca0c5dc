import type { Message } from '../message.ts'

/**
 * The commands of an agent that has no tool calls and writes what is to be run into its text, between fences marked as shell.
 * None where a single call shows that the agent does have them: then such text is only talk.
 */
export function commandsInText(messages: readonly Message[]): readonly string[] {
  if (messages.some(({ parts }) => parts.some((part) => part.type === 'tool-call'))) return []
  return messages.flatMap(({ role, parts }) =>
    role === 'assistant' ? parts.flatMap((part) => (part.type === 'text' ? fencedCommands(part.text) : [])) : [],
  )
}

function fencedCommands(text: string): readonly string[] {
  if (!text.includes('```')) return []
  const commands: string[] = []
  let lines: string[] | null = null
  for (const line of text.split('\n')) {
    if (lines === null) {
      if (/^```\w{0,30}(?:bash|shell|sh|zsh|console)\w{0,30}\s*$/.test(line)) lines = []
    } else if (line.startsWith('```')) {
      commands.push(lines.join('\n'))
      lines = null
    } else lines.push(line)
  }
  return commands
}
