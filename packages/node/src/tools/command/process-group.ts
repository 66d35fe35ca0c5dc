import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from '../../session/lock.ts'

export interface ProcessGroup {
  /** The shell, which leads its own session and group. */
  readonly leader: number
  /** As the system reports it; null if unknown. */
  readonly start: string | null
  /** The pipes that it and its children write to, as the system names them. */
  readonly pipes: readonly string[]
}

export interface GroupProcess {
  readonly pid: number
  readonly name: string
}

export function processGroup(leader: number, pipes: readonly string[]): ProcessGroup {
  return { leader, start: processStart(leader), pipes }
}

/**
 * The processes of a group that still run: those of its session or group, those that hold its pipes, and their children. A
 * process that left all of these is not found: that is how a command leaves something running on purpose. If the system does not
 * list processes, the result is only whether there are any.
 */
export function processesOf({ leader, start, pipes }: ProcessGroup): readonly Row[] {
  const rows = listProcesses()
  if (rows === null) {
    const any = { pid: leader, name: 'process', state: '', parent: 0, group: leader, session: leader, start: 0 }
    return canSignal(-leader) ? [any] : []
  }
  const named = rows.find(({ pid }) => pid === leader)
  // The number belongs to another process by now, and so do the sessions and groups that bear it.
  const isReused = named !== undefined && processStart(leader) !== start
  const began = Number(start?.split(':')[1] ?? 0)
  // Nothing older can be part of it, and asking all processes of a machine for their files is slow.
  const young = rows.filter((row) => row.start >= began)
  const found = new Set<number>()
  for (const { pid, session, group } of young) {
    const isMember = !isReused && (session === leader || group === leader)
    if (isMember || (pipes.length > 0 && holds(pid, pipes))) found.add(pid)
  }
  let before = -1
  while (found.size > before) {
    before = found.size
    for (const { pid, parent } of young) if (found.has(parent)) found.add(pid)
  }
  return young.filter(({ pid, state }) => found.has(pid) && !/[ZX]/.test(state))
}

/** Asks, waits for two seconds, then kills. Returns what is left, such as processes of another user. */
export async function endProcesses(group: ProcessGroup, { patience = 2000 } = {}): Promise<readonly GroupProcess[]> {
  signalAll(group, 'SIGTERM')
  const lastAsked = performance.now() + patience
  while (performance.now() < lastAsked) {
    await sleep(step)
    if (processesOf(group).length === 0) return []
  }
  // More than once, because a process that keeps forking is faster than one look at it.
  for (let round = 0; round < 20; round += 1) {
    signalAll(group, 'SIGKILL')
    await sleep(step)
    if (processesOf(group).length === 0) return []
  }
  return processesOf(group)
}

const step = 25

function signalAll(whole: ProcessGroup, signal: NodeJS.Signals): void {
  const { leader } = whole
  // The group at once, so that none of it can fork in between; then those that left it.
  const targets = new Set(processesOf(whole).map(({ pid, group }) => (group === leader ? -leader : pid)))
  for (const target of targets) canSignal(target, signal)
}

function canSignal(target: number, signal: NodeJS.Signals | 0 = 0): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

interface Row extends GroupProcess {
  readonly state: string
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly start: number
}

function listProcesses(): readonly Row[] | null {
  if (process.platform !== 'linux') return null
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readRow(Number(name)) : []))
  } catch {
    return null
  }
}

function readRow(pid: number): readonly Row[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name may hold anything, brackets too.
    const end = stat.lastIndexOf(')')
    const fields = stat.slice(end + 2).split(' ')
    const [state = '', parent, group, session] = fields
    const name = stat.slice(stat.indexOf('(') + 1, end)
    return [
      { pid, name, state, parent: Number(parent), group: Number(group), session: Number(session), start: Number(fields[19]) },
    ]
  } catch {
    return []
  }
}

function holds(pid: number, pipes: readonly string[]): boolean {
  if (pid === process.pid) return false
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => pipes.includes(linkOf(`/proc/${pid}/fd/${descriptor}`)))
  } catch {
    return false
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
