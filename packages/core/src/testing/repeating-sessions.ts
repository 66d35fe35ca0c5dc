import fc from 'fast-check'
import type { Message, Part } from '../message.ts'

/**
 * Sessions of an agent that sees the same content again: files read again with and without numbers, in full and in part,
 * after edits and writes; repeated test runs; long logs, searches, failures; plain and signed reasoning; pauses; several rounds.
 */
export const repeatingSessions: fc.Arbitrary<readonly Message[]> = fc
  .array(steps(), { minLength: 20, maxLength: 70, size: 'max' })
  .map(assemble)

/** How many messages each request of a session has: one for each answer. */
export function requestLengths(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' && messages[index - 1]?.role !== 'assistant' ? [index] : []))
}

type Numbers = 'arrow' | 'tab' | 'none'

interface Step {
  readonly doing: 'read' | 'part' | 'cat' | 'edit' | 'write' | 'test' | 'search' | 'log' | 'say'
  readonly file: number
  readonly from: number
  readonly numbers: Numbers
  readonly failed: boolean
  readonly thought: 'none' | 'plain' | 'signed'
  readonly seconds: number
  readonly asText: boolean
}

function steps(): fc.Arbitrary<Step> {
  return fc.record({
    doing: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('read' as const, 'part' as const, 'cat' as const, 'edit' as const, 'test' as const),
      },
      { weight: 2, arbitrary: fc.constantFrom('write' as const, 'search' as const, 'log' as const, 'say' as const) },
    ),
    file: fc.nat(2),
    from: fc.nat(30),
    numbers: fc.constantFrom<Numbers>('arrow', 'tab', 'none'),
    failed: fc.nat(7).map((number) => number === 0),
    thought: fc.constantFrom('none', 'plain', 'signed'),
    seconds: fc.oneof({ weight: 25, arbitrary: fc.integer({ min: -5, max: 90 }) }, fc.constantFrom(400, 4000)),
    asText: fc.boolean(),
  })
}

interface Project {
  readonly files: string[][]
  changes: number
}

function assemble(list: readonly Step[]): readonly Message[] {
  const project: Project = {
    files: [0, 1, 2].map((file) => Array.from({ length: 45 }, (_, at) => codeLine(file, at, 0))),
    changes: 0,
  }
  const messages: Message[] = []
  let now = 1_000_000
  const add = (role: Message['role'], parts: readonly Part[]) =>
    messages.push({ id: `m.${messages.length}`, role, parts, at: now })
  add('system', [{ type: 'text', text: 'You are careful.' }])
  add('user', [{ type: 'text', text: 'Mend the settings.' }])
  for (const step of list) {
    now += step.seconds * 1000
    if (step.doing === 'say') {
      add('assistant', [...thoughtsOf(step), { type: 'text', text: 'That is done.' }])
      add('user', [{ type: 'text', text: `Now go on with file ${step.file}.` }])
      continue
    }
    const callId = `call.${messages.length}`
    const { tool, input, text } = step.failed ? failing(step) : doing(step, project)
    const call: Part = { type: 'tool-call', callId, tool, input: step.asText ? JSON.stringify(input) : input }
    add('assistant', [...thoughtsOf(step), call])
    now += 1000
    add('tool', [{ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }])
  }
  add('assistant', [{ type: 'text', text: 'All done.' }])
  return messages
}

function thoughtsOf({ thought, file, from }: Step): readonly Part[] {
  if (thought === 'none') return []
  const text = `I have to look at setting ${from} of file ${file}, which may have changed.`
  return [{ type: 'reasoning', text, ...(thought === 'signed' ? { providerOptions: { anthropic: { signature: 'c2ln' } } } : {}) }]
}

interface Doing {
  readonly tool: string
  readonly input: object
  readonly text: string
}

function failing(step: Step): Doing {
  return { tool: 'Bash', input: { command: `npm test file${step.file}` }, text: `Error: it failed\n${testOutput(step.file, 9)}` }
}

function doing(step: Step, project: Project): Doing {
  const { file, from, numbers } = step
  const lines = project.files[file] as string[]
  const path = `src/file${file}.ts`
  switch (step.doing) {
    case 'read':
      return { tool: 'Read', input: { file_path: path }, text: shown(lines, 0, numbers) }
    case 'part':
      return { tool: 'Read', input: { file_path: path, offset: from + 1, limit: 15 }, text: shown(lines.slice(from, from + 15), from, numbers) } // biome-ignore format: one call
    case 'cat':
      return { tool: 'Bash', input: { command: `cat ${path}` }, text: lines.join('\n') }
    case 'edit': {
      const old = lines.slice(from, from + 12)
      project.changes += 1
      const made = [...old.slice(0, 5), codeLine(file, from, project.changes), ...old.slice(6)]
      lines.splice(from, old.length, ...made)
      const input = { file_path: path, old_string: old.join('\n'), new_string: made.join('\n') }
      return { tool: 'Edit', input, text: 'The file was changed.' }
    }
    case 'write': {
      project.changes += 1
      lines.splice(from, 2, ...[1, 2, 3].map((at) => codeLine(file, from + at, project.changes)))
      return { tool: 'Write', input: { file_path: path, content: lines.join('\n') }, text: 'The file was written.' }
    }
    case 'test':
      return { tool: 'Bash', input: { command: `npm test file${file}` }, text: testOutput(file, project.changes) }
    case 'search':
      return {
        tool: 'Grep',
        input: { pattern: `setting${from}` },
        text: lines.map((line, at) => `${path}:${at + 1}:${line}`).join('\n'),
      }
    case 'log':
    case 'say':
      return { tool: 'Bash', input: { command: `make ${from}` }, text: Array.from({ length: 150 }, (_, at) => `step ${from}.${at} of the build went well`).join('\n') } // biome-ignore format: one call
  }
}

function codeLine(file: number, at: number, change: number): string {
  if (at % 9 === 8) return ''
  return at % 7 === 6 ? '}' : `export const file${file}setting${at} = readSetting(${change}, 'the ${at}th of them')`
}

function shown(lines: readonly string[], from: number, numbers: Numbers): string {
  const mark = { arrow: '→', tab: '\t', none: '' }[numbers]
  return lines.map((line, at) => (numbers === 'none' ? line : `${String(from + at + 1).padStart(6)}${mark}${line}`)).join('\n')
}

function testOutput(file: number, changes: number): string {
  const passed = Array.from({ length: 25 }, (_, at) => `ok ${at} - file ${file} has the ${at}th setting where it belongs`)
  return [
    ...passed.slice(0, 12),
    `\u001b[33mtook ${changes} ms\u001b[39m`,
    ...passed.slice(12),
    `${changes} of 25 settings were changed`,
  ].join('\n')
}
