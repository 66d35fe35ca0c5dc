import type { GatewaySettings } from '@plimsoll/core'
import { isUpstreamAddress } from '../config/upstream-address.ts'

/** Where a company's requests go, and which variable of the user's says so; null where that is what the settings say. */
export interface ChosenUpstream {
  readonly url: string
  readonly variable: string | null
}

/** Where requests go, by company. */
export interface ChosenUpstreams {
  readonly anthropic: ChosenUpstream
  readonly openai: ChosenUpstream
  readonly gemini: ChosenUpstream
  /** What OpenAI's paths begin with at its upstream. */
  readonly openaiPath: '/v1' | ''
}

/**
 * Where an agent's requests would go without a gateway between: an address that the user has set in the usual variables is what they
 * mean. One that leads to the gateway itself, or is none, does not count.
 */
export function ownUpstreams(
  settings: GatewaySettings['upstreams'],
  environment: Readonly<Record<string, string | undefined>>,
  isOurs: (url: string) => boolean = () => false,
): ChosenUpstreams {
  const chosen = (fallback: string, variables: readonly string[]): ChosenUpstream => {
    for (const variable of variables) {
      const url = (environment[variable] ?? '').trim().replace(/\/+$/, '')
      if (url !== '' && isUpstreamAddress(url) && !isOurs(url)) return { url, variable }
    }
    return { url: fallback, variable: null }
  }
  const openai = chosen(settings.openai, ['OPENAI_BASE_URL', 'OPENAI_API_BASE'])
  const hasVersion = openai.url.endsWith('/v1')
  return {
    anthropic: chosen(settings.anthropic, ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE']),
    openai: hasVersion ? { ...openai, url: openai.url.slice(0, -'/v1'.length) } : openai,
    gemini: chosen(settings.gemini, ['GOOGLE_GEMINI_BASE_URL']),
    // An address of the user's own is complete; the settings' is what stands before the version.
    openaiPath: hasVersion || openai.variable === null ? '/v1' : '',
  }
}
