import { describe, expect, it } from 'vitest'
import type { ToolKind } from '../facts.ts'
import { exchange } from '../testing/messages.ts'
import { aboutOf, toolResults } from './tool-results.ts'
import { toolRules } from './tools.ts'

/** The kind and the subject of a call, as the table reads them. */
function read(tool: string, input: unknown, extra = {}) {
  const [placed] = toolResults(exchange('m', tool, input, 'text'), extra)
  return placed === undefined ? null : [placed.kind, aboutOf(placed)]
}

describe('the tool table', () => {
  it.each<[agent: string, tool: string, input: unknown, kind: ToolKind, about: readonly string[]]>([
    ['source documents', 'terminal-execute', { command: 'ls' }, 'terminal', ['ls']],
    ['source documents', 'filesystem-read', { filePath: ['a', { path: 'b' }] }, 'file-read', ['a', 'b']],
    ['source documents', 'filesystem-edit', { filePath: 'a' }, 'edit', ['a']],
    ['source documents', 'ace-tools', {}, 'other', []],
    ['source documents', 'image_generate', { prompt: 'x' }, 'image', []],
    ['source documents', 'repo_map', { path: '.' }, 'repo-map', ['.']],
    ['source documents', 'read_file', { file_path: 'a' }, 'file-read', ['a']],
    ['source documents', 'grep_search', { pattern: 'x' }, 'search', ['x']],
    ['source documents', 'get_repo_structure', { path: 'src' }, 'list', ['src']],
    ['source documents', 'LS', { path: '.' }, 'list', ['.']],
    ['source documents', 'MultiEdit', { file_path: 'a' }, 'edit', ['a']],
    ['source documents', 'TodoWrite', { todos: [] }, 'todo', []],
    ['Claude Code', 'Bash', { command: 'ls -l' }, 'terminal', ['ls -l']],
    ['Claude Code', 'Read', { file_path: 'a' }, 'file-read', ['a']],
    ['Claude Code', 'Glob', { pattern: '*.ts' }, 'glob', ['*.ts']],
    ['Claude Code', 'Grep', { pattern: 'x' }, 'search', ['x']],
    ['Claude Code', 'Write', { file_path: 'a' }, 'write', ['a']],
    ['Codex', 'exec_command', { cmd: 'ls' }, 'terminal', ['ls']],
    ['Codex', 'shell', { command: ['bash', '-lc', 'ls'] }, 'terminal', ['bash -lc ls']],
    ['Codex', 'apply_patch', { input: '*** Begin' }, 'edit', []],
    ['Codex', 'update_plan', {}, 'todo', []],
    ['Gemini CLI', 'run_shell_command', { command: 'ls' }, 'terminal', ['ls']],
    ['Gemini CLI', 'read_many_files', { paths: ['a', 'b'] }, 'file-read', ['a', 'b']],
    ['Gemini CLI', 'search_file_content', { pattern: 'x' }, 'search', ['x']],
    ['Gemini CLI', 'replace', { file_path: 'a' }, 'edit', ['a']],
    ['Gemini CLI', 'list_directory', { path: 'a' }, 'list', ['a']],
    ['opencode', 'bash', { command: 'ls' }, 'terminal', ['ls']],
    ['opencode', 'read', { filePath: 'a' }, 'file-read', ['a']],
    ['opencode', 'grep', { pattern: 'x' }, 'search', ['x']],
    ['opencode', 'todowrite', {}, 'todo', []],
    ['Cline', 'execute_command', { command: 'ls' }, 'terminal', ['ls']],
    ['Cline', 'run_commands', { commands: ['ls', 'pwd'] }, 'terminal', ['ls pwd']],
    ['Cline', 'read_files', { files: [{ path: 'a' }] }, 'file-read', ['a']],
    ['Cline', 'replace_in_file', { path: 'a' }, 'edit', ['a']],
    ['Cline', 'write_to_file', { path: 'a' }, 'write', ['a']],
    ['Cline', 'editor', { path: 'a', old_text: 'x' }, 'edit', ['a']],
    ['aider', 'replace_lines', { path: 'a' }, 'edit', ['a']],
    ['aider', 'write_file', { path: 'a' }, 'write', ['a']],
    ['SWE-agent', 'str_replace_editor', { command: 'view', path: 'a' }, 'file-read', ['a']],
    ['SWE-agent', 'str_replace_editor', { command: 'create', path: 'a' }, 'write', ['a']],
    ['any agent', 'bash', 'not json', 'terminal', []],
    ['any agent', 'toString', {}, 'other', []],
    ['any agent', 'read_file', `{"path":${'['.repeat(9000)}"a"${']'.repeat(9000)}}`, 'file-read', []],
  ])('Q-46 %s: %s %j is %s about %j', (_agent, tool, input, kind, about) => expect(read(tool, input)).toEqual([kind, about]))

  it('prefers the caller’s row', () => {
    const tools = [
      { name: 'my_shell', aliases: ['sh'], kind: 'terminal' as const, about: () => ['mine'] },
      { name: 'Read', kind: 'other' as const },
    ]
    expect(read('sh', {}, { tools })).toEqual(['terminal', ['mine']])
    expect(read('Read', { file_path: 'a' }, { tools })).toEqual(['other', []])
    expect(toolRules('my_shell')).toBeNull()
  })
})
