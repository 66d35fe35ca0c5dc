/** A definition as far as its own line shows it. */
export interface Definition {
  readonly name: string
  readonly signature: string
  readonly isMember: boolean
}

/** Tells which definitions of a text other files can use, as far as the language and the line of the definition say it. */
export function visibilityIn(text: string, grammar: string): (definition: Definition) => boolean {
  if (scripts.has(grammar)) return scriptVisibility(text)
  return rules[grammar] ?? (() => true)
}

const scripts: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript'])

const rules: Readonly<Record<string, (definition: Definition) => boolean>> = {
  python: ({ name }) => !name.startsWith('_'),
  go: ({ name }) => /^\p{Lu}/u.test(name),
  rust: ({ signature }) => /^(?:pub\b|macro_rules!)/.test(signature),
  java: ({ signature }) => !/\bprivate\b/.test(signature),
  'c-sharp': ({ signature }) => !/\bprivate\b/.test(signature),
  cpp: ({ signature }) => !/^static\b/.test(signature),
}

/** What a module exports, by its line or in a list. A text without imports and exports is no module, and everything in it can be used. */
function scriptVisibility(text: string): (definition: Definition) => boolean {
  const listed = new Set<string>()
  for (const [, names = ''] of text.matchAll(/\b(?:export|module\.exports\s{0,20}=)\s{0,20}\{([^{}]{0,5000})\}/g))
    for (const [name] of names.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) listed.add(name)
  const isModule = /^\s{0,20}(?:export|import)\b/m.test(text) || /\bexports\b/.test(text)
  return ({ name, signature, isMember }) => {
    if (isMember) return !/^(?:(?:async\s+)?function\b|private\b|#)/.test(signature)
    return !isModule || listed.has(name) || /^(?:export|declare|exports\.|module\.)/.test(signature)
  }
}
