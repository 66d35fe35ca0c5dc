import { readFile } from 'node:fs/promises'

/** What a page with the inspector is made of besides its data. */
export interface PageAssets {
  readonly script: string
  readonly style: string
}

/** Reads what was built for pages; null where nothing was built. */
export async function readPageAssets(folder: URL = builtFolder): Promise<PageAssets | null> {
  try {
    const [script, style] = await Promise.all(
      ['inspect.js', 'inspect.css'].map((name) => readFile(new URL(name, folder), 'utf8')),
    )
    return script === undefined || style === undefined ? null : { script, style }
  } catch {
    return null
  }
}

/** From the sources and as built, two folders up is the package. */
const builtFolder = new URL('../../dist/web-inspect/', import.meta.url)
