import { isMapping } from '../../config/mapping.ts'

/** What Claude Code tells the command of its status line, as far as it is of use here. Every field may be missing. */
export interface HookInput {
  readonly model: string | null
  readonly modelName: string | null
  readonly transcript: string | null
  readonly window: number | null
  /** What the last request held, by the provider's count. */
  readonly used: number | null
  readonly dollars: number | null
}

/** Nothing is known. */
export const noInput: HookInput = { model: null, modelName: null, transcript: null, window: null, used: null, dollars: null }

/** Reads what came on standard input. Whatever is not as expected is not known. */
export function readHookInput(text: string): HookInput {
  const value = parse(text)
  const model = fields(value, 'model')
  const context = fields(value, 'context_window')
  const usage = fields(context, 'current_usage')
  const window = count(context['context_window_size'])
  const counted = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) => count(usage[key]))
  const share = context['used_percentage']
  const byShare = typeof share === 'number' && share > 0 && window !== null ? Math.round((share / 100) * window) : null
  const sum = counted.reduce<number>((total, tokens) => total + (tokens ?? 0), 0)
  return {
    model: wordsOf(model['id']),
    modelName: wordsOf(model['display_name']) ?? wordsOf(model['id']),
    transcript: wordsOf(value['transcript_path']),
    window,
    used: sum > 0 ? sum : byShare,
    dollars: count(fields(value, 'cost')['total_cost_usd']),
  }
}

type Fields = Readonly<Record<string, unknown>>

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isMapping(value) ? value : {}
  } catch {
    return {}
  }
}

function fields(value: Fields, key: string): Fields {
  const inner = value[key]
  return isMapping(inner) ? inner : {}
}

function wordsOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
