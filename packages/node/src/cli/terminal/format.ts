import { grouped } from '@plimsoll/core/text'

export { sizeText } from '../../files/time-and-size.ts'
export { grouped }

/** 12.3 % for a share from 0 to 1. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** -58.3 %, +0.4 %, or 0 % if nothing changed. */
export function change(before: number, after: number): string {
  if (before === after || before === 0) return '0 %'
  // A rest is never rounded to nothing.
  const share = after > 0 ? Math.max(after / before - 1, -0.999) : -1
  return `${share > 0 ? '+' : ''}${percent(share)}`
}

/** 812, 9,412, 12.3k, 1.2M, 450M. */
export function shortNumber(count: number): string {
  if (count < 9999.5) return grouped(count)
  const units = ['', 'k', 'M', 'B', 'T']
  let size = count
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${size >= 99.95 ? grouped(size) : size.toFixed(1)}${units[unit]}`
}

/** Dollars with cents, and more digits for smaller amounts. */
export function moneyText(dollars: number): string {
  if (dollars === 0) return '$0.00'
  if (dollars < 0.01) return `$${dollars.toFixed(4)}`
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`
}

export function tildePath(path: string, home: string | null): string {
  if (home === null || home === '' || home === '/') return path
  const isBelow = path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`)
  return isBelow ? `~${path.slice(home.length)}` : path
}

/** 812, 12.3k, 1.2M. */
export function shortTokens(tokens: number): string {
  if (tokens < 1000) return `${Math.round(tokens)}`
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0).replace(/\.0$/, '')}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
}

/** 0.4 s, 12 s, 3 min 05 s. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, '0')} s`
}
