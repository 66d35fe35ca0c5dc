import type { Config } from '@plimsoll/core/policies'
import { z } from 'zod'
import type { Environment } from '../model/server-access.ts'
import type { BlobSink } from '../session/blob-sink.ts'
import type { ToolAccess, ToolOutcome, ToolProgress } from '../shared/event.ts'
import type { Freshness } from './freshness.ts'

/** Something the model can ask for. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** The JSON Schema of its arguments: always an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly access: ToolAccess
  /** Whether calls may run beside others of the same answer. Default: tools that only read. */
  readonly isParallel?: boolean
  /** What a user who allows a call for the rest of the session allows: every call of the tool, or only this very one. Default: `tool`. */
  readonly scope?: 'tool' | 'call'
  /** What is wrong with the arguments, for the model, or null. The user is not asked about a call that cannot run. */
  readonly check?: (input: unknown) => string | null
  /** What a call is about, in one line for people: a path, a command, a pattern. */
  readonly about: (input: unknown) => string
  /** What the user should see before allowing a call, such as a diff. Null if the line is enough. */
  readonly preview?: (input: unknown, context: ToolContext) => Promise<string | null>
  /**
   * Does it. Wrong arguments and everything that goes wrong in the world come back as an outcome with `isError`; it throws only
   * what cannot be expected, and the reason of `context.signal` when that fires.
   */
  readonly run: (input: unknown, context: ToolContext) => Promise<ToolOutcome>
}

/** What a tool works with. */
export interface ToolContext {
  /** The real path of the workspace's folder, which no path leads out of. */
  readonly root: string
  readonly config: Config
  readonly environment: Environment
  /** Ends the work: the user cancelled, or the turn is over. */
  readonly signal: AbortSignal
  readonly progress?: ((progress: ToolProgress) => void) | undefined
  /** When files last changed, for one session. */
  readonly freshness: Freshness
  /** What the model knows of files, for one session: nothing it has not seen is overwritten. */
  readonly seen: SeenFiles
  /** Where large and binary content goes: the session's blobs. */
  readonly blobs: BlobSink
  readonly now: () => number
}

/** A memory of the files that the model has read or written, by their real, absolute paths. */
export interface SeenFiles {
  /** The model has read this state of the file, or part of it, or has just written it. */
  readonly note: (path: string, state: FileState) => void
  /** Whether the file is as the model knows it. The content decides if both hashes are known, else time and size. */
  readonly check: (path: string, current: FileState) => 'unseen' | 'changed' | 'same'
}

/** A file at one moment. */
export interface FileState {
  readonly mtimeMs: number
  readonly size: number
  /** In hexadecimal, of all its bytes; null if the file is too big to be read in full. */
  readonly sha256: string | null
}

interface ToolDefinition<Input> extends Omit<Tool, 'inputSchema' | 'check' | 'about' | 'preview' | 'run'> {
  readonly input: z.ZodType<Input>
  readonly about: (input: Input) => string
  readonly preview?: (input: Input, context: ToolContext) => Promise<string | null>
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutcome>
}

/** A tool whose arguments are checked before it runs; the model is told what is wrong with them. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { input: shape, about, preview, run, ...rest } = definition
  const { $schema: _, ...inputSchema } = z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
  const problemIn = (error: z.ZodError) => `wrong arguments for ${rest.name}: ${problemsIn(error)}`
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

function problemsIn({ issues }: z.ZodError): string {
  const problems = issues.slice(0, 5).map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  return problems.join('; ')
}

/** An outcome in words. */
export function told(text: string, metadata?: Readonly<Record<string, unknown>>): ToolOutcome {
  return { content: { type: 'text', text }, ...(metadata === undefined ? {} : { metadata }) }
}

/** An outcome that is a failure. The text says what happened and what to do; `Error: ` is put before it. */
export function failed(text: string, metadata?: Readonly<Record<string, unknown>>): ToolOutcome {
  return { ...told(`Error: ${text}`, metadata), isError: true }
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

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
  // A file that was only touched is the same, and one of the same time and size may well be another.
  if (known.sha256 !== null && current.sha256 !== null) return known.sha256 === current.sha256
  return known.mtimeMs === current.mtimeMs && known.size === current.size
}
