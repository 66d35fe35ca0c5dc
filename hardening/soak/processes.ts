import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A process as reported by the system. */
export interface ListedProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** The processes with a folder in their environment or command line, except this one. */
export function processesIn(folder: string): readonly ListedProcess[] {
  return allProcesses().filter(
    ({ pid, command }) => pid !== process.pid && (command.includes(folder) || readFrom(pid, 'environ').includes(folder)),
  )
}

/** The descendants of a process. */
export function descendantsOf(pid: number): readonly ListedProcess[] {
  const all = allProcesses()
  const found = new Set([pid])
  for (let before = 0; found.size > before; ) {
    before = found.size
    for (const one of all) if (found.has(one.parent)) found.add(one.pid)
  }
  return all.filter((one) => one.pid !== pid && found.has(one.pid))
}

/** Memory in bytes and the targets of open descriptors of a process. Null if it has ended. */
export function usageOf(pid: number): { readonly memory: number; readonly descriptors: readonly string[] } | null {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFrom(pid, 'status')) ?? []
  if (kilobytes === undefined) return null
  try {
    const names = readdirSync(`/proc/${pid}/fd`)
    return { memory: Number(kilobytes) * 1024, descriptors: names.map((name) => linkOf(`/proc/${pid}/fd/${name}`)) }
  } catch {
    return null
  }
}

/** The peak memory of a process, in bytes; null if it has ended. */
export function peakMemory(pid: number): number | null {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFrom(pid, 'status')) ?? []
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

function allProcesses(): readonly ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = readFrom(Number(name), 'stat')
    // The name in parentheses may contain anything.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (parent === undefined || state === 'Z') return []
    return [{ pid: Number(name), parent: Number(parent), command: readFrom(Number(name), 'cmdline').replaceAll('\0', ' ') }]
  })
}

function readFrom(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // It has ended or belongs to another user.
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
