import { callInput, handleOf, type Message, type Part, resultText, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { commandChanges, patchedFiles, shellCommands } from '@plimsoll/core/compaction'
import { type ToolKind, toolRules } from '@plimsoll/core/policies'
import { detached, estimator, isRecord, measurePart, mediaIn } from '@plimsoll/core/text'

export interface MeasuredPart {
  readonly tokens: number
  readonly mediaTokens: number
  /** Of a call, and of a result whose tool is known. */
  readonly kind: ToolKind | null
  /** Of a call: the path, command or pattern it is about. */
  readonly about: string | null
  readonly files: readonly string[]
  readonly changes: readonly string[]
  /** Of a result: the handle of its text. */
  readonly text: string | null
}

/** Measures a part; for one that was made slim, returns its measures from before. */
export function measuredPart(part: Part): MeasuredPart {
  return measures.get(part) ?? measure(part)
}

/** Measures and shortens parts, so that any log fits into memory: handles replace long texts, the user's keep their start. */
export function slimMessage(message: Message): Message {
  const parts = message.parts.map((part) => {
    const measured = measuredPart(part)
    const slim = withoutText(part, message.role === 'user', measured)
    measures.set(slim, measured)
    return slim
  })
  return { ...message, parts }
}

const measures = new WeakMap<Part, MeasuredPart>()

function withoutText(part: Part, isSaid: boolean, { text }: MeasuredPart): Part {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: isSaid ? beginning(part.text, maxMessageLength) : shortened(part.text) }
    case 'reasoning':
      return { type: 'reasoning', text: shortened(part.text) }
    case 'media':
      return { type: 'media', mediaType: part.mediaType, data: null }
    case 'tool-call':
      return { type: 'tool-call', callId: part.callId, tool: part.tool, input: {} }
    case 'tool-result': {
      const { callId, tool, isError } = part
      const content = { type: 'text', text: text ?? '' } as const
      return { type: 'tool-result', callId, tool, content, ...(isError === undefined ? {} : { isError }) }
    }
  }
}

const maxMessageLength = 2000
const maxInlineLength = 60

function shortened(text: string): string {
  return text.length <= maxInlineLength ? text : handleOf(text)
}

function beginning(text: string, length: number): string {
  return text.length <= length ? text : detached(text.slice(0, length))
}

function measure(part: Part): MeasuredPart {
  const tokens = measurePart(part, estimator)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...nothing, tokens }
    case 'media':
      return { ...nothing, tokens, mediaTokens: tokens }
    case 'tool-call':
      return { ...nothing, tokens, ...callMeasure(part) }
    case 'tool-result':
      return {
        ...nothing,
        tokens,
        mediaTokens: mediaTokens(part),
        kind: part.tool === null ? null : (toolRules(part.tool)?.kind ?? 'other'),
        text: handleOf(resultText(part)),
      }
  }
}

const nothing: MeasuredPart = { tokens: 0, mediaTokens: 0, kind: null, about: null, files: [], changes: [], text: null }
/** Longer commands and paths are not shown. */
const maxAboutLength = 300
const maxFiles = 50

function callMeasure(part: ToolCallPart): Pick<MeasuredPart, 'kind' | 'about' | 'files' | 'changes'> {
  const rules = toolRules(part.tool)
  const input = callInput(part)
  const kind = (input === null ? undefined : rules?.kindOf?.(input)) ?? rules?.kind ?? 'other'
  const abouts = input === null ? [] : (rules?.about?.(input) ?? []).slice(0, maxFiles)
  return {
    kind,
    about: abouts[0] === undefined ? null : wholeWords(abouts[0], maxAboutLength),
    files: kind === 'file-read' ? kept(abouts) : kind === 'terminal' ? kept(abouts.flatMap(filesRead)) : [],
    changes: kept(changesOf(part, kind, abouts)),
  }
}

/** Half of a secret at the end would not be recognised as one. */
function wholeWords(text: string, length: number): string {
  const start = beginning(text, length)
  const blank = start === text ? -1 : start.lastIndexOf(' ')
  return blank <= 0 ? start : detached(start.slice(0, blank))
}

const maxCommandLength = 20_000

function changesOf({ input }: ToolCallPart, kind: ToolKind, abouts: readonly string[]): readonly string[] {
  if (kind === 'terminal') {
    return abouts.flatMap((line) => commandChanges(line.slice(0, maxCommandLength))).map(({ path }) => path)
  }
  if (kind !== 'edit' && kind !== 'write') return []
  if (abouts.length > 0) return abouts
  const texts = typeof input === 'string' ? [input] : isRecord(input) ? Object.values(input) : []
  return texts.flatMap((text) => (typeof text === 'string' ? patchedFiles(text) : [])).map(({ path }) => path)
}

function kept(files: readonly string[]): readonly string[] {
  return files.slice(0, maxFiles).map((file) => detached(file.slice(0, maxAboutLength)))
}

function mediaTokens(part: ToolResultPart): number {
  return mediaIn(part).reduce((sum, item) => sum + measurePart(item, estimator), 0)
}

/** The files that a command line shows, such as `cat a.ts` or `cd src && sed -n 1,80p a.ts`; none if it does anything else. */
export function filesRead(line: string): readonly string[] {
  if (line.length > maxLineLength) return []
  const files: string[] = []
  let folder = ''
  for (const { words, outputs } of shellCommands(line)) {
    const [program = '', ...rest] = words
    if (outputs.some(({ path }) => path !== '/dev/null' && !/^\d$/.test(path))) return []
    if (program === 'cd') folder = rest[0] ?? ''
    else if (showing.has(program)) {
      const isWhole = (file: string) => folder === '' || /^(?:[/~]|[A-Za-z]:[\\/])/.test(file)
      for (const file of filesAmong(program, rest)) files.push(isWhole(file) ? file : `${folder}/${file}`)
    } else if (!filters.has(program)) return []
  }
  return files
}

const maxLineLength = 2000
const showing = new Set(['cat', 'head', 'tail', 'sed', 'nl', 'bat', 'less', 'more', 'type', 'Get-Content', 'gc'])
/** Programs that only select lines or count. */
const filters = new Set(['grep', 'wc', 'echo', 'pwd', 'printf', 'true', 'sort', 'uniq', 'cut', 'column'])

function filesAmong(program: string, words: readonly string[]): readonly string[] {
  // Other uses of sed change files, or text on its way through.
  if (program === 'sed' && (!words.includes('-n') || words.some((word) => /^-\w*i|^--in-place/.test(word)))) return []
  const files: string[] = []
  let script = program === 'sed'
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || /^\+?\d+$/.test(word)) continue
    if (script && words[index - 1] !== '-f') script = false
    else if (!/[*?$`]/.test(word)) files.push(word)
  }
  return files
}
