/**
 * Whether other conversations may have calls of the same id: some servers number their calls from nought in each conversation, and a
 * dialect without ids names calls by what they ask for. In doubt it is common.
 */
export function isCommonCallId(id: string | null): boolean {
  return id === null || id.startsWith('function:') || !id.split(/[^A-Za-z0-9]+/).some(isChance)
}

/** Letters and digits that nobody counted up: an id that was drawn has some eight of them at least. */
function isChance(word: string): boolean {
  return word.length >= 8 && /\d/.test(word) && !/^(?:[A-Za-z]+\d{1,4}|0*\d{1,7})$/.test(word)
}
