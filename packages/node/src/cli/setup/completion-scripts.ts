import type { CompletedCommand, CompletedOption, CompletedValue } from './completion-command.ts'

/**
 * A script for bash, from version 3 on. It walks the words to find the command, and knows the options, subcommands and arguments
 * of each. Sessions are loaded when they are needed.
 */
export function bashScript(root: CompletedCommand): string {
  return `# bash completion for plimsoll
__plimsoll_session_ids() {
  printf 'last\\n'
  plimsoll sessions --all --json 2>/dev/null | tr ',' '\\n' | sed -n 's/.*"id":"\\([0-9A-Za-z_-]*\\)".*/\\1/p'
}
_plimsoll() {
  local cur prev path word index names
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  path=""
  index=0
  COMPREPLY=()
  local at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      -*) _plimsoll_takes_value "$path" "$word" && ((at++)) ;;
      *)
        names=" $(_plimsoll_commands "$path") "
        if [[ "$index" -eq 0 && "$names" == *" $word "* ]]; then path="\${path:+$path }$word"; else ((index++)); fi
        ;;
    esac
  done
  local kind=""
  if [[ "$prev" == -* ]]; then kind="$(_plimsoll_option_kind "$path" "$prev")"; fi
  if [[ -n "$kind" ]]; then _plimsoll_reply "$kind" "$cur"; return; fi
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$(_plimsoll_options "$path")" -- "$cur")); return; fi
  if [[ "$index" -eq 0 ]]; then COMPREPLY=($(compgen -W "$(_plimsoll_commands "$path")" -- "$cur")); fi
  kind="$(_plimsoll_argument_kind "$path" "$index")"
  [[ -n "$kind" ]] && _plimsoll_reply "$kind" "$cur"
}
_plimsoll_reply() {
  local kind="$1" cur="$2"
  case "$kind" in
    file) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- "$cur")) ;;
    folder) compopt -o filenames 2>/dev/null; local IFS=$'\\n'; COMPREPLY+=($(compgen -d -- "$cur")) ;;
    command) COMPREPLY+=($(compgen -c -- "$cur")) ;;
    session) COMPREPLY+=($(compgen -W "$(__plimsoll_session_ids)" -- "$cur")) ;;
    file-or-session)
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY+=($(compgen -f -- "$cur") $(compgen -W "$(__plimsoll_session_ids)" -- "$cur"))
      ;;
    any) ;;
    *) COMPREPLY+=($(compgen -W "\${kind#=}" -- "$cur")) ;;
  esac
}
${caseFunction('_plimsoll_commands', root, ({ commands }) => commands.map(({ path }) => path.at(-1) ?? '').join(' '))}
${caseFunction('_plimsoll_options', root, ({ options }) => options.flatMap(({ names }) => names).join(' '))}
_plimsoll_takes_value() { [[ -n "$(_plimsoll_option_kind "$1" "$2")" ]]; }
_plimsoll_option_kind() {
  case "$1|$2" in
${optionCases(root).join('\n')}
  esac
}
_plimsoll_argument_kind() {
  case "$1|$2" in
${argumentCases(root).join('\n')}
  esac
}
complete -F _plimsoll plimsoll
`
}

function all(command: CompletedCommand): readonly CompletedCommand[] {
  return [command, ...command.commands.flatMap(all)]
}

function caseFunction(name: string, root: CompletedCommand, words: (command: CompletedCommand) => string): string {
  const cases = all(root).map((command) => `    '${command.path.join(' ')}') printf '%s' '${words(command)}' ;;`)
  return `${name}() {\n  case "$1" in\n${cases.join('\n')}\n  esac\n}`
}

function optionCases(root: CompletedCommand): readonly string[] {
  return all(root).flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value === null ? [] : names.map((name) => `    '${path.join(' ')}|${name}') printf '%s' '${kindWord(value)}' ;;`),
    ),
  )
}

function argumentCases(root: CompletedCommand): readonly string[] {
  return all(root).flatMap(({ path, values }) =>
    values.map((value, index) => {
      const place = value.isRepeated ? `'${path.join(' ')}|'*` : `'${path.join(' ')}|${index}'`
      return `    ${place}) printf '%s' '${kindWord(value)}' ;;`
    }),
  )
}

