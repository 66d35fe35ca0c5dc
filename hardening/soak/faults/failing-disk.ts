import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** A folder on a separate disk whose reads and writes can be made to fail with `EIO`. */
interface FailingDisk {
  readonly folder: string
  /** From now on everything that is not in memory fails. */
  readonly fail: () => void
  /** Whether the disk takes a file again: a system that could not read which blocks are free may say ever after that there are none. */
  readonly heal: () => boolean
  readonly remove: () => void
}

/** Mounts a real file system on a loop device. The device fails once it is shorter than the file system. Null if this user may not do that. */
export function createFailingDisk(folder: string): FailingDisk | null {
  mkdirSync(folder, { recursive: true })
  const remove = () => void shell('umount -l "$0"; losetup -j "$0.image" | cut -d : -f 1 | xargs -r losetup -d', folder)
  const isMade = shell(
    'truncate -s 24M "$0.image" && device=$(losetup -f --show "$0.image") && mkfs.ext2 -q "$device" && mount -o errors=continue "$device" "$0" && chmod 700 "$0"',
    folder,
  )
  if (!isMade) {
    remove()
    return null
  }
  const resize = 'losetup -c "$(losetup -j "$0.image" | cut -d : -f 1)"'
  return {
    folder,
    fail: () => void shell(`sync -f "$0" && cp "$0.image" "$0.copy" && truncate -s 64K "$0.image" && ${resize}`, folder),
    heal: () =>
      shell(`truncate -s 24M "$0.image" && dd if="$0.copy" of="$0.image" conv=notrunc && ${resize}`, folder) &&
      shell('dd if=/dev/zero of="$0/trial" bs=64K count=16 conv=fsync && rm "$0/trial"', folder),
    remove,
  }
}

function shell(command: string, path: string): boolean {
  return spawnSync('/bin/sh', ['-c', command, path], { stdio: 'ignore' }).status === 0
}
