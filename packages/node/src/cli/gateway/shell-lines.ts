/** The shells whose language is spoken here; `sh` stands for bash, zsh and all that understand it. */
export type Shell = 'sh' | 'fish' | 'powershell'

/** All of them. */
export const shells: readonly Shell[] = ['sh', 'fish', 'powershell']

/** Sets a variable for everything that is started from here on. */
export function exportLine(shell: Shell, name: string, value: string): string {
  const quoted = quote(shell, value)
  if (shell === 'fish') return `set -gx ${name} ${quoted}`
  return shell === 'powershell' ? `$env:${name} = ${quoted}` : `export ${name}=${quoted}`
}

/** Takes a variable away. */
export function unsetLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `set -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Env:${name}` : `unset ${name}`
}

/** Makes a command say some words before its own. */
export function functionLine(shell: Shell, name: string, words: readonly string[]): string {
  const quoted = words.map((word) => quote(shell, word)).join(' ')
  if (shell === 'fish') return `function ${name}; command ${name} ${quoted} $argv; end`
  // The command itself, not this function once more.
  if (shell === 'powershell')
    return `function ${name} { & (Get-Command -CommandType Application,ExternalScript ${name} | Select-Object -First 1) ${quoted} @args }`
  return `${name}() { command ${name} ${quoted} "$@"; }`
}

/** Takes such a function away. */
export function unsetFunctionLine(shell: Shell, name: string): string {
  if (shell === 'fish') return `functions -e ${name}`
  return shell === 'powershell' ? `Remove-Item -ErrorAction SilentlyContinue Function:${name}` : `unset -f ${name}`
}

/** A text that a shell takes as it is, whatever is in it. */
function quote(shell: Shell, text: string): string {
  if (shell !== 'powershell' && /^[\w./:@%+=,-]+$/.test(text)) return text
  if (shell === 'fish') return `'${text.replace(/[\\']/g, '\\$&')}'`
  return `'${text.replaceAll("'", shell === 'powershell' ? "''" : `'\\''`)}'`
}
