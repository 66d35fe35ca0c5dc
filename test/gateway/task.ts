import type { Reply } from './reply.ts'

/** A tool that a client offers, and what it answers. */
export interface TaskTool {
  readonly name: string
  readonly description: string
  /** The one argument that it takes. */
  readonly argument: string
}

/** What every client of the tests does: looks at a picture, runs three tools at once, then one more, and hears that all is done. */
export const task = {
  system: 'You are an agent in a test.',
  question: 'What is wrong with this picture, and why does the build fail?',
  /** A picture of one pixel. */
  picture: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  tools: [
    { name: 'bash', description: 'Runs a command.', argument: 'command' },
    { name: 'screenshot', description: 'Takes a picture.', argument: 'window' },
    { name: 'read_file', description: 'Reads a file.', argument: 'path' },
  ] satisfies readonly TaskTool[],
  answer: 'All done: the build fails because a file is missing.',
}

/** A log far longer than any limit, with the line that matters in its middle. */
export const giantLog = Array.from({ length: 600 }, (_, line) =>
  line === 300
    ? 'ERROR: cannot find file src/missing.ts'
    : `[${String(line).padStart(5, '0')}] compiling module number ${line * 7}`,
).join('\n')

/** What a picture looks like to a tool that answers in text: 12,000 characters of base64. */
export const giantPicture = `data:image/png;base64,${Buffer.from(
  Uint8Array.from({ length: 9000 }, (_, index) => (index * 2_654_435_761) >>> 13),
).toString('base64')}`

/** A file longer than the limit of any tool, which `safe` leaves whole all the same. */
export const longFile = Array.from({ length: 300 }, (_, line) => `export const value${line} = ${line * line}`).join('\n')

/** What the tools answer. */
export function runTool(name: string, input: unknown): string {
  if (name === 'screenshot') return JSON.stringify({ window: 'main', image: giantPicture })
  if (name === 'read_file') return longFile
  return JSON.stringify(input).includes('make') ? giantLog : 'Makefile\nsrc'
}

/** What the model says, request by request. */
export function taskReply(number: number): Reply {
  if (number === 0) {
    return {
      text: 'I look at the build, the screen and the file.',
      calls: [
        { id: 'call_build', name: 'bash', input: { command: 'make' } },
        { id: 'call_screen', name: 'screenshot', input: { window: 'main' } },
        { id: 'call_file', name: 'read_file', input: { path: 'src/values.ts' } },
      ],
    }
  }
  if (number === 1) return { calls: [{ id: 'call_list', name: 'bash', input: { command: 'ls' } }] }
  return { text: task.answer }
}