/** The name of a kind, or its words after an equals sign. */
function kindWord({ kind, words }: CompletedValue): string {
  return words.length > 0 ? `=${words.join(' ')}` : kind
}

/** A script for zsh: a file named _plimsoll in a folder of fpath, or evaluated after compinit. */
export function zshScript(root: CompletedCommand): string {
  return `#compdef plimsoll
__plimsoll_session_ids() {
  local -a ids
  ids=(last \${(f)"$(plimsoll sessions --all --json 2>/dev/null | tr ',' '\\n' | sed -n 's/.*"id":"\\([0-9A-Za-z_-]*\\)".*/\\1/p')"})
  compadd -a ids
}
${functions(root).join('\n')}
if [ "$funcstack[1]" = "_plimsoll" ]; then _plimsoll "$@"; else compdef _plimsoll plimsoll; fi
`
}

function functions(command: CompletedCommand): readonly string[] {
  return [functionOf(command), ...command.commands.flatMap(functions)]
}

function functionOf(command: CompletedCommand): string {
  const { options, values, commands } = command
  const lines = [
    ...options.map(optionSpec),
    ...values.map((value) => quoted(`${value.isRepeated ? '*' : ''}:value:${actionOf(value)}`)),
  ]
  if (commands.length === 0) return `${nameOf(command)}() {\n  _arguments -s${body(lines)}\n}`
  const names = commands.map(({ path, description }) => `    ${quoted(`${path.at(-1)}:${description}`)}`)
  const cases = commands.map((inner) => `        ${inner.path.at(-1)}) ${nameOf(inner)} ;;`)
  return `${nameOf(command)}() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  local curcontext="$curcontext" state line
  _arguments -s -C${body([...options.map(optionSpec), "'1: :->command'", "'*::argument:->argument'"])}
  case "$state" in
    command) _describe 'command' commands ;;
    argument)
      case "$line[1]" in
${cases.join('\n')}
      esac
      ;;
  esac
}`
}

function body(lines: readonly string[]): string {
  return lines.map((line) => ` \\\n    ${line}`).join('')
}

function nameOf({ path }: CompletedCommand): string {
  return ['_plimsoll', ...path].join('_')
}

function optionSpec({ names, description, value }: CompletedOption): string {
  const about = `[${description.replaceAll(/[[\]]/g, '\\$&')}]`
  const action = value === null ? '' : `:value:${actionOf(value)}`
  const [first = '', second] = names
  if (second === undefined) return quoted(`${first}${about}${action}`)
  return `'(${names.join(' ')})'{${first},${second}}${quoted(`${about}${action}`)}`
}

function actionOf({ kind, words }: CompletedValue): string {
  if (words.length > 0) return `(${words.join(' ')})`
  return zshPlaceWords[kind] ?? ' '
}

const zshPlaceWords: Readonly<Partial<Record<CompletedValue['kind'], string>>> = {
  file: '_files',
  folder: '_files -/',
  command: '_command_names -e',
  session: '__plimsoll_session_ids',
  'file-or-session': '{_files; __plimsoll_session_ids}',
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

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
      ({ path: inner, description }) => `complete -c plimsoll -n '${here}' -a ${inner.at(-1)} -d ${fishQuoted(description)}`,
    ),
    ...options.map((option) => optionLine(option, here)),
    ...values.flatMap((value) => (wordsOf(value) === '' ? [] : [`complete -c plimsoll -n '${here}'${wordsOf(value)}`])),
    ...commands.flatMap(commandsOf),
  ]
}

function optionLine({ names, description, value }: CompletedOption, here: string): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  return `complete -c plimsoll -n '${here}' ${flags.join(' ')}${value === null ? '' : ` -r${wordsOf(value)}`} -d ${fishQuoted(description)}`
}

function wordsOf({ kind, words }: CompletedValue): string {
  if (words.length > 0) return ` -a ${fishQuoted(words.join(' '))}`
  return fishPlaceWords[kind] ?? ''
}

const fishPlaceWords: Readonly<Partial<Record<CompletedValue['kind'], string>>> = {
  file: ' -F',
  folder: " -a '(__fish_complete_directories)'",
  command: " -a '(__fish_complete_command)'",
  session: " -a '(__plimsoll_session_ids)'",
  'file-or-session': " -F -a '(__plimsoll_session_ids)'",
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
