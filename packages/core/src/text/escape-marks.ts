/**
 * Somebody else's words as they may stand inside a text of ours: what would read as one of our handles, or as a tag that begins or ends
 * a reminder, gets a backslash. Text that has been through this comes out the same.
 */
export function escapeMarks(text: string, isOurs: (handle: string) => boolean = () => false): string {
  return text
    .replaceAll(handleMark, (all, word: string, handle: string) => (isOurs(handle.toLowerCase()) ? all : `${word}\\${handle}`))
    .replaceAll(reminderTag, '<\\')
}

// As `recall` itself reads them: the word, and at least the first six digits.
const handleMark = /(recall[\s:=("'`]{1,4})([0-9a-f]{6,64})/gi
// What a reader overlooks may stand between the signs.
const reminderTag = /<(?=[\s\p{Cf}]{0,9}\/?[\s\p{Cf}]{0,9}system-reminder)/giu
