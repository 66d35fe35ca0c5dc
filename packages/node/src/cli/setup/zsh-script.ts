import type { CompletedCommand, CompletedOption, CompletedValue } from './completion-tree.ts'

/** A script for zsh, to be a file named _plimsoll in a folder of fpath, or to be evaluated after compinit. */
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
  const lines = [...options.map(optionSpec), ...values.map(valueSpec)]
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

function valueSpec(value: CompletedValue): string {
  return quoted(`${value.isRepeated ? '*' : ''}:value:${actionOf(value)}`)
}

function actionOf({ kind, words }: CompletedValue): string {
  if (words.length > 0) return `(${words.join(' ')})`
  return placeWords[kind] ?? ' '
}

/** What a shell is told for the kinds that have no list of words. */
const placeWords: Readonly<Partial<Record<CompletedValue['kind'], string>>> = {
  file: '_files',
  folder: '_files -/',
  command: '_command_names -e',
  session: '__plimsoll_session_ids',
  'file-or-session': '{_files; __plimsoll_session_ids}',
}

/** In single quotes, with colons of descriptions kept from meaning anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
