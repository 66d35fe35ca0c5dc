// Reads lengths, appends a message of each, and prints the outcome and the new length of the log.
import { statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openSession } from '../open-session.ts'
import { pathsOf } from '../session-folder.ts'

const [, , sessions = '', id = ''] = process.argv
const session = await openSession(sessions, id)
const { log } = pathsOf(session.folder)
let number = 0
process.stdout.write('open\n')
for await (const line of createInterface({ input: process.stdin })) {
  number += 1
  const message = { id: `m${number}`, role: 'user', parts: [{ type: 'text', text: 'words. '.repeat(Number(line)) }] } as const
  const said = await session.append([{ type: 'message', message }]).then(
    () => 'written',
    (error: unknown) => String(error),
  )
  process.stdout.write(`${JSON.stringify({ said, bytes: statSync(log).size })}\n`)
}
