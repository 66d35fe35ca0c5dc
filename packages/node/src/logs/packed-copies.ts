/** The names in a folder without those of packed files that also lie there unpacked: an agent packs a log before it takes it away. */
export function withoutPackedCopies(names: readonly string[]): readonly string[] {
  const all = new Set(names)
  return names.filter((name) => !/\.(?:zst|gz)$/i.test(name) || !all.has(name.slice(0, name.lastIndexOf('.'))))
}
