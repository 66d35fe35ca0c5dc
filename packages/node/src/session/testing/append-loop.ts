// Appends to a session until it is killed, and prints each entry once it is durable.
import { openSession } from '../open-session.ts'

const [, , sessions = '', id = '', name = 'm'] = process.argv
const session = await openSession(sessions, id)
let number = 0
async function appendOn(): Promise<void> {
  for (;;) {
    number += 1
    const text = `${number} ${'some words of it '.repeat(number % 40)}`
    const message = { id: `${name}${number}`, role: 'user', parts: [{ type: 'text', text }] } as const
    const [entry] = await session.append([{ type: 'message', message }])
    process.stdout.write(`${entry?.id}\n`)
  }
}
await Promise.all([appendOn(), appendOn(), appendOn()])
