import type { Message, ToolCallPart } from '../message.ts'
import type { FindCall } from './dialect.ts'
import { fitDialect } from './fit-dialect.ts'
import type { RequestRules } from './request-rules.ts'

/** Writes messages one run at a time: a message, or all the results that stand together. */
export interface RunWriter {
  /** The message as the dialect can take it. */
  readonly fit: (message: Message) => readonly Message[]
  /** What the messages of a run become. Expects them as `fit` gives them. */
  readonly write: (run: readonly Message[], findCall: FindCall) => readonly unknown[]
}

/** A writer that makes everything anew, so that what it writes belongs to the caller. */
export function createRunWriter(rules: RequestRules): RunWriter {
  return {
    fit: (message) => fitDialect(message, rules),
    write: (run, findCall) => writeRun(run, rules, findCall),
  }
}

/** A writer that gives the very same values for the same messages each time. They must not be changed. */
export function sharedRunWriter(rules: RequestRules): RunWriter {
  let writer = shared.get(rules)
  if (writer === undefined) {
    writer = rememberRuns(createRunWriter(rules))
    shared.set(rules, writer)
  }
  return writer
}

const shared = new WeakMap<RequestRules, RunWriter>()

interface WrittenRun {
  readonly run: readonly Message[]
  /** The calls that its results answer, whose names may stand in what is written. */
  readonly calls: readonly (ToolCallPart | undefined)[]
  readonly values: readonly unknown[]
}

function rememberRuns({ fit, write }: RunWriter): RunWriter {
  const fitted = new WeakMap<Message, readonly Message[]>()
  const written = new WeakMap<Message, WrittenRun>()
  return {
    fit(message) {
      let known = fitted.get(message)
      if (known === undefined) {
        known = fit(message)
        fitted.set(message, known)
      }
      return known
    },
    write(run, findCall) {
      const [first] = run
      if (first === undefined) return []
      const calls = callsBehind(run, findCall)
      const known = written.get(first)
      if (known !== undefined && isSame(known.run, run) && isSame(known.calls, calls)) return known.values
      const values = write(run, findCall)
      written.set(first, { run, calls, values })
      return values
    },
  }
}

function writeRun(run: readonly Message[], { dialect }: RequestRules, findCall: FindCall): readonly unknown[] {
  const written: unknown[] = []
  // What could not be a result must not stand between a call and its results.
  const results = run.filter(isResult)
  if (results.length > 0) for (const value of writeResults(results, dialect, findCall)) written.push(value)
  for (const message of run) if (!isResult(message)) for (const value of dialect.write(message, findCall)) written.push(value)
  return written
}

function writeResults(results: readonly Message[], dialect: RequestRules['dialect'], findCall: FindCall): readonly unknown[] {
  const { sharing } = dialect
  if (sharing === null) return results.flatMap((message) => dialect.write(message, findCall))
  return [sharing.around(results.flatMap((message) => sharing.blocks(message, findCall)))]
}

function isResult({ role }: Message): boolean {
  return role === 'tool'
}

function callsBehind(run: readonly Message[], findCall: FindCall): WrittenRun['calls'] {
  const calls: (ToolCallPart | undefined)[] = []
  for (const { parts } of run) for (const part of parts) if (part.type === 'tool-result') calls.push(findCall(part.callId))
  return calls
}

function isSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list.length === other.length && list.every((item, index) => item === other[index])
}
