import type { FileChange } from './changed-files.ts'
import { type ShellCommand, shellCommands } from './shell-commands.ts'

/**
 * The files that a command line plainly changes: by redirection, by the usual commands, by a patch, or by a line of a script that
 * opens a file to write it. What depends on a variable, a pattern or a program's own mind is left out.
 */
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
    for (const { path, change } of changesOf(command)) add(path, change)
  }
  for (const { path, change } of [...patchedFiles(line), ...scriptChanges(line)]) add(path, change)
  return changes
}

function changesOf({ words }: ShellCommand): readonly FileChange[] {
  const [program = '', ...rest] = words
  const all = (names: readonly string[], change: string) => names.map((path) => ({ path, change }))
  switch (program.slice(program.lastIndexOf('/') + 1)) {
    case 'rm':
    case 'unlink':
      return all(named(rest), 'deleted')
    case 'touch':
    case 'truncate':
      return all(named(rest), 'touched')
    case 'tee':
      return all(named(rest), rest.includes('-a') ? 'appended to' : 'written')
    case 'mv':
      return moved(named(rest))
    case 'cp':
    case 'ln':
    case 'install':
      return all(named(rest).slice(-1), 'copied')
    case 'sed':
    case 'perl':
      return all(editedInPlace(rest), 'edited')
    case 'git':
      return gitChanges(rest)
    default:
      return []
  }
}

function gitChanges(words: readonly string[]): readonly FileChange[] {
  const [action = '', ...rest] = words
  if (action === 'mv') return moved(named(rest))
  if (action === 'rm') return named(rest).map((path) => ({ path, change: 'deleted' }))
  const paths = action === 'restore' ? named(rest) : action === 'checkout' ? afterDashes(rest) : []
  return paths.map((path) => ({ path, change: 'restored' }))
}

function moved(names: readonly string[]): readonly FileChange[] {
  const to = names.at(-1)
  if (to === undefined || names.length < 2) return []
  const from = names.slice(0, -1).map((path) => ({ path, change: `moved to ${to}` }))
  return to.endsWith('/') ? from : [...from, { path: to, change: 'moved here' }]
}

/** The files behind `-i`: all that is no option, but for the script itself where no option brings it. */
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
  return opened.flatMap((pattern) => [...line.matchAll(pattern)].map(([, path]) => ({ path: path as string, change: 'written' })))
}

function named(words: readonly string[]): readonly string[] {
  return words.filter((word) => word !== '' && !word.startsWith('-'))
}

function afterDashes(words: readonly string[]): readonly string[] {
  const at = words.indexOf('--')
  return at < 0 ? [] : words.slice(at + 1)
}

/** Neither a device nor anything a shell would still have to work out. */
function isPlain(path: string): boolean {
  return path !== '' && path.length <= 500 && !/[$*?`{}\n\0]/.test(path) && !path.startsWith('/dev/') && !/^&?\d*$/.test(path)
}

/** The files that a patch in a text touches: in the form that agents write, or as a unified diff. */
export function patchedFiles(text: string): readonly FileChange[] {
  if (text.includes('*** Begin Patch')) return [...text.matchAll(agentHead)].map(([, action, path]) => changedBy(path, action))
  if (!text.includes('\n+++ ') && !text.startsWith('+++ ')) return []
  return [...text.matchAll(diffHead)].map(([, from, to]) => {
    if (to === '/dev/null') return changedBy(from, 'Delete')
    return changedBy(to, from === '/dev/null' ? 'Add' : 'Update')
  })
}

const agentHead = /^\*\*\* (Add|Update|Delete) File: (.{1,500})$/gm

const diffHead = /^--- (?:a\/)?([^\t\n]{1,500})[^\n]*\n\+\+\+ (?:b\/)?([^\t\n]{1,500})/gm

function changedBy(path: string | undefined, action: string | undefined): FileChange {
  const said = action === 'Add' ? 'created' : action === 'Delete' ? 'deleted' : 'edited'
  return { path: (path ?? '').trim(), change: said }
}

/** A path as it is spelled from where a line of commands began, when it is told in a folder that the line changed to. */
export function pathInFolder(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path}`
}
