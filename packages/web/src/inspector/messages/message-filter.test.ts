import { describe, expect, it } from 'vitest'
import { madeInspection } from '../../testing/made-inspection.ts'
import { everyMessage, filterMessages, type MessageFilter, messageMarks, placeOf } from './message-filter.ts'

const inspection = madeInspection({ messages: 200 })
const { messages } = inspection
const marks = messageMarks(inspection)
const numbers = messages.ids.map((_, number) => number)

describe('filterMessages', () => {
  it.each<[Partial<MessageFilter>, (number: number) => boolean]>([
    [{}, () => true],
    [{ role: 'user' }, (number) => messages.roles[number] === 'user'],
    [{ category: 'results' }, (number) => messages.categories[number] === 'results'],
    [{ tool: 'filesystem-read' }, (number) => messages.toolNames[messages.tools[number] as number] === 'filesystem-read'],
    [{ tool: 'no such tool' }, () => false],
    [{ state: 'edited', role: 'tool' }, (number) => marks.edited(number) && messages.roles[number] === 'tool'],
    [{ state: 'folded' }, (number) => number < 40],
    [{ state: 'pinned' }, (number) => number % 41 === 7],
    [{ state: 'left-out' }, (number) => messages.shown[number] === 0],
  ])('lets through %j', (filter, isWanted) =>
    expect([...filterMessages(messages, marks, { ...everyMessage, ...filter })]).toEqual(numbers.filter(isWanted)),
  )

  it('puts the largest first when asked', () => {
    const listed = [...filterMessages(messages, marks, { ...everyMessage, order: 'largest' })]
    const sizes = listed.map((number) => messages.tokens[number] as number)
    expect(sizes).toEqual(messages.tokens.toSorted((one, other) => other - one))
  })
})

describe('placeOf', () => {
  it.each(['written', 'largest'] as const)('finds every listed message, and no other, in order %s', (order) => {
    const filter: MessageFilter = { ...everyMessage, role: 'tool', order }
    const listed = filterMessages(messages, marks, filter)
    for (const number of numbers) expect(placeOf(listed, number, filter)).toBe([...listed].indexOf(number))
  })
})

describe('messageMarks', () => {
  it('does not mark a message after the last request as not sent', () => {
    const last = inspection.requests.at(-1)?.last as number
    const shown = messages.shown.map(() => 0)
    const { 'left-out': isLeftOut } = messageMarks({ ...inspection, messages: { ...messages, shown } })
    expect([isLeftOut(last), isLeftOut(last + 1)]).toEqual([true, false])
  })

  it('skips reverted edits and edits of missing messages', () => {
    const [edit] = inspection.edits.filter(({ kind }) => kind === 'replace')
    if (edit === undefined) throw new Error('there is an edit')
    const odd = { ...edit, number: 9999, lastNumber: 9999 }
    const withdrawn = { ...edit, state: 'withdrawn' as const }
    const { edited: isEdited } = messageMarks({ ...inspection, edits: [odd, withdrawn] })
    expect(numbers.filter(isEdited)).toEqual([])
  })
})
