import { labelText, modelStrings, pathKey } from '@plimsoll/core/text'

/** Notices, while a session runs, that a file changed between two reads without the agent having done it. */
export interface Freshness {
  /** A file was read. Returns the note for the model when it changed since it was last read or written here, else null. */
  readonly read: (path: string, mtime: number) => string | null
  /** The agent itself changed a file: by an edit, a write, or a formatter it ran. */
  readonly wrote: (path: string, mtime: number) => void
  /** Every file that was read or written here, by the path that was last used for it, with the time it had then. */
  readonly known: () => readonly KnownFile[]
}

export interface KnownFile {
  readonly path: string
  readonly mtime: number
}

/**
 * A memory of when files last changed, for one session. It holds only what was read or written, watches nothing, and is not stored.
 * Invalid times are ignored. `root` and `platform` decide which paths are one file.
 */
export function createFreshness({ root, platform }: { readonly root?: string; readonly platform?: string } = {}): Freshness {
  const files = new Map<string, KnownFile>()

  function remember(path: string, mtime: number): number | undefined {
    const key = pathKey(path, root, platform)
    if (key === '' || !Number.isFinite(mtime)) return undefined
    const before = files.get(key)?.mtime
    files.set(key, { path, mtime })
    return before
  }

  return {
    read(path, mtime) {
      const before = remember(path, mtime)
      return before === undefined || before === mtime ? null : modelStrings.modifiedExternally(labelText(path, 500))
    },
    wrote(path, mtime) {
      remember(path, mtime)
    },
    known: () => [...files.values()],
  }
}
