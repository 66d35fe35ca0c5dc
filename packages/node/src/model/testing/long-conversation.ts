import type { Message } from '@plimsoll/core'

const start = Date.UTC(2026, 0, 5, 9, 0, 0)

/** An instruction in the first of the older rounds. */
export const instruction = 'Never touch the files under vendor/, and write every comment in British English.'

/** A correction in a later one of them. */
export const correction = 'No, use the streaming parser, not the recursive one.'

/** An unresolved failure at the end of a long output. */
export const failure = 'error: linker failed with exit code 17 in module kappa'

/** The last line of an output that went well. */
export const lastLine = 'Ran 311 checks, all of them passed.'

/** A file that was changed in the older rounds. */
export const changedFile = 'src/parser/stream.ts'

/** A conversation of many rounds, each with a question, a command with a long output, and an answer. */
export function longConversation(rounds = 14): readonly Message[] {
  return Array.from({ length: rounds }, (_, round) => roundOf(round)).flat()
}

function roundOf(round: number): readonly Message[] {
  const at = start + round * 60_000
  const id = `r${round}`
  return [
    { id: `${id}-question`, role: 'user', at, parts: [{ type: 'text', text: questionOf(round) }] },
    {
      id: `${id}-call`,
      role: 'assistant',
      at: at + 1000,
      parts: [
        { type: 'text', text: `I will look into part ${round}.` },
        { type: 'tool-call', callId: `call-${round}`, ...callOf(round) },
      ],
    },
    {
      id: `${id}-result`,
      role: 'tool',
      at: at + 2000,
      parts: [
        {
          type: 'tool-result',
          callId: `call-${round}`,
          tool: callOf(round).tool,
          content: { type: 'text', text: outputOf(round) },
          ...(round === 2 ? { isError: true } : {}),
        },
      ],
    },
    { id: `${id}-answer`, role: 'assistant', at: at + 3000, parts: [{ type: 'text', text: `Part ${round} is done.` }] },
  ]
}

function questionOf(round: number): string {
  if (round === 0) return instruction
  if (round === 3) return correction
  return `Please go on with part ${round} of the work.`
}

function callOf(round: number): { readonly tool: string; readonly input: unknown } {
  return round === 1
    ? { tool: 'Edit', input: { file_path: changedFile, old_string: 'recursive()', new_string: 'streaming()' } }
    : { tool: 'Bash', input: { command: `make part-${round}` } }
}

function outputOf(round: number): string {
  if (round === 1) return `The file ${changedFile} has been updated.`
  const lines = Array.from({ length: 120 }, (_, line) => `[${round}/${line}] compiled unit ${line * 7 + round} of the tree`)
  return [...lines, round === 2 ? failure : lastLine].join('\n')
}
