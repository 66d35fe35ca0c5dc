import type { CompletedCommand, CompletedValue } from './completion-tree.ts'

/**
 * A script for bash, of version 3 too. It walks the words that are there to find the command, and knows for each command its options,
 * its subcommands and what its arguments are. Sessions are asked for when they are needed.
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

/** The name of a kind, or its words behind an equals sign. */
function kindWord({ kind, words }: CompletedValue): string {
  return words.length > 0 ? `=${words.join(' ')}` : kind
}
