/**
 * How much a gateway may change: `observe` nothing, `safe` what a tool has just answered, and never what it read from a file, `spec`
 * and `economy` what those policy sets propose. From the gentlest to the boldest.
 */
export type TrimMode = 'observe' | 'safe' | 'spec' | 'economy'

/** Every mode, the gentlest first. */
export const trimModes: readonly TrimMode[] = ['observe', 'safe', 'spec', 'economy']

/** The mode of one request: what was asked for where that is gentler than what is configured. A word that is no mode asks for nothing. */
export function gentlerMode(configured: TrimMode, asked: string | null): TrimMode {
  const wanted = trimModes.indexOf(asked as TrimMode)
  return wanted < 0 ? configured : (trimModes[Math.min(wanted, trimModes.indexOf(configured))] as TrimMode)
}
