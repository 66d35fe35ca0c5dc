import type { FileChange } from './file-change.ts'

/** The files that a patch in a text touches: in the form that agents write, or as a unified diff. */
export function patchedFiles(text: string): readonly FileChange[] {
  if (text.includes('*** Begin Patch')) return [...text.matchAll(agentHead)].map(([, action, path]) => change(path, action))
  if (!text.includes('\n+++ ') && !text.startsWith('+++ ')) return []
  return [...text.matchAll(diffHead)].map(([, from, to]) => {
    if (to === '/dev/null') return change(from, 'Delete')
    return change(to, from === '/dev/null' ? 'Add' : 'Update')
  })
}

const agentHead = /^\*\*\* (Add|Update|Delete) File: (.{1,500})$/gm
const diffHead = /^--- (?:a\/)?([^\t\n]{1,500})[^\n]*\n\+\+\+ (?:b\/)?([^\t\n]{1,500})/gm

function change(path: string | undefined, action: string | undefined): FileChange {
  const said = action === 'Add' ? 'created' : action === 'Delete' ? 'deleted' : 'edited'
  return { path: (path ?? '').trim(), change: said }
}
