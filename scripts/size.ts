import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** The amount of product code below a folder, without tests and test helpers. */
export interface Size {
  readonly files: number
  readonly lines: number
  /** Folders with the number of files directly in them, the largest first. */
  readonly folders: readonly { readonly folder: string; readonly files: number }[]
}

/** Measures the product code of one package, or of all. */
export function sizeOf(root: string, folder = 'packages'): Size {
  const files = execFileSync('git', ['ls-files', folder], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\/src\/.*\.tsx?$/.test(path) && !/\.test(?:-d)?\.tsx?$/.test(path) && !path.includes('/testing/'))
  const lines = files.reduce((sum, path) => sum + readFileSync(`${root}/${path}`, 'utf8').split('\n').length - 1, 0)
  const folders = [...Map.groupBy(files, (path) => posix.dirname(path))]
    .map(([name, inside]) => ({ folder: name, files: inside.length }))
    .toSorted((one, other) => other.files - one.files)
  return { files: files.length, lines, folders }
}

if (import.meta.main) {
  const root = new URL('..', import.meta.url).pathname
  for (const folder of ['packages/core', 'packages/node', 'packages/web', 'packages']) {
    const { files, lines, folders } = sizeOf(root, folder)
    console.log(`${folder}: ${files} files, ${lines} lines; largest folder ${folders[0]?.folder} with ${folders[0]?.files} files`)
  }
}
