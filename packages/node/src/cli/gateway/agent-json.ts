/** Reads JSON as agents do: users write comments into their settings and leave commas at the end, and editors a byte order mark. Throws a SyntaxError. */
export function parseAgentJson(text: string): unknown {
  const bare = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(bare) as unknown
  } catch {
    const uncommented = bare.replace(comment, (found) => (found.startsWith('"') ? found : ' '))
    return JSON.parse(uncommented.replace(lastComma, (found) => (found.startsWith('"') ? found : ''))) as unknown
  }
}

// Strings are matched as well, so that nothing in them is taken for a comment or a comma.
const comment = /"(?:[^"\\]|\\[^])*"?|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?/g
const lastComma = /"(?:[^"\\]|\\[^])*"?|,(?=\s*[}\]])/g
