/** The patterns for the files of a language; a word that names none is taken for the ending of files. */
export function globsOfType(type: string): readonly string[] {
  const name = type.toLowerCase().replace(/^\./, '')
  const endings = Object.hasOwn(types, name) ? types[name] : undefined
  return (endings ?? [name]).map((ending) => `*.${ending}`)
}

const types: Readonly<Record<string, readonly string[]>> = {
  ts: ['ts', 'tsx', 'mts', 'cts'],
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  js: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
  javascript: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
  py: ['py', 'pyi'],
  python: ['py', 'pyi'],
  rust: ['rs'],
  ruby: ['rb', 'gemspec'],
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'hxx', 'h'],
  csharp: ['cs'],
  kotlin: ['kt', 'kts'],
  markdown: ['md', 'markdown', 'mdx'],
  md: ['md', 'markdown', 'mdx'],
  yaml: ['yaml', 'yml'],
  html: ['html', 'htm'],
  css: ['css', 'scss', 'sass', 'less'],
  sh: ['sh', 'bash', 'zsh'],
  shell: ['sh', 'bash', 'zsh'],
}
