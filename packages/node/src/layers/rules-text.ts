/** A file with rules of the project, as far as it was read. */
export interface RulesFile {
  readonly name: string
  readonly text: string
  /** The size of the whole file, where only its beginning was read. */
  readonly cutFrom?: number
}

/** The text of the rules layer: each file under its name; null where no file says anything. */
export function rulesText(files: readonly RulesFile[]): string | null {
  const texts = files.flatMap(({ name, text, cutFrom }) => {
    if (text.trim() === '' && cutFrom === undefined) return []
    const end = cutFrom === undefined ? '' : `\n[${name} is cut here: the whole file has ${cutFrom} bytes]`
    return [`Project rules (${name}):\n\n${text.trimEnd()}${end}`]
  })
  return texts.length === 0 ? null : texts.join('\n\n')
}
