import { escapeHtml } from './escape-html.ts'

export type Scale = ReturnType<typeof scaleOf>

/** A scale between two places that fits all values, with round ticks. */
export function scaleOf(values: readonly number[], from: number, to: number, includes: readonly number[] = []) {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of [...values, ...includes].filter(Number.isFinite)) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) [low, high] = [0, 1]
  const span = high - low
  // Smaller differences cannot be seen, and have no power of ten to divide by.
  const step = stepFor(span > 1e-9 ? span / 5 : 0.01)
  const first = Math.floor(low / step) * step
  const last = Math.max(first + step, Math.ceil(high / step) * step)
  const ticks: number[] = []
  for (let count = 0; first + count * step <= last + step / 2; count += 1) ticks.push(first + count * step)
  return { at: (value: number) => from + ((value - first) / (last - first)) * (to - from), ticks }
}

function stepFor(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10
  return factor * power
}

export function unit(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 10) / 10) : '0'
}

export function drawing(title: string, width: number, height: number, content: readonly string[]): string {
  return `<svg role="img" viewBox="0 0 ${unit(width)} ${unit(height)}" aria-label="${escapeHtml(title)}">${content.join('')}</svg>`
}

export function label(text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end' = 'start', kind = ''): string {
  return `<text x="${unit(x)}" y="${unit(y)}" text-anchor="${anchor}"${kind === '' ? '' : ` class="${kind}"`}>${escapeHtml(text)}</text>`
}

export function line(x1: number, y1: number, x2: number, y2: number, kind = 'axis'): string {
  return `<line x1="${unit(x1)}" y1="${unit(y1)}" x2="${unit(x2)}" y2="${unit(y2)}" class="${kind}"/>`
}

export function bar(x: number, y: number, width: number, height: number, kind: string, title: string): string {
  const size = `x="${unit(x)}" y="${unit(y)}" width="${unit(Math.max(0, width))}" height="${unit(height)}"`
  return `<rect ${size} class="${kind}"><title>${escapeHtml(title)}</title></rect>`
}

export function dot(x: number, y: number, kind: string, title: string, radius = 5): string {
  return `<circle cx="${unit(x)}" cy="${unit(y)}" r="${unit(radius)}" class="${kind}"><title>${escapeHtml(title)}</title></circle>`
}
