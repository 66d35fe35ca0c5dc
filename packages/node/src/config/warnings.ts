import { type Config, toolRules } from '@plimsoll/core'

/** Sentences about a configuration that is legal and probably not what was meant, where somebody set it. */
export function warningsAbout(config: Config, origins: Readonly<Record<string, string>>): readonly string[] {
  return [...withoutEffect(config), ...smallReads(config)].flatMap(({ key, message }) => {
    const origin = origins[key]
    // Nobody has to be told at every start of what stands in the defaults, such as the specification's own small limit.
    return origin === undefined || origin === 'default' ? [] : [`${origin}: ${key}: ${message}`]
  })
}

interface Doubt {
  readonly key: string
  readonly message: string
}

/** Settings that nothing reads yet. */
function withoutEffect({ tool_output_limits: limits, ...config }: Config): readonly Doubt[] {
  const sections = (['compaction', 'overflow', 'summarization'] as const).flatMap((section) =>
    Object.keys(config[section]).map((key) => `${section}.${key}`),
  )
  const tools = Object.entries(limits.tools)
  const ofTools = tools.flatMap(([tool]) => [`${toolKey(tool)}.max_depth`, `${toolKey(tool)}.max_files`])
  const strategies = [
    { key: 'tool_output_limits.default', row: limits.default },
    ...tools.map(([tool, row]) => ({ key: toolKey(tool), row })),
  ].filter(({ row }) => row.truncation_strategy === 'summarize')
  return [
    ...[...sections, 'rules_files', ...ofTools].map((key) => ({ key, message: 'has no effect in this version' })),
    ...strategies.map(({ key }) => ({
      key: `${key}.truncation_strategy`,
      message: 'summarize cuts as head_tail does in this version',
    })),
  ]
}

const smallRead = { max_chars: 5000, max_lines: 200 }

function smallReads({ tool_output_limits: { tools } }: Config): readonly Doubt[] {
  return Object.entries(tools).flatMap(([tool, limits]) => {
    if (toolRules(tool)?.kind !== 'file-read') return []
    return (['max_chars', 'max_lines'] as const).flatMap((limit) => {
      const value = limits[limit]
      if (value === undefined || value > smallRead[limit]) return []
      return [{ key: `${toolKey(tool)}.${limit}`, message: `${value} hides most of a normal source file from the model` }]
    })
  })
}

function toolKey(tool: string): string {
  return `tool_output_limits.tools.${tool}`
}
