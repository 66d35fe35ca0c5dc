import { perPair } from '../derive.ts'
import type { Message, Part, ToolCallPart } from '../message.ts'
import { diffValue, type Patch, type Path, patchValue } from '../text/patch.ts'
import type { VendorMessage } from './create-codec.ts'
import type { Dialect, FindCall, Origin, Piece, RawMessage, Sharing } from './dialect.ts'
import { withBlockText } from './result-content.ts'

export interface Source {
  readonly dialect: Dialect
  readonly vendorMessages: readonly VendorMessage[]
  readonly messages: readonly Message[]
  readonly root: Path
  readonly blocks: string
}

/** The changes that make a request match a view of its messages. Throws if the view has them in another order. */
export function viewPatches(source: Source, view: readonly Message[]): readonly Patch[] {
  const { kept, runs } = matchView(source.messages, view)
  const patches: Patch[] = []
  const { dialect, blocks } = source
  const [outer, inner, ...deeper] = source.root
  let position = 0
  for (const vendorMessage of source.vendorMessages) {
    const start = position
    position += vendorMessage.messages.length
    let index = start
    while (index < position && kept[index] === vendorMessage.messages[index - start]) index += 1
    if (index === position) continue
    const made =
      position - start > maxRemembered || deeper.length > 0
        ? vendorMessagePatches(source, vendorMessage, kept.slice(start, position))
        : rememberedPatches(
            vendorMessage,
            dialect,
            blocks,
            outer,
            inner,
            kept[start],
            start + 1 < position ? kept[start + 1] : undefined,
            start + 2 < position ? kept[start + 2] : undefined,
            start + 3 < position ? kept[start + 3] : undefined,
          )
    for (const patch of made) patches.push(patch)
  }
  if (runs.length === 0) return patches
  const places = placesOf(source.vendorMessages)
  const written = writerFor(source, places, kept)
  for (const run of runs) for (const patch of runPatches(source, places, run, written)) patches.push(patch)
  return patches
}

type Place = { readonly vendorMessage: VendorMessage; readonly piece: Piece }
type Run = { readonly after: number; readonly before: number; readonly messages: readonly Message[] }

export function placesOf(vendorMessages: readonly VendorMessage[]): readonly Place[] {
  return vendorMessages.flatMap((vendorMessage) => vendorMessage.pieces.map((piece) => ({ vendorMessage, piece })))
}

function matchView(originals: readonly Message[], view: readonly Message[]) {
  const kept: (Message | undefined)[] = originals.map(() => undefined)
  const runs: Run[] = []
  let added: Message[] = []
  let last = -1
  let positions: Map<string, number> | undefined
  for (const message of view) {
    let position = originals[last + 1]?.id === message.id ? last + 1 : undefined
    if (position === undefined) {
      positions ??= new Map(originals.map(({ id }, index) => [id, index] as const))
      position = positions.get(message.id)
    }
    if (position === undefined || !isSameMessage(originals[position] as Message, message)) {
      added.push(message)
      continue
    }
    if (position <= last)
      throw new Error(`message ${JSON.stringify(message.id)} does not stand in the view where the conversation has it`)
    if (added.length > 0) runs.push({ after: last, before: position, messages: added })
    added = []
    kept[position] = message
    last = position
  }
  if (added.length > 0) runs.push({ after: last, before: originals.length, messages: added })
  return { kept, runs }
}

function isSameMessage(original: Message, message: Message): boolean {
  return original === message || (original.role === message.role && original.parts.length === message.parts.length)
}

export function vendorMessagePatches(
  { dialect, root, blocks }: Pick<Source, 'dialect' | 'root' | 'blocks'>,
  { index: position, entries, field, pieces }: VendorMessage,
  now: readonly (Message | undefined)[],
): readonly Patch[] {
  const isOutside = position < 0
  const baseOf = (entry: number): Path => (isOutside ? root.slice(0, -1) : [...root, position + entry])
  if (now.every((message) => message === undefined)) {
    if (isOutside) return [{ op: 'remove', path: [...baseOf(0), field as string] }]
    return entries.map((_raw, entry) => ({ op: 'remove', path: baseOf(entry) }))
  }
  return pieces.flatMap((piece, index) => {
    const message = now[index]
    if (message !== undefined) return partPatches(dialect, entries, piece, message.parts, baseOf)
    const list = [...baseOf(0), blocks]
    const count = piece.last - piece.first + 1
    return Array.from({ length: count }, (_, offset): Patch => ({ op: 'remove', path: [...list, piece.first + offset] }))
  })
}

const maxRemembered = 4

/** The same change is the same list of patches at every request, so that a caller can remember the bytes it gives. */
const rememberedPatches = perPair(
  (
    vendorMessage: VendorMessage,
    dialect: Dialect,
    blocks: string,
    outer: Path[number] | undefined,
    inner: Path[number] | undefined,
    ...now: readonly (Message | undefined)[]
  ) =>
    vendorMessagePatches(
      { dialect, blocks, root: [outer, inner].filter((step) => step !== undefined) },
      vendorMessage,
      now.slice(0, vendorMessage.messages.length),
    ),
)

