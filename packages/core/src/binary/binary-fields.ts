/** The fields of a tool's answer that hold binary data by their name, whatever their size. */
export const binaryFields: readonly string[] = ['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData']

/** Whether a field holds binary data by its name. */
export function isBinaryField(name: string): boolean {
  return known.has(name)
}

/** Whether a JSON text may have such a field somewhere, JSON inside its strings included, told without parsing it. */
export function namesBinaryField(text: string): boolean {
  return binaryFields.some((field) => {
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + field.length)) {
      endOfName.lastIndex = at + field.length
      if (endOfName.test(text)) return true
    }
    return false
  })
}

// The quote may be escaped several times over, and so may white space in front of the colon.
const endOfName = /\\*"(?:\s|\\+[nrt])*:/y

const known = new Set(binaryFields)
