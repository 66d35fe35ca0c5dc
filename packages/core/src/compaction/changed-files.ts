import type { Facts } from '../facts.ts'
import { callInput, inputText } from '../message.ts'
import { aboutOf, type PlacedResult } from '../results/tool-results.ts'
import { pathKey } from '../text/paths.ts'
import { type ShellCommand, shellCommands } from './shell-commands.ts'

export interface FileChange {
  readonly path: string
  readonly change: string
}

/** The files that results or commands changed, in order of first change, with each kind of change and its count. */
export function changedFiles(results: readonly PlacedResult[], commands: readonly string[], facts: Facts): readonly FileChange[] {
  const files = new Map<string, { readonly path: string; readonly counts: Map<string, number> }>()
  const add = ({ path, change }: FileChange) => {
    const key = pathKey(path, facts.root, facts.platform)
    if (key === '') return
    const file = files.get(key) ?? { path, counts: new Map() }
    const times = (file.counts.get(change) ?? 0) + 1
    // Reinsert, so that the last change comes last: a file that was deleted and written again exists.
    file.counts.delete(change)
    file.counts.set(change, times)
    files.set(key, file)
  }
  for (const result of results) for (const change of changesOf(result)) add(change)
  for (const command of commands) for (const change of commandChanges(command)) add(change)
  return [...files.values()].map(({ path, counts }) => ({
    path,
    change: [...counts].map(([change, count]) => (count === 1 ? change : `${change} ${count} times`)).join(', '),
  }))
}

export function changesOf(result: PlacedResult): readonly FileChange[] {
  const { kind, call, isError } = result
  if (call === null) return []
  if (kind === 'terminal') {
    // A command line may fail after its first command has written a file.
    const changes = aboutOf(result).flatMap(commandChanges)
    return isError ? changes.map(({ path, change }) => ({ path, change: `${change} by a command that failed` })) : changes
  }
  if (isError || (kind !== 'edit' && kind !== 'write')) return []
  const paths = aboutOf(result)
  if (paths.length > 0) return all(paths, kind === 'write' ? 'written' : 'edited')
  const input = callInput(call)
  const texts = input === null ? [inputText(call)] : Object.values(input).filter((value) => typeof value === 'string')
  return texts.flatMap(patchedFiles)
}

/** The files that a command line changes. Skips paths that depend on a variable, a pattern or a program. */
export function commandChanges(line: string): readonly FileChange[] {
  const changes: FileChange[] = []
  let folder = ''
  const add = (path: string | undefined, change: string) => {
    if (path !== undefined && isPlain(path)) changes.push({ path: pathInFolder(folder, path), change })
  }
  for (const command of shellCommands(line)) {
    const target = command.words[0] === 'cd' ? command.words[1] : undefined
    if (target !== undefined && isPlain(pathInFolder(folder, target))) folder = pathInFolder(folder, target)
    for (const { path, appends } of command.outputs) add(path, appends ? 'appended to' : 'written')
    for (const { path, change } of programChanges(command)) add(path, change)
  }
  for (const { path, change } of [...patchedFiles(line), ...scriptChanges(line)]) add(path, change)
  return changes
}

function programChanges({ words }: Pick<ShellCommand, 'words'>): readonly FileChange[] {
  const [given = '', ...rest] = words
  const program = given.slice(given.lastIndexOf('/') + 1)
  if (program === 'git') {
    const [action = '', ...others] = rest
    if (action === 'mv' || action === 'rm') return programChanges({ words: [action, ...others] })
    return all(
      action === 'restore'
        ? named(others)
        : action === 'checkout' && others.includes('--')
          ? others.slice(others.indexOf('--') + 1)
          : [],
      'restored',
    )
  }
  if (program === 'mv') return moved(named(rest))
  if (program === 'tee') return all(named(rest), rest.includes('-a') ? 'appended to' : 'written')
  if (/^(?:rm|unlink)$/.test(program)) return all(named(rest), 'deleted')
  if (/^(?:touch|truncate)$/.test(program)) return all(named(rest), 'touched')
  if (/^(?:cp|ln|install)$/.test(program)) return all(named(rest).slice(-1), 'copied')
  return /^(?:sed|perl)$/.test(program) ? all(editedInPlace(rest), 'edited') : []
}

function all(paths: readonly string[], change: string): readonly FileChange[] {
  return paths.map((path) => ({ path, change }))
}

function moved(names: readonly string[]): readonly FileChange[] {
  const to = names.at(-1)
  if (to === undefined || names.length < 2) return []
  const from = all(names.slice(0, -1), `moved to ${to}`)
  return to.endsWith('/') ? from : [...from, { path: to, change: 'moved here' }]
}

/** The files given with `-i`: every argument that is not an option, except the script if no option provides it. */
function editedInPlace(words: readonly string[]): readonly string[] {
  if (!words.some((word) => /^-[a-zA-Z]*i/.test(word) || word === '--in-place')) return []
  const files: string[] = []
  let hasScript = false
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string
    if (/^-[a-zA-Z]*[ef]$/.test(word)) {
      hasScript = true
      index += 1
    } else if (word !== '' && !word.startsWith('-')) files.push(word)
  }
  return hasScript ? files : files.slice(1)
}

const opened = [
  /\bopen\(\s{0,9}[rf]?["']([^"'\n]{1,300})["']\s{0,9},\s{0,9}(?:mode\s?=\s?)?["'][wax]/g,
  /\bPath\(\s{0,9}["']([^"'\n]{1,300})["']\s{0,9}\)\.write_(?:text|bytes)\(/g,
  /\b(?:writeFile|writeFileSync|appendFile|appendFileSync)\(\s{0,9}["'`]([^"'`\n]{1,300})["'`]/g,
] as const

function scriptChanges(line: string): readonly FileChange[] {
  if (!line.includes('(')) return []
  return opened.flatMap((pattern) =>
    all(
      [...line.matchAll(pattern)].map(([, path]) => path as string),
      'written',
    ),
  )
}

function named(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== '' && !word.startsWith('-'))
}

function isPlain(path: string): boolean {
  return path !== '' && path.length <= 500 && !/[$*?`{}\n\0]/.test(path) && !path.startsWith('/dev/') && !/^&?\d*$/.test(path)
}

export function patchedFiles(text: string): readonly FileChange[] {
  if (text.includes('*** Begin Patch')) return [...text.matchAll(agentHead)].map(([, action, path]) => changedBy(path, action))
  if (!text.includes('\n+++ ') && !text.startsWith('+++ ')) return []
  return [...text.matchAll(diffHead)].map(([, from, to]) => {
    if (to === '/dev/null') return changedBy(from, 'Delete')
    return changedBy(to, from === '/dev/null' ? 'Add' : 'Update')
  })
}

const agentHead = /^\*\*\* (Add|Update|Delete) File: (.{1,500})$/gm

const diffHead = /^--- (?:a\/)?([^\t\n]{1,500})(?:\t[^\n]{0,200})?\n\+\+\+ (?:b\/)?([^\t\n]{1,500})/gm

function changedBy(path: string | undefined, action: string | undefined): FileChange {
  const said = action === 'Add' ? 'created' : action === 'Delete' ? 'deleted' : 'edited'
  return { path: (path ?? '').trim(), change: said }
}

/** A path relative to where the command line started, after a `cd`. */
export function pathInFolder(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path}`
}
