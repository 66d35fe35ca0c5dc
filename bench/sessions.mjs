import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSession } from '../packages/node/dist/session/create-session.js'
import { readSession } from '../packages/node/dist/session/open-session.js'

const megabyte = 1_000_000
const size = 100 * megabyte
const rounds = 5
const groupLength = 500

/** Opening a session of 100 MB with compactions, and appending entries in many parallel calls. */
export async function sessionsBench() {
  const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  try {
    return [...(await openRows(sessions)), ...(await appendRows(sessions))]
  } finally {
    rmSync(sessions, { recursive: true, force: true })
  }
}

async function openRows(sessions) {
  const id = await writeLongSession(sessions)
  const times = []
  for (let round = 0; round < rounds; round += 1) times.push(await timeOpening(sessions, id))
  globalThis.gc()
  const before = process.memoryUsage()
  const session = await readSession(sessions, id)
  const state = session.state()
  globalThis.gc()
  const after = process.memoryUsage()
  const held = (after.heapUsed + after.external - before.heapUsed - before.external) / megabyte
  if (state.folds.length === 0 || state.messages.length === 0) throw new Error('expected a session with folds and messages')
  const entries = session.heads().length
  await session.close()
  return [
    {
      name: `open a session of 100 MB (${entries} entries, 10 folds) with its state; median`,
      value: times.sort((a, b) => a - b)[rounds >> 1],
      unit: 'ms',
      bound: '< 1000 ms',
    },
    { name: 'memory it then holds', value: held, unit: 'MB', bound: '< 50 MB' },
  ]
}

async function timeOpening(sessions, id) {
  const start = performance.now()
  const session = await readSession(sessions, id)
  session.state()
  const time = performance.now() - start
  await session.close()
  return time
}

async function appendRows(sessions) {
  const session = await createSession(sessions)
  const calls = 20_000
  const together = 200
  let next = 0
  const start = performance.now()
  const worker = async () => {
    while (next < calls) {
      next += 1
      await session.append([{ type: 'message', message: messageOf(`m${next}`, 200) }])
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  const rate = calls / ((performance.now() - start) / 1000)
  await session.close()
  const path = join(sessions, 'sync')
  const handle = await open(path, 'a')
  const syncs = 200
  const from = performance.now()
  for (let index = 0; index < syncs; index += 1) {
    await handle.write('one line\n')
    await handle.datasync()
  }
  const sync = (performance.now() - from) / syncs
  await handle.close()
  return [
    {
      name: `append entries, ${together} calls at a time, each durable when it returns`,
      value: rate,
      unit: 'entries/s',
      bound: '>= 10000',
    },
    { name: 'one write and sync on this disk, for comparison', value: sync, unit: 'ms' },
  ]
}

/** A session of this size with ten compactions, like a long conversation. */
async function writeLongSession(sessions) {
  const session = await createSession(sessions)
  const folds = 10
  const groupsPerFold = Math.round(size / folds / (groupLength * 1470))
  let number = 0
  for (let fold = 0; fold <= folds; fold += 1) {
    const first = number
    const groups = fold < folds ? groupsPerFold : 1
    for (let group = 0; group < groups; group += 1) {
      await session.append(
        Array.from({ length: groupLength }, () => {
          number += 1
          return { type: 'message', message: messageOf(`m${number}`, number % 50 === 0 ? 20_000 : 900) }
        }),
      )
    }
    if (fold === folds) break
    const into = { id: `s${fold}`, role: 'system', summary: true, parts: [{ type: 'text', text: 'summary '.repeat(500) }] }
    const edit = {
      id: `fold-${fold}`,
      policy: 'compaction',
      why: 'bench',
      kind: 'fold',
      first: `m${first + 1}`,
      last: `m${number}`,
      into,
    }
    await session.append([{ type: 'edits', apply: [edit] }])
  }
  await session.close()
  return session.id
}

function messageOf(id, length) {
  const line = `${id} src/session/log.ts:42 read the file, wrote "it" back, and went on\n`
  return { id, role: 'user', parts: [{ type: 'text', text: line.repeat(Math.ceil(length / line.length)) }] }
}
