/** Tokens in a few characters: 812, 12.3k, 1.2M. */
export function shortTokens(tokens: number): string {
  if (tokens < 1000) return `${Math.round(tokens)}`
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0).replace(/\.0$/, '')}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
}

/** A time that passed: 0.4 s, 12 s, 3 min 05 s. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, '0')} s`
}
