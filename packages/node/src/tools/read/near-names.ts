import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { nearest } from '../../config/nearest.ts'
import { type Inside, shownPath } from '../workspace.ts'

/** What to say of a place where nothing is: with a name of the same folder that was likely meant. */
export async function missingText({ path, shown }: Inside): Promise<string> {
  const missing = `${shownPath(shown)} does not exist`
  const name = basename(path)
  const folder = shown.slice(0, Math.max(0, shown.length - name.length))
  try {
    const names = (await readdir(dirname(path))).slice(0, mostNames)
    const near = nearest(
      name,
      names.filter((candidate) => candidate.length <= longestName),
    )
    return near === null ? `${missing}; use LS or Glob to find it` : `${missing}; did you mean ${shownPath(folder + near)}?`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return `${missing}, nor does its folder; use LS or Glob to find it`
  }
}

const mostNames = 5000
const longestName = 80
