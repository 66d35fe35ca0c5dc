/** The paths that a text names, in order, each once, as it spells them: at most so many. Linear in the text. */
export function pathsInText(text: string, most: number): readonly string[] {
  if (most <= 0) return []
  const found = new Set<string>()
  for (const [token] of text.matchAll(tokens)) {
    const path = pathOf(token)
    if (path === null) continue
    found.add(path)
    if (found.size >= most) break
  }
  return [...found]
}

/** Whether a line names a path. */
export function namesPath(line: string): boolean {
  return pathsInText(line, 1).length > 0
}

const tokens = /[\w.@~+/-]{4,300}/g
const extension =
  /\.(?:[cm]?[jt]sx?|py|pyi|rs|go|rb|java|kts?|swift|c|cc|cpp|cxx|h|hh|hpp|cs|php|sh|bash|zsh|sql|html?|s?css|less|vue|svelte|json[l5c]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|rst|txt|csv|tsv|xml|proto|gradle|tf|ipynb|lua|ex|exs|erl|hs|ml|scala|clj|dart|zig|nix|log|diff|patch|svg|png|jpe?g|gif|pdf)$/i

function pathOf(token: string): string | null {
  let end = token.length
  while (end > 0 && '.-/+'.includes(token[end - 1] as string)) end -= 1
  const path = token.slice(0, end)
  if (path.length < 4 || path.startsWith('//') || !/[A-Za-z]/.test(path)) return null
  if (extension.test(path)) return path
  // `and/or` and `text/html` are none; what has three names and more, or begins at a root, is.
  const slashes = path.split('/').length - 1
  const isRooted = path.startsWith('/') || path.startsWith('./') || path.startsWith('../') || path.startsWith('~/')
  return slashes >= (isRooted ? 1 : 2) ? path : null
}