function partPatches(
  dialect: Dialect,
  entries: readonly RawMessage[],
  piece: Piece,
  parts: readonly Part[],
  baseOf: (entry: number) => Path,
): readonly Patch[] {
  return parts.flatMap((after, index): readonly Patch[] => {
    const before = piece.parts[index] as Part
    if (before === after) return []
    const { path, entry = 0 } = piece.origins[index] ?? nowhere
    const place = [...baseOf(entry), ...path]
    if (after.type === 'reasoning' && after.text === '' && (path.length > 0 || entries.length > 1))
      return [{ op: 'remove', path: place }]
    const value = valueAt(entries[entry], path)
    return diffValue(value, rewrite(dialect, value, before, after), place)
  })
}

function rewrite(dialect: Dialect, value: unknown, before: Part, after: Part): unknown {
  const block = value as RawMessage
  if (before.type === 'tool-result' && after.type === 'tool-result') return dialect.rewriteResult(block, before, after)
  if (before.type === 'tool-call' && after.type === 'tool-call') return dialect.rewriteCall(block, after)
  if (before.type === 'reasoning' && after.type === 'reasoning' && dialect.rewriteReasoning !== undefined)
    return dialect.rewriteReasoning(block, before, after)
  if ((before.type !== 'text' && before.type !== 'reasoning') || before.type !== after.type)
    return dialect.replace(value, before, after)
  return typeof value === 'string' ? after.text : withBlockText(block, after.text)
}

const nowhere: Origin = { block: 0, path: [] }

function runPatches(
  { dialect, root, blocks: field }: Source,
  places: readonly Place[],
  run: Run,
  written: Writer,
): readonly Patch[] {
  const previous = places[run.after]
  const next = places[run.before]
  const index = previous === undefined ? 0 : previous.vendorMessage.index + previous.vendorMessage.entries.length
  const inList = (values: readonly unknown[]) => values.map((value): Patch => ({ op: 'insert', path: [...root, index], value }))
  const { sharing } = dialect
  if (sharing === null) return inList(run.messages.flatMap((message) => written(message, dialect.write)))

  const inMessage = (vendorMessage: VendorMessage, block: number, values: readonly unknown[]) =>
    values.map((value): Patch => ({ op: 'insert', path: [...root, vendorMessage.index, field, block], value }))
  const end = run.messages.findIndex((message) => message.role !== 'tool')
  const results = end < 0 ? run.messages : run.messages.slice(0, end)
  const others = run.messages.slice(results.length)
  const blocks = results.flatMap((message) => written(message, sharing.blocks))
  const patches = blocks.length === 0 ? [] : shared(blocks, sharing)
  if (sharing.takesText && previous !== undefined && previous.vendorMessage === next?.vendorMessage) {
    const values = others.flatMap((message) => written(message, sharing.blocks))
    return patches.concat(inMessage(previous.vendorMessage, previous.piece.last + 1, values))
  }
  return patches.concat(inList(others.flatMap((message) => written(message, dialect.write))))

  /** Results join the message with the results before them, else that with those after them, else a new one. */
  function shared(values: readonly unknown[], { takesResults, around }: Sharing): readonly Patch[] {
    if (previous?.piece.role === 'tool' && takesResults(previous.vendorMessage.entries[0] as RawMessage))
      return inMessage(previous.vendorMessage, previous.piece.last + 1, values)
    const mayGoOn = others.length === 0 && next !== undefined && next.vendorMessage.index >= 0
    return mayGoOn && takesResults(next.vendorMessage.entries[0] as RawMessage)
      ? inMessage(next.vendorMessage, next.piece.first, values)
      : inList([around(values)])
  }
}

type Writer = (message: Message, write: (message: Message, findCall: FindCall) => readonly unknown[]) => readonly unknown[]

function writerFor({ dialect, messages }: Source, places: readonly Place[], kept: readonly (Message | undefined)[]): Writer {
  const findCall = callFinder(messages)
  let left: Map<string | null, Place[]> | undefined
  return (message, write) => {
    left ??= Map.groupBy(
      places.filter((_place, position) => kept[position] === undefined),
      ({ piece: { parts } }) => (parts[0]?.type === 'tool-result' ? parts[0].callId : null),
    )
    const [result] = message.parts
    const candidates = result?.type === 'tool-result' && result.callId !== null ? (left.get(result.callId) ?? []) : []
    const at = candidates.findIndex(({ piece }) => isSameResult(piece, message))
    const [place] = at < 0 ? [] : candidates.splice(at, 1)
    return place === undefined ? write(message, findCall) : [rewritten(dialect, place, message)]
  }
}

function isSameResult({ parts }: Piece, message: Message): boolean {
  const [was] = parts
  const [is] = message.parts
  if (was === is) return parts.length === message.parts.length
  if (was?.type !== 'tool-result' || is?.type !== 'tool-result' || parts.length !== message.parts.length) return false
  return was.tool === is.tool && was.isError === is.isError && was.status === is.status
}

function rewritten(dialect: Dialect, { vendorMessage: { entries }, piece }: Place, message: Message): unknown {
  const { entry = 0, path } = piece.origins[0] ?? nowhere
  const patches = partPatches(dialect, entries, piece, message.parts, () => [])
  return valueAt(patchValue(entries[entry], patches), path)
}

export function callFinder(messages: readonly Message[]): FindCall {
  let calls: Map<string, ToolCallPart> | undefined
  return (callId) => {
    if (calls === undefined) {
      calls = new Map()
      for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
    }
    return callId === null ? undefined : calls.get(callId)
  }
}

function valueAt(raw: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Readonly<Record<string | number, unknown>>)[step], raw)
}
