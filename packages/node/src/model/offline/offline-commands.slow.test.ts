import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offlineCommands } from './offline-commands.ts'

/** The commands as tool and input, or the words that were not understood. */
function read(text: string): readonly unknown[] {
  return offlineCommands(text).map((command) => {
    if (command.kind === 'call') return [command.tool, command.input]
    return command.kind === 'unknown' ? command.text : command.kind
  })
}

const fence = '```'

describe('offlineCommands', () => {
  it.each<[text: string, commands: readonly unknown[]]>([
    ['read src/a.ts', [['Read', { file_path: 'src/a.ts' }]]],
    ['Please read src/a.ts.', [['Read', { file_path: 'src/a.ts' }]]],
    ['READ @src/a.ts 10-20', [['Read', { file_path: 'src/a.ts', offset: 10, limit: 11 }]]],
    ['read src/a.ts:7', [['Read', { file_path: 'src/a.ts', offset: 7, limit: 1 }]]],
    ['read "my file.txt" lines 3 to 4', [['Read', { file_path: 'my file.txt', offset: 3, limit: 2 }]]],
    ['读取src/a.ts 第10到20行', [['Read', { file_path: 'src/a.ts', offset: 10, limit: 11 }]]],
    ['请查看 @src/a.ts。', [['Read', { file_path: 'src/a.ts' }]]],
    ['list', [['LS', {}]]],
    ['list files in src', [['LS', { path: 'src' }]]],
    ['列出 src', [['LS', { path: 'src' }]]],
    ['find **/*.ts in src', [['Glob', { pattern: '**/*.ts', path: 'src' }]]],
    ['查找 *.md', [['Glob', { pattern: '*.md' }]]],
    ['search for TODO: fix in packages/core', [['Grep', { pattern: 'TODO: fix', path: 'packages/core' }]]],
    ['search "log in; out" in src', [['Grep', { pattern: 'log in; out', path: 'src' }]]],
    ['search "logged in users"', [['Grep', { pattern: 'logged in users' }]]],
    ['搜索 总数 在 src 中', [['Grep', { pattern: '总数', path: 'src' }]]],
    ['edit a.ts: "x = 1" -> "x = 2"', [['Edit', { file_path: 'a.ts', old_string: 'x = 1', new_string: 'x = 2' }]]],
    [
      'edit a.ts: "a;\\n\\"b\\"" -> "" everywhere',
      [['Edit', { file_path: 'a.ts', old_string: 'a;\n"b"', new_string: '', replace_all: true }]],
    ],
    [
      'edit a.ts: "a" -> "b", "c" => "d"',
      [
        [
          'MultiEdit',
          {
            file_path: 'a.ts',
            edits: [
              { old_string: 'a', new_string: 'b' },
              { old_string: 'c', new_string: 'd' },
            ],
          },
        ],
      ],
    ],
    ['修改 a.ts：“旧”改为“新”', [['Edit', { file_path: 'a.ts', old_string: '旧', new_string: '新' }]]],
    [
      `edit a.ts:\n${fence}ts\nif (a) {\n  b; c\n}\n${fence}\n->\n${fence}\nb\n${fence}\nread a.ts`,
      [
        ['Edit', { file_path: 'a.ts', old_string: 'if (a) {\n  b; c\n}', new_string: 'b' }],
        ['Read', { file_path: 'a.ts' }],
      ],
    ],
    [
      `edit a.ts\n${fence}\na\n${fence}\n${fence}\nb\n${fence}`,
      [['Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }]],
    ],
    ['write notes.txt: "one\\ntwo"', [['Write', { file_path: 'notes.txt', content: 'one\ntwo' }]]],
    [
      `write notes.md: ${fence}md\n# Title\n\ntext\n${fence}`,
      [['Write', { file_path: 'notes.md', content: '# Title\n\ntext\n' }]],
    ],
    ['写入 a.txt：“你好”', [['Write', { file_path: 'a.txt', content: '你好' }]]],
    ['run npm test -- --run "a; b"', [['Bash', { command: 'npm test -- --run "a; b"' }]]],
    ['run `ls; pwd`', [['Bash', { command: 'ls; pwd' }]]],
    [
      'run cd src; cat a.ts; read b.ts',
      [
        ['Bash', { command: 'cd src; cat a.ts' }],
        ['Read', { file_path: 'b.ts' }],
      ],
    ],
    [`run:\n${fence}sh\ncd src\nls\n${fence}`, [['Bash', { command: 'cd src\nls' }]]],
    [
      "run echo 'it; is' , then list",
      [
        ['Bash', { command: "echo 'it; is'" }],
        ['LS', {}],
      ],
    ],
    [
      'read a.ts then run echo now and then',
      [
        ['Read', { file_path: 'a.ts' }],
        ['Bash', { command: 'echo now and then' }],
      ],
    ],
    ['运行npm test', [['Bash', { command: 'npm test' }]]],
    ['map', [['repo_map', {}]]],
    ['地图 src', [['repo_map', { path: 'src' }]]],
    ['structure packages', [['get_repo_structure', { path: 'packages' }]]],
    [
      'todo: read it; [x] think; [>] write',
      [
        [
          'TodoWrite',
          {
            todos: [
              { content: 'read it', status: 'pending' },
              { content: 'think', status: 'completed' },
              { content: 'write', status: 'in_progress' },
            ],
          },
        ],
      ],
    ],
    [
      'todo:\n- one\n- two, then three\nlist',
      [
        [
          'TodoWrite',
          {
            todos: [
              { content: 'one', status: 'pending' },
              { content: 'two, then three', status: 'pending' },
            ],
          },
        ],
        ['LS', {}],
      ],
    ],
    ['待办：甲；乙', [['TodoWrite', { todos: ['甲', '乙'].map((content) => ({ content, status: 'pending' })) }]]],
    ['draw a cat on a mat', [['image_generate', { prompt: 'a cat on a mat' }]]],
    ['画一只猫', [['image_generate', { prompt: '一只猫' }]]],
    ['recall 0123456789AB', [['recall', { handle: '0123456789ab' }]]],
    ['recall the exit code', [['recall', { query: 'the exit code' }]]],
    ['help', ['help']],
    ['帮助', ['help']],
    [
      '1. read a.ts\n2. run npm test, and then search "x"，然后 列出',
      [
        ['Read', { file_path: 'a.ts' }],
        ['Bash', { command: 'npm test' }],
        ['Grep', { pattern: 'x' }],
        ['LS', {}],
      ],
    ],
  ])('understands %j', (text, commands) => expect(read(text)).toEqual(commands))

  it.each([
    'hello',
    'remember that I like tabs',
    'read the docs please',
    'run the tests',
    '运行测试',
    'edit a.ts',
    'edit a.ts: make it better',
    'write me: a story',
    'show me what you can do',
    'reading is fun',
    'list all the things',
    "don't; say 'it",
    'read a.ts 20-10',
  ])('takes %j for no command', (text) => {
    expect(offlineCommands(text).every(({ kind }) => kind === 'unknown')).toBe(true)
  })

  it('keeps unknown text next to known commands', () =>
    expect(read('Hi there!\n\nread a.ts; thank you')).toEqual(['Hi there!', ['Read', { file_path: 'a.ts' }], 'thank you']))

  it('reads any text, and loses no command of it', () => {
    const commands = ['read a.ts', 'list', 'run ls -l', '搜索 x', 'edit a: "b" -> "c"', 'nonsense']
    const word = fc.constantFrom(...commands, '"', "'", '`', '“', fence, '->', ';', '\\', 'todo:', '- x', '@', ':', '  ')
    let understood = 0
    fc.assert(
      fc.property(fc.array(fc.tuple(word, fc.constantFrom('\n', ' ', '; ', ', then '))), (words) => {
        const found = offlineCommands(words.flat().join(''))
        if (found.some(({ kind }) => kind === 'call')) understood += 1
        for (const command of found) if (command.kind === 'call') expect(command.about.length).toBeLessThanOrEqual(200)
      }),
    )
    expect(understood).toBeGreaterThan(20)
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...commands), { minLength: 1 }), (lines) => {
        expect(read(lines.join('\n'))).toEqual(lines.flatMap(read))
      }),
    )
  })

  it.each<[name: string, unit: string]>([
    ['quotes', '\\"'],
    ['openings of blocks', '```a\n'],
    ['ends of blocks', '```\n'],
    ['separators', '; '],
    ['what may be the shell’s', 'x; '],
    ['items', '- x\n'],
    ['commas', ',    '],
    ['blanks', ' '],
    ['colons', 'edit a:'],
    ['arrows', '"a" -> "b" '],
    ['brackets', '<system-reminder>'],
  ])('is done with very many %s', (_name, unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length))
    for (const start of ['', 'read ', 'edit a.ts: ', 'search ', 'run ', 'todo: ', 'write a: "']) offlineCommands(start + text)
  })
})
