import type { Config } from '@plimsoll/core/policies'
import { labelText, type ModelStrings, modelStrings, pathKey } from '@plimsoll/core/text'
import { z } from 'zod'
import type { ToolOffer } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { BlobSink } from '../session/blob-sink.ts'
import type { ToolAccess, ToolOutcome, ToolProgress } from '../shared/event.ts'

export interface Tool extends ToolOffer {
  readonly access: ToolAccess
  /** Whether calls may run in parallel. Default: tools that only read. */
  readonly isParallel?: boolean
  /** Whether permission for the session counts for every call of the tool, or only for this one. Default: `tool`. */
  readonly scope?: 'tool' | 'call'
  /** The error in the arguments, for the model, or null. The user is not asked about a call that cannot run. */
  readonly check?: (input: unknown) => string | null
  /** One line for the user: a path, a command, a pattern. */
  readonly about: (input: unknown) => string
  /** A preview for the user before allowing a call, such as a diff. Null if the line is enough. */
  readonly preview?: (input: unknown, context: ToolContext) => Promise<string | null>
  /** Expected errors are outcomes with `isError`; it throws only unexpected ones, and the reason of `context.signal`. */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolOutcome>
}

export interface ToolContext {
  /** The real path of the workspace's folder, which no path leads out of. */
  readonly root: string
  readonly config: Config
  /** Texts for the model, in the language of the session. */
  readonly strings: ModelStrings
  readonly environment: Environment
  readonly signal: AbortSignal
  readonly progress?: ((progress: ToolProgress) => void) | undefined
  readonly freshness: Freshness
  /** File contents the model has seen in this session: files it has not seen are never overwritten. */
  readonly seen: SeenFiles
  readonly blobs: BlobSink
  readonly now: () => number
}

export interface SeenFiles {
  readonly note: (path: string, state: FileState) => void
  /** Whether the file is as the model knows it. The content decides if both hashes are known, else time and size. */
  readonly check: (path: string, current: FileState) => 'unseen' | 'changed' | 'same'
}

export interface FileState {
  readonly mtimeMs: number
  readonly size: number
  /** In hexadecimal; null if the file is too big to be read in full. */
  readonly sha256: string | null
}

interface ToolDefinition<Input> extends Omit<Tool, 'inputSchema' | 'check' | 'about' | 'preview' | 'run'> {
  readonly input: z.ZodType<Input>
  readonly about: (input: Input) => string
  readonly preview?: (input: Input, context: ToolContext) => Promise<string | null>
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutcome>
}

export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { input: shape, about, preview, run, ...rest } = definition
  const { $schema: _, ...inputSchema } = z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
  const problemIn = ({ issues }: z.ZodError) => {
    const problems = issues
      .slice(0, 5)
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    return `wrong arguments for ${rest.name}: ${problems.join('; ')}`
  }
  return {
    ...rest,
    inputSchema,
    check(input) {
      const { error } = shape.safeParse(input)
      return error === undefined ? null : problemIn(error)
    },
    about(input) {
      const parsed = shape.safeParse(input)
      return parsed.success ? about(parsed.data) : ''
    },
    ...(preview !== undefined && {
      async preview(input: unknown, context: ToolContext) {
        const parsed = shape.safeParse(input)
        return parsed.success ? preview(parsed.data, context) : null
      },
    }),
    async run(input, context) {
      const parsed = shape.safeParse(input)
      return parsed.success ? run(parsed.data, context) : failed(problemIn(parsed.error))
    },
  }
}

export function told(text: string, metadata?: Readonly<Record<string, unknown>>): ToolOutcome {
  return { content: { type: 'text', text }, ...(metadata === undefined ? {} : { metadata }) }
}

/** Puts `Error: ` before the text, which says what happened and what to do. */
export function failed(text: string, metadata?: Readonly<Record<string, unknown>>): ToolOutcome {
  return { ...told(`Error: ${text}`, metadata), isError: true }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Not stored: after a restart nothing was seen. */
export function createSeenFiles(): SeenFiles {
  const states = new Map<string, FileState>()
  return {
    note: (path, state) => void states.set(path, state),
    check(path, current) {
      const known = states.get(path)
      if (known === undefined) return 'unseen'
      // A file that was only touched is the same, and one of the same time and size may well be another.
      const hasHashes = known.sha256 !== null && current.sha256 !== null
      const isSameTime = known.mtimeMs === current.mtimeMs && known.size === current.size
      return (hasHashes ? known.sha256 === current.sha256 : isSameTime) ? 'same' : 'changed'
    },
  }
}

/** Notices files that others changed between two reads in a session. */
export interface Freshness {
  /** Returns a note for the model if the file changed since it was last read or written here, else null. */
  readonly read: (path: string, mtime: number) => string | null
  readonly wrote: (path: string, mtime: number) => void
  readonly known: () => readonly { readonly path: string; readonly mtime: number }[]
}

/** Watches nothing and is not stored. `root` and `platform` decide which paths are the same file. */
export function createFreshness(
  options: { readonly root?: string; readonly platform?: string; readonly strings?: ModelStrings } = {},
): Freshness {
  const { root, platform, strings = modelStrings } = options
  const files = new Map<string, ReturnType<Freshness['known']>[number]>()

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
      return before === undefined || before === mtime ? null : strings.modifiedExternally(labelText(path, 500))
    },
    wrote: (path, mtime) => void remember(path, mtime),
    known: () => [...files.values()],
  }
}
