/** A path as it is spelled from where a line of commands began, when it is told in a folder that the line changed to. */
export function pathInFolder(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~]|[A-Za-z]:)/.test(path) ? path : `${folder.replace(/\/$/, '')}/${path}`
}
