/**
 * Lists of figures about files with the name of each folder once, as `ls -R` prints them: the folder and a colon, below it what is in it, and a blank line. What stands
 * before a path (the count of `wc -l`, the letter of `git status -s`) and behind it (`:3` of `grep -c`, the bars of `git diff --stat`) stays in its line.
 * `also`: lines that a search found (`:3:text`) are listed so too. Paths alone in their lines stay whole: an agent opens them as they are written. Null if that saves little, or if the result could not be unfolded to the same text.
 */
export function foldPaths(text: string, also: 'matches' | 'nothing' = 'nothing'): string | null {
  if (text.length > maxLength) return null
  const lines = text.split('\n')
  const behind = also === 'matches' ? behindPathOrMatch : behindPath
  const folders = lines.map((line) => foldersIn(line, behind))
  const pieces: string[] = []
  let next = 0
  for (let from = 0, to = 0; from < lines.length; from = Math.max(to, from + 1)) {
    for (to = from; folders[to] != null; ) to += 1
    for (const block of blocksIn(folders as readonly (readonly string[])[], from, to).blocks) {
      if (block.from > next) pieces.push(lines.slice(next, block.from).join('\n'))
      const folder = block.folders.join('')
      const inside = lines.slice(block.from, block.to).map((line) => {
        const before = lead(line)
        return before + line.slice(before.length + folder.length)
      })
      pieces.push([`${folder.slice(0, -1)}:`, ...inside].join('\n'))
      next = block.to
    }
  }
  if (next === 0) return null
  if (next < lines.length) pieces.push(lines.slice(next).join('\n'))
  const folded = pieces.join('\n\n')
  return folded.length <= text.length * maxShare && unfoldPaths(folded) === text ? folded : null
}

/** The text that `foldPaths` made `folded` of. */
export function unfoldPaths(folded: string): string {
  const lines = folded.split('\n')
  const unfolded: string[] = []
  let isBehindBlock = true
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string
    const isHeading = (at === 0 || lines[at - 1] === '') && heading.test(line) && (lines[at + 1] ?? '') !== ''
    if (isHeading) {
      // The blank lines around a block were added with it.
      if (!isBehindBlock) unfolded.pop()
      for (at += 1; at < lines.length && lines[at] !== ''; at += 1) {
        const inside = lines[at] as string
        const before = lead(inside)
        unfolded.push(`${before}${line.slice(0, -1)}/${inside.slice(before.length)}`)
      }
    } else unfolded.push(line)
    isBehindBlock = isHeading
  }
  return unfolded.join('\n')
}

/** Quick, because most output lists no paths: whether three lines have a slash. */
export function mayListPaths(text: string): boolean {
  if (text.length > maxLength) return false
  let at = -1
  for (let lines = 0; lines < minLines; lines += 1) {
    const slash = text.indexOf('/', at + 1)
    if (slash === -1) return false
    const newline = text.indexOf('\n', slash)
    if (newline === -1) return lines === minLines - 1
    at = newline
  }
  return true
}

const maxLength = 200_000
const maxShare = 0.95
const minLines = 3
/** A count, the letters of a status, or a blank. */
const beforePath = /^(?:[ \t]{0,12}\d{1,9}[ \t]|[ MADRCTU?!]{1,2}\d{0,3}[ \t]| )?/
/** Nothing, a count, or the bars of `git diff --stat`. */
const behindPath = /^(?:$|:\d{1,9}$|\s{1,200}\|\s)/
const behindPathOrMatch = /^(?:$|:\d{1,9}(?:$|:)|\s{1,200}\|\s)/
const heading = /^[^\s:|]{1,300}:$/

function lead(line: string): string {
  return beforePath.exec(line)?.[0] ?? ''
}

/** The folders of the path that a line lists, each with its slash; null for any other line. */
function foldersIn(line: string, behind: RegExp): readonly string[] | null {
  const rest = line.slice(lead(line).length)
  const end = rest.search(/[\s:|]|$/)
  const path = rest.slice(0, end)
  const last = path.lastIndexOf('/', end - 2)
  // A path alone in its line is often opened next, as it is written.
  if (rest === line && end === line.length) return null
  if (last === -1 || end > maxPathLength || !behind.test(rest.slice(end)) || !/[A-Za-z.]/.test(path)) return null
  return path.slice(0, last + 1).match(/[^/]{0,1000}\//g)
}

const maxPathLength = 1000

interface Block {
  readonly from: number
  readonly to: number
  readonly folders: readonly string[]
}

/** The blocks of lines with a common folder that save the most characters. Linear in the lines for each level of folders. */
function blocksIn(
  lines: readonly (readonly string[])[],
  from: number,
  to: number,
): { readonly blocks: readonly Block[]; readonly saved: number } {
  const none = { blocks: [], saved: 0 }
  if (to - from < minLines) return none
  const folders = commonFolders(lines, from, to)
  const length = folders.join('').length
  const whole = { blocks: [{ from, to, folders }], saved: length * (to - from) - length - 3 }
  const parts: { blocks: Block[]; saved: number } = { blocks: [], saved: 0 }
  for (let start = from; start < to; ) {
    const next = lines[start]?.[folders.length]
    let end = start + 1
    while (end < to && lines[end]?.[folders.length] === next) end += 1
    if (next !== undefined) {
      const { blocks, saved } = blocksIn(lines, start, end)
      parts.blocks.push(...blocks)
      parts.saved += saved
    }
    start = end
  }
  const best = whole.saved >= parts.saved ? whole : parts
  return best.saved > 0 && (best !== whole || length > 0) ? best : none
}

function commonFolders(lines: readonly (readonly string[])[], from: number, to: number): readonly string[] {
  const first = lines[from] as readonly string[]
  let count = first.length
  for (let at = from + 1; at < to && count > 0; at += 1) {
    const others = lines[at] as readonly string[]
    let same = 0
    while (same < count && others[same] === first[same]) same += 1
    count = same
  }
  return first.slice(0, count)
}
