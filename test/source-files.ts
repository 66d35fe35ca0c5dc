import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of the repository, by its path from the root. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One import: its file and its target, as a path from the root if relative. */
export interface Import {
  readonly from: string
  readonly to: string
  readonly relative: boolean
  /** Whether it is a type import, which is gone at run time. */
  readonly typesOnly: boolean
}

/** The repository's folder. */
export const root = fileURLToPath(new URL('..', import.meta.url)).slice(0, -1)

/** The files below a folder whose path matches, in a fixed order; none if the folder does not exist. */
export function readSources(folder: string, matches: (path: string) => boolean): readonly SourceFile[] {
  return filesBelow(folder)
    .filter(matches)
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
}

/** Whether a path is product code rather than tests or test helpers. */
export function isProductCode(path: string): boolean {
  return /\.tsx?$/.test(path) && !/\.test(-d)?\.tsx?$/.test(path) && !path.includes('/testing/')
}

/** The imports and re-exports of a file, in any syntax. */
export function importsOf(file: SourceFile): readonly Import[] {
  return [...withoutComments(file.text).matchAll(importForms)].map((match) => {
    const specifier = match[2] as string
    const relative = specifier.startsWith('.')
    const to = relative ? posix.join(posix.dirname(file.path), specifier) : specifier
    return { from: file.path, to, relative, typesOnly: match[1] !== undefined }
  })
}

/** The text with comments blanked. Good enough for formatted code: a comment starts a line or follows a space. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}

const importForms =
  /(?<!['"])\b(?:(?:import|export)\s+(type\s)?[^'"();=]*?from\s*|(?:import|require)\s*\(?\s*)['"]([^'"\n]+)['"]/g

function filesBelow(folder: string): readonly string[] {
  let names: readonly string[]
  try {
    names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`).sort()
}
