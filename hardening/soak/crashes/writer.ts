import { createSession } from '../../../packages/node/src/session/create-session.ts'
import { openSession } from '../../../packages/node/src/session/open-session.ts'

// Writes numbered messages into a session until it is killed, and prints each number once it is stored:
// `node writer.ts SESSIONS [SESSION]`. The first line is the session's name.

const [sessions = '', known] = process.argv.slice(2)
const session = known === undefined ? await createSession(sessions, { root: '/' }) : await openSession(sessions, known)
process.stdout.write(`${session.id}\n`)
for (let number = session.state().messages.length; ; number += 1) {
  // Some are longer than a page, and some are longer than a pipe.
  const text = `${number} ${'tide '.repeat((number * 7919) % (number % 50 === 0 ? 40_000 : 400))}`
  const message = { id: `m${number}`, role: 'user' as const, parts: [{ type: 'text' as const, text }] }
  await session.append([{ type: 'message', message }])
  process.stdout.write(`${number} ${text.length}\n`)
}
