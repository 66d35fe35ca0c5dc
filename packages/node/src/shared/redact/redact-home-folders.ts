/**
 * A text in which the names of home folders are `~`: `/home/ada/src` becomes `~/src`, and so do those of macOS and Windows. What a
 * person is called is often their folder's name. The very same text where there are none.
 */
export function redactHomeFolders(text: string): string {
  return text.replace(windowsHome, '~').replace(unixHome, '~')
}

/** In a JSON text a line may begin behind a written `\n`. Folders that all users share stay. */
const unixHome = /(?<=\\[nrt]|^|[^\w.~-])\/(?:home|Users)\/(?!Shared\b|linuxbrew\b)[\p{L}\p{N}\p{M}_.@+-]{1,64}/gu

/** In a JSON text backslashes are doubled. A name may have blanks in it, where the path goes on behind it. */
const windowsHome =
  /(?<=\\[nrt]|^|[^\w~])[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)(?!(?:Public|Default|All Users)\b)(?:[^\\/:*?"<>|\s]{1,64}(?: [^\\/:*?"<>|\s]{1,64}){1,2}(?=[\\/])|[^\\/:*?"<>|\s]{1,64})/g
