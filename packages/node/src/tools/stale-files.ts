import type { FileState, SeenFiles } from './tool.ts'

/** A memory of what the model has seen of files, for one session. It is not stored: after a restart nothing was seen. */
export function createSeenFiles(): SeenFiles {
  const states = new Map<string, FileState>()
  return {
    note(path, state) {
      states.set(path, state)
    },
    check(path, current) {
      const known = states.get(path)
      if (known === undefined) return 'unseen'
      return isSame(known, current) ? 'same' : 'changed'
    },
  }
}

function isSame(known: FileState, current: FileState): boolean {
  // A file that was only touched is no other file, and one of the same time and size may well be.
  if (known.sha256 !== null && current.sha256 !== null) return known.sha256 === current.sha256
  return known.mtimeMs === current.mtimeMs && known.size === current.size
}
