import { type Config, toolRules } from '@plimsoll/core'

/** Sentences about a configuration that is legal and probably not what was meant. */
export function warningsAbout(config: Config, origins: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(config.tool_output_limits.tools).flatMap(([tool, limits]) => {
    if (toolRules(tool)?.kind !== 'file-read') return []
    return (['max_chars', 'max_lines'] as const).flatMap((limit) => {
      const key = `tool_output_limits.tools.${tool}.${limit}`
      const origin = origins[key]
      const value = limits[limit]
      // The specification's own small limit stands in the defaults; nobody has to be told of it at every start.
      if (value === undefined || value > smallRead[limit] || origin === undefined || origin === 'default') return []
      return [`${origin}: ${key}: ${value} hides most of a normal source file from the model`]
    })
  })
}

const smallRead = { max_chars: 5000, max_lines: 200 }
