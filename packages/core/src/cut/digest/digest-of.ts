import { type Config, defaultConfig } from '../../config.ts'
import type { DigestSource } from '../../facts.ts'
import { configOf, type Facts, type Tokenizer } from '../../facts.ts'
import { callInput, isRecord, resultText, type ToolResultPart, withShownText } from '../../message.ts'
import { aboutOf, type PlacedResult } from '../../results/tool-results.ts'
import { resultHandle } from '../../results/transcript.ts'
import { uncut } from '../../results/uncut.ts'
import { jsonText } from '../../text/json-text.ts'
import { countPart, estimator } from '../../tokens/count-tokens.ts'
import { digestByKind } from './digest-by-kind.ts'
import { type ReadResult, readResult } from './read-result.ts'

/**
 * A result as a digest: one line of JSON with its status, what matters of its data by the kind of its tool, errors whole, and
 * the handle of the original. Pictures stay beside it: no handle of a text gives them back. Null where that would not be shorter, in characters and in tokens; so a
 * digest has none. Says nothing about whether the result may be compressed at all.
 */
export function digestOf(result: PlacedResult, facts: Facts): ToolResultPart | null {
  return createDigester(facts)(result)
}

/** `digestOf` for many results of one request. */
export function createDigester(facts: Facts): (result: PlacedResult) => ToolResultPart | null {
  const settings = configOf(facts).compression
  const tokens = facts.tokens ?? estimator
  return (result) => {
    const { part, call, rules, tool, isError } = result
    const known = remembered.get(part)
    if (
      known !== undefined &&
      known.call === call &&
      known.rules === rules &&
      known.tool === tool &&
      known.isError === isError &&
      known.settings === settings &&
      known.tokens === tokens
    ) {
      return known.digest
    }
    const digest = settled(result, cleanSettings(settings), tokens)
    remembered.set(part, { call, rules, tool, isError, settings, tokens, digest })
    return digest
  }
}

interface Known extends Pick<PlacedResult, 'call' | 'rules' | 'tool' | 'isError'> {
  readonly settings: Config['compression']
  readonly tokens: Tokenizer
  readonly digest: ToolResultPart | null
}

// The same part comes back at every request, and so does its digest.
const remembered = new WeakMap<ToolResultPart, Known>()

/** Digests until nothing gets shorter, so that a view that is read as a log is left as it is. */
function settled(result: PlacedResult, settings: Config['compression'], tokens: Tokenizer): ToolResultPart | null {
  const whole = uncut(result.part)
  const handle = resultHandle(whole)
  let shown: ToolResultPart | null = null
  let [from, limit] = [whole, result.part]
  // A caller's own rule means what it says the first time.
  const most = result.rules?.digest === undefined ? mostPasses : 1
  for (let pass = 0; pass < most; pass += 1) {
    const text = digestText({ ...result, part: from }, settings, handle)
    const next = text === null ? null : withShownText(from, text)
    if (next === null || !isShorter(next, limit, tokens, 0)) return shown
    if (pass === 0 && hasHandle(result) && !isShorter(next, limit, tokens, handleTokens)) return null
    shown = next
    ;[from, limit] = [next, next]
  }
  return shown
}

/** A digest is in its final form at once; only an answer made to look like one may take more. */
const mostPasses = 8

function digestText(result: PlacedResult, settings: Config['compression'], handle: string): string | null {
  const { part, call, rules, tool, kind, isError } = result
  const { status, fields, text, error, lifted } = readResult(part, isError)
  const source: DigestSource = {
    text,
    fields,
    input: call === null ? null : callInput(call),
    about: aboutOf(result),
    isError,
    settings,
  }
  // A result that nobody can name is not judged by its looks here: the looks of its digest are different.
  const data = rules?.digest === undefined ? digestByKind(tool === null ? 'other' : kind, source) : rules.digest(source)
  if (!isRecord(data)) return null
  const written = jsonText({ status, data: { ...lifted, ...data, recall: handle }, ...errorOf(error) })
  return written === '' ? null : written
}

function errorOf(error: ReadResult['error']): { readonly error?: unknown } {
  return error === undefined || error === null ? {} : { error }
}

function isShorter(digest: ToolResultPart, whole: ToolResultPart, tokens: Tokenizer, least: number): boolean {
  return resultText(digest).length < resultText(whole).length && countPart(digest, tokens) < countPart(whole, tokens) - least
}

/** One handle may take up to so many tokens more than another: what looks like a digest is not digested for that alone. */
const handleTokens = 16

function hasHandle({ part, isError }: PlacedResult): boolean {
  const handle = readResult(part, isError).fields?.['recall']
  return typeof handle === 'string' && /^[0-9a-f]{12}$/.test(handle)
}

/** A configuration may hold anything: what is no number, or below zero, is as if it were not set. */
function cleanSettings(given: Config['compression']): Config['compression'] {
  const known = cleaned.get(given)
  if (known !== undefined) return known
  const defaults = Object.entries(defaultConfig.compression)
  const settings = Object.fromEntries(
    defaults.map(([key, value]) => {
      const set: unknown = given[key as keyof Config['compression']]
      return [key, typeof set === 'number' && set >= 0 ? Math.floor(set) : value]
    }),
  ) as unknown as Config['compression']
  cleaned.set(given, settings)
  return settings
}

const cleaned = new WeakMap<Config['compression'], Config['compression']>()
