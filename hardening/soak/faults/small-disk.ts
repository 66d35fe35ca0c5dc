import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A folder on a separate disk, which can be filled or made read-only. */
export interface SmallDisk {
  readonly folder: string
  readonly fill: () => void
  readonly free: () => void
  readonly forbid: () => void
  readonly allow: () => void
  /** Enlarges it for everything that follows. */
  readonly grow: () => void
  readonly remove: () => void
}

/** Mounts a disk of this many kilobytes. Null if this user may not mount. */
export function createSmallDisk(folder: string, kilobytes: number): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  if (!shell(`mount -t tmpfs -o size=${kilobytes}k,mode=700 none "$0"`, folder)) return null
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => void shell('cat /dev/zero > "$0" 2> /dev/null', filler),
    free: () => rmSync(filler, { force: true }),
    forbid: () => void shell('mount -o remount,ro "$0"', folder),
    allow: () => void shell('mount -o remount,rw "$0"', folder),
    grow: () => void shell('mount -o remount,size=1g "$0"', folder),
    remove: () => void shell('umount -l "$0"', folder),
  }
}

function shell(command: string, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', command, path], { stdio: 'ignore' }).status === 0
}
