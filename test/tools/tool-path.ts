import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The path of a file in a package that only tests need. `npm run tools` installs these packages. A file that does not exist has a path too:
 * some packages are made for some systems only.
 */
export function toolPath(name: string, file: string): string {
  return join(folderOf(name) ?? join(import.meta.dirname, 'node_modules', name), file)
}

function folderOf(name: string): string | null {
  try {
    const manifest = findPackageJSON(name, import.meta.url)
    return manifest === undefined ? null : dirname(manifest)
  } catch {
    return null
  }
}

/** Loads a package that only tests need; null if it is not installed. */
export async function loadTool(name: string): Promise<unknown> {
  return folderOf(name.split('/').slice(0, 2).join('/')) === null ? null : await import(name)
}
