import type { Message, Part } from '@plimsoll/core'

/**
 * The work of an agent in one long round: tests with long output, files read with line numbers and again after an edit, searches,
 * images as text, parallel calls. The same for the same number of steps.
 */
export function workOf(steps: number): readonly Message[] {
  const messages: Message[] = [said('user', 'Fix the settings, and run the tests until they pass.')]
  for (let step = 0; step < steps; step += 1) {
    const doing = callsOf(step).map((call, index) => ({ ...call, callId: `call_${step}_${index}` }))
    const calls = doing.map(({ callId, tool, input }): Part => ({ type: 'tool-call', callId, tool, input }))
    messages.push({ id: `a${step}`, role: 'assistant', parts: [{ type: 'text', text: `Step ${step}.` }, ...calls] })
    for (const { callId, text } of doing)
      messages.push({
        id: callId,
        role: 'tool',
        parts: [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }],
      })
  }
  messages.push(said('assistant', 'All tests pass.'))
  return messages
}

/** The number of messages in each request of this work, one request per answer. */
export function requestLengths(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
}

/** A tool call and its result. */
export interface WorkCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly text: string
}

/** The calls of one step; the same for the same number. */
function callsOf(step: number): readonly WorkCall[] {
  const path = `src/settings-${step % 3}.ts`
  const test: WorkCall = { tool: 'Bash', input: { command: `npm test -- --run ${step}` }, text: testOutput(step) }
  const read: WorkCall = { tool: 'Read', input: { file_path: path }, text: numbered(fileLines(step % 3, Math.floor(step / 6))) }
  switch (step % 6) {
    case 0:
      return [test, read]
    case 1:
      return [{ tool: 'Grep', input: { pattern: `setting${step}` }, text: matches(step) }, read]
    case 2:
      return [{ tool: 'Bash', input: { command: `screenshot ${step}` }, text: JSON.stringify({ image: picture(step) }) }]
    case 3:
      return [{ tool: 'Edit', input: { file_path: path, old_string: 'a', new_string: 'b' }, text: 'The file was changed.' }, test]
    case 4:
      return [read]
    default:
      return [test]
  }
}

function said(role: 'user' | 'assistant', text: string): Message {
  return { id: `${role}-said`, role, parts: [{ type: 'text', text }] }
}

function testOutput(step: number): string {
  return Array.from({ length: 160 }, (_, line) =>
    line === 80
      ? `\u001b[31mnot ok\u001b[39m ${line} - Error: expected ${step}, got ${step + 1} in src/settings-${step % 3}.ts:${line}`
      : `ok ${line} - run ${step} finds the ${line}th setting where it belongs, as "quoted" \\ escaped — ü`,
  ).join('\n')
}

function fileLines(file: number, change: number): readonly string[] {
  return Array.from({ length: 90 }, (_, line) =>
    line % 9 === 8 ? '' : `export const file${file}setting${line} = readSetting(${line % 10 === 5 ? change : 0}, ${line})`,
  )
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n')
}

function matches(step: number): string {
  return Array.from(
    { length: 140 },
    (_, line) => `src/part-${line % 20}.ts:${line + 1}: const setting${step} = handler${step * 7 + line}(${line})`,
  ).join('\n')
}

/** 9,000 bytes that look like an image. */
function picture(step: number): string {
  const bytes = Uint8Array.from({ length: 9000 }, (_, index) => ((index + step) * 2_654_435_761) >>> 13)
  return `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`
}
