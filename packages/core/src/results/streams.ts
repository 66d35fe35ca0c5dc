import { isRecord, resultText, type Streams, type ToolResultPart } from '../message.ts'

/** The separate streams of a command whose tool shows the model one joined text; null if they are unknown. */
export function streamsOf(part: ToolResultPart): Streams | null {
  return keptStreams(part.metadata) ?? geminiStreams(part)
}

/** Metadata of Plimsoll's own shell and of the shell items of the Responses API. Values from a file may have any type. */
function keptStreams(metadata: ToolResultPart['metadata']): Streams | null {
  if (!isRecord(metadata) || typeof metadata['stderrTail'] !== 'string') return null
  const { stdout, stdoutLines, stderrTail } = metadata
  const isLines = typeof stdoutLines === 'number' && Number.isSafeInteger(stdoutLines) && stdoutLines >= 0
  return { stdout: typeof stdout === 'string' ? stdout : null, stdoutLines: isLines ? stdoutLines : null, stderr: stderrTail }
}

/** Older versions of the Gemini CLI write `Stdout:` and `Stderr:` below the command. */
function geminiStreams(part: ToolResultPart): Streams | null {
  const text = resultText(part)
  if (!text.startsWith('Command: ')) return null
  const [start, end] = [text.indexOf(stdoutMark), text.lastIndexOf(stderrMark)]
  const close = text.indexOf('\nError: ', end + 1)
  if (start === -1 || end < start || close === -1) return null
  const said = (from: number, to: number) => text.slice(from, to).replace(/^\(empty\)$/, '')
  const stdout = said(start + stdoutMark.length, end)
  return { stdout, stdoutLines: null, stderr: said(end + stderrMark.length, close) }
}

const [stdoutMark, stderrMark] = ['\nStdout: ', '\nStderr: ']
