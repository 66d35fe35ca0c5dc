/** Lets the browser save the content of an address as a file of that name. */
export function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers read it only after the click has been dealt with.
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
