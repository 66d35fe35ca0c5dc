import { perItem } from '../derive.ts'
import type { Input, ToolRules } from '../facts.ts'
import { isRecord } from '../message.ts'

/** The row for a tool name, the caller's rows first; null for an unknown tool. */
export function toolRules(name: string, extra: readonly ToolRules[] = noRows): ToolRules | null {
  if (extra.length === 0) return builtIn.get(name) ?? null
  return indexRows(extra).get(name) ?? builtIn.get(name) ?? null
}

function pathsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  // Deeper nesting is not a list of paths.
  if (depth > 3) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, depth + 1))
  if (isRecord(value)) return pathsIn(value['path'] ?? value['filePath'] ?? value['file_path'], depth + 1)
  return []
}

const noRows: readonly ToolRules[] = []

const indexRows = perItem(
  (rows: readonly ToolRules[]): ReadonlyMap<string, ToolRules> =>
    new Map(rows.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name, row] as const))),
)()

function paths(...keys: readonly string[]): (input: Input) => readonly string[] {
  return (input) => {
    for (const key of keys) {
      const found = pathsIn(input[key])
      if (found.length > 0) return found
    }
    return []
  }
}

function text(...keys: readonly string[]): (input: Input) => readonly string[] {
  return (input) => {
    for (const key of keys) {
      const value = input[key]
      if (typeof value === 'string') return [value]
      if (Array.isArray(value)) return [value.filter((word) => typeof word === 'string').join(' ')]
    }
    return []
  }
}

const anyPath = paths(
  'filePath',
  'file_path',
  'path',
  'absolute_path',
  'target_file',
  'filename',
  'paths',
  'files',
  'notebook_path',
)
const command = text('command', 'cmd', 'commands', 'script', 'input')
const pattern = text('pattern', 'query', 'regex', 'search', 'q')

const plainExitCode =
  /(?:\bexit(?:ed)?[ _]?(?:with[ _])?(?:code|status)\s{0,20}[:=]?|<(?:returncode|exit_code)>)\s{0,20}(-?\d{1,12})/gi

const rows: readonly ToolRules[] = [
  {
    name: 'terminal-execute',
    kind: 'terminal',
    aliases: [
      ...['Bash', 'BashOutput', 'KillShell', 'PowerShell'], // Claude Code
      ...['exec_command', 'shell', 'local_shell', 'container.exec', 'write_stdin', 'unified_exec', 'shell_command'], // Codex
      ...['run_shell_command'], // Gemini CLI
      ...['bash'], // opencode, pi, mini-swe-agent
      ...['execute_command', 'run_commands'], // Cline
      ...['run', 'execute_bash', 'run_in_terminal', 'terminal', 'cmd'], // aider, OpenHands and others
    ],
    about: command,
    exitCode: plainExitCode,
  },
  {
    name: 'filesystem-read',
    kind: 'file-read',
    aliases: [
      ...['read_file', 'read_pdf'], // the source documents
      ...['Read', 'NotebookRead'], // Claude Code
      ...['view_image'], // Codex
      ...['read_many_files'], // Gemini CLI
      ...['read'], // opencode, pi
      ...['read_files', 'open_file', 'view_file', 'view'], // Cline and others
    ],
    about: anyPath,
  },
  {
    name: 'LS',
    kind: 'list',
    aliases: [
      'ls',
      'list',
      'list_directory',
      'list_dir',
      'list_files',
      'filesystem-list',
      'get_repo_structure',
      'list_code_definition_names',
    ],
    about: anyPath,
  },
  { name: 'Glob', kind: 'glob', aliases: ['glob', 'find_files', 'file_search'], about: pattern },
  {
    name: 'Grep',
    kind: 'search',
    aliases: [
      'grep',
      'grep_search',
      'search_file_content',
      'search_files',
      'rg',
      'codebase_search',
      'grep_files',
      'search_codebase',
    ],
    about: pattern,
  },
  {
    name: 'Edit',
    kind: 'edit',
    aliases: [
      ...['filesystem-edit', 'filesystem-edit_search', 'MultiEdit', 'NotebookEdit'],
      ...[
        'apply_patch',
        'replace',
        'edit',
        'multiedit',
        'patch',
        'replace_in_file',
        'apply_diff',
        'edit_file',
        'replace_lines',
        'search_replace',
      ],
    ],
    about: anyPath,
  },
  {
    name: 'Write',
    kind: 'write',
    aliases: ['write', 'write_file', 'write_to_file', 'create_file', 'filesystem-create', 'filesystem-write', 'create'],
    about: anyPath,
  },
  {
    // One tool, several jobs: `command` says which.
    name: 'str_replace_editor',
    kind: 'edit',
    aliases: ['str_replace_based_edit_tool', 'editor'],
    kindOf: (input) => (input['command'] === 'view' ? 'file-read' : input['command'] === 'create' ? 'write' : 'edit'),
    about: anyPath,
  },
  {
    name: 'TodoWrite',
    kind: 'todo',
    aliases: ['TodoRead', 'todowrite', 'todoread', 'update_plan', 'write_todos', 'TaskCreate', 'TaskUpdate', 'todo_write'],
  },
  { name: 'repo_map', kind: 'repo-map', aliases: ['get_repo_map'], about: anyPath, summarizeOver: 10_000 },
  { name: 'image_generate', kind: 'image', aliases: ['screenshot', 'generate_image', 'browser_take_screenshot', 'computer'] },
  {
    name: 'recall',
    kind: 'recall',
    // As agents name the tool of `plimsoll mcp`.
    aliases: [
      'mcp__plimsoll__recall',
      'mcp__plugin_plimsoll_plimsoll__recall',
      'plimsoll__recall',
      'plimsoll_recall',
      'plimsoll-recall',
    ],
    about: text('handle', 'query'),
  },
]

const builtIn = indexRows(rows)
