import { describe, expect, it } from 'vitest'
import type { ReplaceEdit } from '../edit.ts'
import { type Message, resultText, type ToolResultPart, withShownText } from '../message.ts'
import { referenceTo } from '../results/references.ts'
import { exchange, user } from '../testing/messages.ts'
import { asShown } from './as-shown.ts'

const lines = Array.from({ length: 20 }, (_, index) => `export const setting${index} = ${index}`)
const messages: readonly Message[] = [
  user('u', 'fix the cart tests'),
  ...exchange('r', 'Read', { file_path: 'a.ts' }, lines.join('\n')),
  ...exchange('p', 'Bash', { command: 'cat a.ts' }, lines.join('\n')),
]

function edit(message: string, text: string, rest: Partial<ReplaceEdit> = {}): ReplaceEdit {
  const part = messages.find(({ id }) => id === message)?.parts[0] as ToolResultPart
  return {
    id: `x:${message}.0`,
    policy: 'x',
    kind: 'replace',
    message,
    part: 0,
    with: withShownText(part, text),
    why: '',
    ...rest,
  }
}

const marker = '[20 lines as shown above: Read a.ts, lines 1-20; recall 0123456789ab]'
const reference = edit('p', marker, { refers: [referenceTo(0, 'r.0', 0, lines)] })
const stub = edit('r', '[Read: a.ts; recall 0123456789ab]')
const last = messages.length - 1
const nothing = new Map<string, number>()
const textOf = (edits: readonly ReplaceEdit[], id: string) => {
  const found = edits.find(({ message }) => message === id)?.with
  return found?.type === 'tool-result' ? resultText(found) : null
}

describe('asShown', () => {
  it('returns the same list if every reference held in the last request', () => {
    const edits = [reference]
    expect(asShown(edits, messages, { last, behind: nothing }, {})).toBe(edits)
  })

  it('corrects a reference that did not hold in the last request', () => {
    const shown = asShown([stub, reference], messages, { last, behind: nothing }, {})
    expect(textOf(shown, 'p')).toMatch(/^\[20 lines: Read a\.ts; recall \w{12}\]$/)
    expect(shown[0]).toBe(stub)
  })

  it('reads references from the text of edits that have none', () => {
    const { refers: _refers, ...old } = reference
    expect(textOf(asShown([stub, old], messages, { last, behind: nothing }, {}), 'p')).toContain('[20 lines: ')
  })

  it('leaves a reference that the last request did not have, or that only breaks now', () => {
    const early = { last: last - 2, behind: nothing }
    expect(textOf(asShown([stub, reference], messages, early, {}), 'p')).toBe(marker)
    const behind = { last, behind: new Map([['r.0', 0]]) }
    expect(textOf(asShown([stub, reference], messages, behind, {}), 'p')).toBe(marker)
  })
})
