export interface ShellCommand {
  readonly words: readonly string[]
  readonly outputs: readonly { readonly path: string; readonly appends: boolean }[]
}

/** Parses a command line without running it. Skips here-documents. Linear time. */
export function shellCommands(line: string): readonly ShellCommand[] {
  const text = inner(line)
  const commands: ShellCommand[] = []
  let words: string[] = []
  let outputs: { path: string; appends: boolean }[] = []
  let documents: string[] = []
  let word: string | null = null
  let redirect: 'write' | 'append' | 'read' | 'document' | null = null
  let at = 0

  function endWord(): void {
    if (word === null) return
    if (redirect === null) words.push(word)
    if (redirect === 'write' || redirect === 'append') outputs.push({ path: word, appends: redirect === 'append' })
    if (redirect === 'document') documents.push(word)
    word = null
    redirect = null
  }

  function endCommand(): void {
    endWord()
    redirect = null
    const from = words.findIndex((one) => !/^\w{1,100}=/.test(one) && one !== 'sudo' && one !== 'env')
    const named = from < 0 ? [] : words.slice(from)
    if (named.length > 0 || outputs.length > 0) commands.push({ words: named, outputs })
    words = []
    outputs = []
  }

  function quoted(mark: string): void {
    const start = at + 1
    let end = text.indexOf(mark, start)
    if (mark === '"') while (end !== -1 && text[end - 1] === '\\') end = text.indexOf(mark, end + 1)
    if (end === -1) end = text.length
    word = (word ?? '') + text.slice(start, end)
    at = end + 1
  }

  function redirection(): void {
    // A number right before it selects the stream and is not a word.
    if (word !== null && /^[0-9&]{1,2}$/.test(word)) word = null
    endWord()
    if (text.startsWith('<<<', at)) [redirect, at] = ['read', at + 3]
    else if (text.startsWith('<<', at)) [redirect, at] = ['document', at + (text[at + 2] === '-' ? 3 : 2)]
    else if (text[at] === '<') [redirect, at] = ['read', at + 1]
    else if (text.startsWith('>>', at)) [redirect, at] = ['append', at + 2]
    else [redirect, at] = ['write', at + (text[at + 1] === '|' ? 2 : 1)]
    // As in `2>&1`.
    if (text[at] === '&') at += 1
  }

  while (at < text.length) {
    const sign = text[at] as string
    if (sign === '"' || sign === "'") quoted(sign)
    else if (sign === '\\') {
      word = (word ?? '') + (text[at + 1] === '\n' ? '' : (text[at + 1] ?? ''))
      at += 2
    } else if (sign === '\n') {
      endCommand()
      at = documents.reduce((start, name) => endOfDocument(text, start, name), at + 1)
      documents = []
    } else if (/[ \t\r]/.test(sign)) {
      endWord()
      at += 1
    } else if (/[;|()]/.test(sign) || (sign === '&' && text[at + 1] !== '>')) {
      endCommand()
      at += 1
    } else if (sign === '<' || sign === '>') redirection()
    else {
      const isComment: boolean = sign === '#' && word === null
      const stop: RegExp = isComment ? /\n/g : signs
      stop.lastIndex = at + 1
      const end: number = stop.exec(text)?.index ?? text.length
      if (!isComment) word = (word ?? '') + text.slice(at, end)
      at = end
    }
  }
  endCommand()
  return commands
}

function inner(line: string): string {
  const found = /^\s{0,50}(?:\/\S{1,100}\/)?(?:ba|z|da)?sh -\w{0,5}c /.exec(line)
  return found === null ? line : line.slice(found[0].length).replace(/^(["'])([\s\S]*)\1\s*$/, '$2')
}

const signs = /[\s"'\\;|()&<>]/g

function endOfDocument(text: string, from: number, name: string): number {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    if (text.slice(start, end).trim() === name) return end
    start = end + 1
  }
  return text.length
}
