import type { Facts } from '../facts.ts'
import { callInput, inputText } from '../message.ts'
import { aboutOf, type PlacedResult } from '../results/tool-results.ts'
import { pathKey } from '../text/paths.ts'
import { commandChanges, patchedFiles } from './command-changes.ts'

/** A file that was changed, and how, in one or two words. */
export interface FileChange {
  readonly path: string
  readonly change: string
}

/**
 * Every file that results, or commands that were given as text, show to be changed: each once, in the order of its first change,
 * with what was done and how often.
 */
export function changedFiles(results: readonly PlacedResult[], commands: readonly string[], facts: Facts): readonly FileChange[] {
  const files = new Map<string, { readonly path: string; readonly counts: Map<string, number> }>()
  const add = ({ path, change }: FileChange) => {
    const key = pathKey(path, facts.root, facts.platform)
    if (key === '') return
    const file = files.get(key) ?? { path, counts: new Map() }
    const times = (file.counts.get(change) ?? 0) + 1
    // Anew each time, so that what was done last stands last: a file that was deleted and written again is there.
    file.counts.delete(change)
    file.counts.set(change, times)
    files.set(key, file)
  }
  for (const result of results) for (const change of changesOf(result)) add(change)
  for (const command of commands) for (const change of commandChanges(command)) add(change)
  return [...files.values()].map(({ path, counts }) => ({ path, change: [...counts].map(timesSaid).join(', ') }))
}

/** The files that one result shows to be changed, in the order of the call. */
export function changesOf(result: PlacedResult): readonly FileChange[] {
  const { kind, call, isError } = result
  if (call === null) return []
  if (kind === 'terminal') {
    // A line of commands may fail after its first one has written a file.
    const changes = aboutOf(result).flatMap(commandChanges)
    return isError ? changes.map(({ path, change }) => ({ path, change: `${change} by a command that failed` })) : changes
  }
  if (isError || (kind !== 'edit' && kind !== 'write')) return []
  const paths = aboutOf(result)
  if (paths.length > 0) return paths.map((path) => ({ path, change: kind === 'write' ? 'written' : 'edited' }))
  const input = callInput(call)
  const texts = input === null ? [inputText(call)] : Object.values(input).filter((value) => typeof value === 'string')
  return texts.flatMap(patchedFiles)
}

function timesSaid([change, count]: readonly [string, number]): string {
  return count === 1 ? change : `${change} ${count} times`
}
