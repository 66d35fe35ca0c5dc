import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The conversation that ships with the package, and the facts under which it is worth looking at. */
export interface Example {
  readonly file: string
  /** Milliseconds. */
  readonly now: number
  readonly root: string
}

/** Finds the bundled example. */
export async function findExample(): Promise<Example> {
  const folder = new URL('../../../example/', import.meta.url)
  const { now, root } = JSON.parse(await readFile(new URL('example.json', folder), 'utf8')) as { now: string; root: string }
  return { file: fileURLToPath(new URL('conversation.json', folder)), now: Date.parse(now), root }
}
