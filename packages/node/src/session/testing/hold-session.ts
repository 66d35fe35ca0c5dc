// Opens a session and holds it until it gets a line, or prints why it could not.
import { openSession } from '../open-session.ts'
import { SessionError } from '../session-error.ts'

const [, , sessions = '', id = ''] = process.argv
try {
  const session = await openSession(sessions, id)
  process.stdout.write('open\n')
  await new Promise((resolve) => process.stdin.once('data', resolve))
  await session.close()
  process.stdout.write('closed\n')
} catch (error) {
  process.stdout.write(`${error instanceof SessionError ? error.problem.kind : String(error)}\n`)
}
process.exit(0)
