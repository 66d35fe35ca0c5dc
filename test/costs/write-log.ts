import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export type Line = Readonly<Record<string, unknown>>

/** Times that never repeat. */
export function clock(start: number): () => string {
  let now = start
  return () => new Date((now += 7_000)).toISOString()
}

export function write(path: string, lines: readonly Line[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

export function writeJson(path: string, value: Line): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(value))
}
