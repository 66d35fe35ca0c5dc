import { basename, dirname } from 'node:path'
import { rawLines } from '../logs/log-lines.ts'
import { createLineCheck, createLogChain, createSealer, foreignSum, unsealed } from '../session/log-chain.ts'
import { readLogEnd } from '../session/log-end.ts'
import { readLineText } from '../session/log-index.ts'
import type { LineProblem } from '../session/session.ts'
import { pathsOf } from '../session/session-folder.ts'
import type { Repair } from './repair.ts'
import { linesBeforeDamage } from './survey-lines.ts'

/** The number of entries that a session's log is known to have had; 0 if unknown. */
export function knownEntries(path: string): number {
  const known = endOf(path)
  return known === null ? 0 : known.number
}

function endOf(path: string) {
  const paths = pathsOf(dirname(path))
  if (basename(path) !== basename(paths.log)) return null
  const known = readLogEnd(paths.end)
  return 'end' in known ? known.end : null
}

/** Lost, changed and misplaced entries of Plimsoll's own log, by its checksums. `hasSums`: it has any. */
export async function findDamage(path: string, bytes: () => AsyncIterable<Uint8Array>) {
  const chain = createLogChain(endOf(path))
  const check = createLineCheck()
  let hasSums = false
  for await (const { line, bytes: raw } of linesBeforeDamage(bytes())) {
    if (raw !== null && raw.length === 0) continue
    const read = raw === null ? null : readLineText(raw.toString('utf8'))
    // Checking a line changes its bytes.
    const found = raw === null ? null : check.whole(Buffer.from(raw))
    const sum = found ?? (read?.kind === 'entry' && read.sum !== undefined ? foreignSum(read.sum) : null)
    hasSums ||= sum !== null
    const isPlainHeader = sum === null && read?.kind === 'entry' && read.entry.type === 'header'
    const isLost = read?.kind !== 'entry' && read?.kind !== 'newer'
    chain.take({ line, offset: 0, sum, isPlainHeader, isReported: isLost, isLost })
  }
  return { hasSums, repairs: chain.problems().flatMap(repairOf) }
}

function repairOf({ kind, line, count }: LineProblem): readonly Repair[] {
  if (kind === 'changed') return [{ kind: 'changed-entry', line }]
  if (kind === 'moved') return [{ kind: 'misplaced-entry', line }]
  return kind === 'missing' ? [{ kind: 'lost-entries', line, ...(count === undefined ? {} : { count }) }] : []
}

/** Gives the lines of a repaired copy new checksums. */
export async function sealLines(bytes: AsyncIterable<Uint8Array>, put: (line: Buffer) => Promise<void>): Promise<void> {
  const sealer = createSealer()
  for await (const { bytes: raw } of rawLines(bytes)) {
    if (raw === null) continue
    const isEntry = readLineText(raw.toString('utf8')).kind === 'entry'
    await put(isEntry ? sealer.seal(unsealed(raw.toString('utf8'))).subarray(0, -1) : raw)
  }
}
