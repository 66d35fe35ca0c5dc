import type { CompletedCommand, CompletedOption, CompletedValue } from './completion-tree.ts'

/** A script for fish. */
export function fishScript(root: CompletedCommand): string {
  return `# fish completion for plimsoll
function __plimsoll_session_ids
  echo last
  plimsoll sessions --all --json 2>/dev/null | tr ',' '\\n' | sed -n 's/.*"id":"\\([0-9A-Za-z_-]*\\)".*/\\1/p'
end
function __plimsoll_at
  set -l words (commandline -opc)[2..-1]
  set -l path
  for word in $words
    string match -q -- '-*' $word; and continue
    if test (count $path) -lt (count $argv)
      set -l next (math (count $path) + 1)
      test "$word" = "$argv[$next]"; or return 1
      set path $path $word
    end
  end
  test (count $path) -eq (count $argv)
end
function __plimsoll_alone
  for word in (commandline -opc)[2..-1]
    string match -q -- '-*' $word; or return 1
  end
end
complete -c plimsoll -f
${commandsOf(root).join('\n')}
`
}

function commandsOf(command: CompletedCommand): readonly string[] {
  const { path, commands, options, values } = command
  const here = path.length === 0 ? '__plimsoll_alone' : `__plimsoll_at ${path.join(' ')}`
  return [
    ...commands.map(
      ({ path: inner, description }) => `complete -c plimsoll -n '${here}' -a ${inner.at(-1)} -d ${quoted(description)}`,
    ),
    ...options.map((option) => optionLine(option, here)),
    ...values.flatMap((value) => valueLine(value, here)),
    ...commands.flatMap(commandsOf),
  ]
}

function optionLine({ names, description, value }: CompletedOption, here: string): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return `complete -c plimsoll -n '${here}' ${flags.join(' ')}${value === null ? '' : ` -r${wordsOf(value)}`} -d ${quoted(description)}`
}

function valueLine(value: CompletedValue, here: string): readonly string[] {
  const words = wordsOf(value)
  return words === '' ? [] : [`complete -c plimsoll -n '${here}'${words}`]
}

function wordsOf({ kind, words }: CompletedValue): string {
  if (words.length > 0) return ` -a ${quoted(words.join(' '))}`
  return placeWords[kind] ?? ''
}

/** What a shell is told for the kinds that have no list of words. */
const placeWords: Readonly<Partial<Record<CompletedValue['kind'], string>>> = {
  file: ' -F',
  folder: " -a '(__fish_complete_directories)'",
  command: " -a '(__fish_complete_command)'",
  session: " -a '(__plimsoll_session_ids)'",
  'file-or-session': " -F -a '(__plimsoll_session_ids)'",
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
