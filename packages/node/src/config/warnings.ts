import { type Config, toolRules } from '@plimsoll/core'
import { isInTheClear } from './upstream-address.ts'

/** Sentences about a configuration that is legal and probably not what was meant, where somebody set it. */
export function warningsAbout(config: Config, origins: Readonly<Record<string, string>>): readonly string[] {
  const warnings = [...idleSummaries(config), ...smallReads(config), ...openUpstreams(config)].flatMap(({ key, message }) => {
    const origin = origins[key]
    // Nobody has to be told at every start of what stands in the defaults, such as the specification's own small limit.
    return origin === undefined || origin === 'default' ? [] : [`${origin}: ${key}: ${message}`]
  })
  const more = warnings.length - mostWarnings
  return more > 0 ? [...warnings.slice(0, mostWarnings), `and ${more} more warnings`] : warnings
}

const mostWarnings = 20

interface Doubt {
  readonly key: string
  readonly message: string
}

/** A model may only be asked where that is enabled, which is easily forgotten. */
function idleSummaries({ tool_output_limits: limits, summarization }: Config): readonly Doubt[] {
  if (summarization.enabled) return []
  const rows = [
    { key: 'tool_output_limits.default', row: limits.default },
    ...Object.entries(limits.tools).map(([tool, row]) => ({ key: toolKey(tool), row })),
  ]
  return rows
    .filter(({ row }) => row.truncation_strategy === 'summarize')
    .map(({ key }) => ({
      key: `${key}.truncation_strategy`,
      message: 'summarize cuts as head_tail does unless summarization.enabled is true',
    }))
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

/** A key that is sent without encryption can be read by whoever is between. */
function openUpstreams({ gateway: { upstreams } }: Config): readonly Doubt[] {
  return Object.entries(upstreams)
    .filter(([, address]) => isInTheClear(address))
    .map(([name]) => ({
      key: `gateway.upstreams.${name}`,
      message: 'requests and keys go to another machine without encryption',
    }))
}

function toolKey(tool: string): string {
  return `tool_output_limits.tools.${tool}`
}
