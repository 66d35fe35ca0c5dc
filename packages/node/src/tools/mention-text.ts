/** How a file is written behind `@`: in quotes where its name has more than letters, digits and the marks of paths. */
export function mentionText(path: string): string {
  return /^[a-zA-Z0-9/._-]+$/.test(path) ? `@${path} ` : `@"${path}" `
}
