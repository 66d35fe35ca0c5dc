/** The fields of a tool's answer that hold binary data by their name, whatever their size. */
export const binaryFields: readonly string[] = ['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData']

/** Whether a field holds binary data by its name. */
export function isBinaryField(name: string): boolean {
  return known.has(name)
}

/** Whether a JSON text may have such a field somewhere, told without parsing it. */
export function namesBinaryField(text: string): boolean {
  return binaryFields.some((field) => text.includes(field))
}

const known = new Set(binaryFields)
