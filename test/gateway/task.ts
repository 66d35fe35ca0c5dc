import type { Reply } from './reply.ts'

/** A tool of the client, and its result. */
export interface TaskTool {
  readonly name: string
  readonly description: string
  /** Its only argument. */
  readonly argument: string
}

/** The test task of every client: an image in the question, three parallel tool calls, another one, and a final answer. */
export const task = {
  system: 'You are an agent in a test.',
  question: 'What is wrong with this picture, and why does the build fail?',
  /** An image of one pixel. */
  image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  tools: [
    { name: 'bash', description: 'Runs a command.', argument: 'command' },
    { name: 'screenshot', description: 'Takes a picture.', argument: 'window' },
    { name: 'read_file', description: 'Reads a file.', argument: 'path' },
  ] satisfies readonly TaskTool[],
  answer: 'All done: the build fails because a file is missing.',
}

/** A log far longer than any limit, with the important line in the middle. */
export const giantLog = Array.from({ length: 600 }, (_, line) =>
  line === 300
    ? 'ERROR: cannot find file src/missing.ts'
    : `[${String(line).padStart(5, '0')}] compiling module number ${line * 7}`,
).join('\n')

/** An image in a text result: 12,000 characters of base64. */
export const giantImage = `data:image/png;base64,${Buffer.from(
  Uint8Array.from({ length: 9000 }, (_, index) => (index * 2_654_435_761) >>> 13),
).toString('base64')}`

/** A file longer than the limit of any tool, which `safe` nevertheless keeps in full. */
export const longFile = Array.from({ length: 300 }, (_, line) => `export const value${line} = ${line * line}`).join('\n')

/** The results of the tools. */
export function runTool(name: string, input: unknown): string {
  if (name === 'screenshot') return JSON.stringify({ window: 'main', image: giantImage })
  if (name === 'read_file') return longFile
  return JSON.stringify(input).includes('make') ? giantLog : 'Makefile\nsrc'
}

/** The model's answer to each request. */
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
