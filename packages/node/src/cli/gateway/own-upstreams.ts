import type { GatewaySettings } from '@plimsoll/core/policies'
import { isUpstreamAddress } from '../../config/upstream-address.ts'

/** Where a company's requests go. */
export interface ChosenUpstream {
  /** Without the version that its paths begin with. */
  readonly url: string
  /** What a client has to put between the gateway's address and the paths that it adds itself. */
  readonly path: string
  /** The variable of the user's that says so; null where that is what the settings say. */
  readonly variable: string | null
}

/** Where requests go, by company. */
export type ChosenUpstreams = Readonly<Record<keyof GatewaySettings['upstreams'], ChosenUpstream>>

/**
 * Where an agent's requests would go without a gateway between: an address that the user has set in the usual variables is what they
 * mean. What is no address does not count.
 */
export function ownUpstreams(
  settings: GatewaySettings['upstreams'],
  environment: Readonly<Record<string, string | undefined>>,
): ChosenUpstreams {
  const chosen = (configured: string, path: string, variables: readonly string[]): ChosenUpstream => {
    for (const variable of variables) {
      const address = (environment[variable] ?? '').trim().replace(/\/+$/, '')
      if (address === '' || !isUpstreamAddress(address)) continue
      // A client adds the same paths to the gateway's address as it did to this one.
      const version = /\/v1(?:beta)?$/.exec(address)?.[0] ?? ''
      return { url: address.slice(0, address.length - version.length), path: version, variable }
    }
    return { url: configured, path, variable: null }
  }
  return {
    anthropic: chosen(settings.anthropic, '', ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE']),
    openai: chosen(settings.openai, '/v1', ['OPENAI_BASE_URL', 'OPENAI_API_BASE']),
    gemini: chosen(settings.gemini, '', ['GOOGLE_GEMINI_BASE_URL']),
  }
}
