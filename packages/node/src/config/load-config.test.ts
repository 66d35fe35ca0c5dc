import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defaultConfig, defaultGatewaySettings } from '@plimsoll/core/policies'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.ts'
import { type ConfigSources, type LoadedConfig, loadConfig } from './load-config.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-config-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function write(file: string, content: string | Uint8Array): string {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

type Wish = Omit<Partial<ConfigSources>, 'environment'> & { readonly environment?: Readonly<Record<string, string>> }

/** Loads from the test's own folder; nothing of the machine is read. */
function load({ environment, ...sources }: Wish = {}): Promise<LoadedConfig> {
  return loadConfig({ projectFolder: folder, environment: { HOME: join(folder, 'home'), ...environment }, ...sources })
}

/** The lines of the error, with the test's folder left out. */
async function problems(sources: Wish = {}): Promise<readonly string[]> {
  try {
    await load(sources)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n').map((line) => line.replaceAll(`${folder}/`, ''))
    throw error
  }
  return []
}

describe('what is in force', () => {
  it('R003-7 R003-19 R003-20 R003-21 without any file, the defaults of the specification', async () => {
    const { config, warnings } = await load()
    expect(config).toEqual(defaultConfig)
    expect(warnings).toEqual([])
    expect(config.tool_output_limits).toEqual({
      default: { max_chars: 8000, max_lines: 500, truncation_strategy: 'head_tail' },
      tools: {
        repo_map: { max_chars: 10_000, max_lines: 1000 },
        read_file: { max_chars: 5000, max_lines: 200 },
        grep_search: { max_lines: 100, show_context: 2 },
        get_repo_structure: { max_depth: 3, max_files: 500 },
      },
    })
    expect(config.summarization).toEqual({
      enabled: false,
      model: 'qwen-turbo',
      max_input_chars: 50_000,
      trigger_threshold: 20_000,
    })
  })

  it("the project's file over the user's, the environment over both, flags over all, key by key", async () => {
    write(
      'home/.config/plimsoll/config.yaml',
      'timing: auto\ncontext_window: 1000\ncompaction:\n  threshold: 0.5\n  keep_rounds: 3\nlocale: zh\n',
    )
    write('plimsoll.yaml', 'context_window: 2000\ncompaction: { threshold: 0.6 }\noutput_reserve: 10\n')
    const { config, origins } = await load({
      environment: { PLIMSOLL_OUTPUT_RESERVE: '20', PLIMSOLL_COMPACTION__THRESHOLD: '0.7' },
      flags: [{ flag: '--threshold', path: ['compaction', 'threshold'], value: 0.9 }],
    })
    expect(config).toEqual({
      ...defaultConfig,
      timing: 'auto',
      context_window: 2000,
      output_reserve: 20,
      locale: 'zh',
      compaction: { ...defaultConfig.compaction, threshold: 0.9, keep_rounds: 3 },
    })
    const user = join(folder, 'home/.config/plimsoll/config.yaml')
    expect(origins).toMatchObject({
      timing: `${user}:1:1`,
      context_window: `${join(folder, 'plimsoll.yaml')}:1:1`,
      output_reserve: 'PLIMSOLL_OUTPUT_RESERVE',
      'compaction.threshold': '--threshold',
      'compaction.keep_rounds': `${user}:5:3`,
      'compaction.fallback': 'default',
      'tool_output_limits.tools.read_file.max_chars': 'default',
    })
  })

  it('the origin of every setting there is', async () => {
    const { config, origins } = await load({ environment: { PLIMSOLL_TOOL_OUTPUT_LIMITS__TOOLS__BASH__MAX_LINES: '3' } })
    expect(Object.keys(origins).sort()).toEqual(leaves(config, '').toSorted())
  })

  it('lists replace lists', async () => {
    write('home/.config/plimsoll/config.yaml', 'rules_files: [a.md, b.md]\n')
    write('plimsoll.yaml', 'rules_files: [c.md]\n')
    expect((await load()).config.rules_files).toEqual(['c.md'])
  })

  it('XDG_CONFIG_HOME in place of ~/.config, unless it is relative', async () => {
    write('xdg/plimsoll/config.yaml', 'context_window: 7\n')
    expect((await load({ environment: { XDG_CONFIG_HOME: join(folder, 'xdg') } })).config.context_window).toBe(7)
    expect((await load({ environment: { XDG_CONFIG_HOME: 'xdg' } })).config.context_window).toBe(200_000)
  })

  describe('backend/config/tool_config.yaml', () => {
    const toolFile = 'backend/config/tool_config.yaml'
    const ofDocument = `# 工具输出限制配置
tool_output_limits:
  default:
    max_chars: 8000
    max_lines: 500
    truncation_strategy: "head_tail"  # head_tail | head_only | summarize
  tools:
    repo_map:
      max_chars: 10000
      max_lines: 1000
    read_file:
      max_chars: 5000
      max_lines: 200
    grep_search:
      max_lines: 100
      show_context: 2
    get_repo_structure:
      max_depth: 3
      max_files: 500
summarization:
  enabled: false
  model: "qwen-turbo"
  max_input_chars: 50000
  trigger_threshold: 20000
`

    it('R003-19 R003-20 R003-21 is read as the document writes it, and named as the origin', async () => {
      write(toolFile, ofDocument)
      const { config, origins, warnings } = await load()
      expect(config).toEqual(defaultConfig)
      expect(origins['tool_output_limits.default.max_chars']).toBe(`${join(folder, toolFile)}:4:5`)
      expect(origins['summarization.trigger_threshold']).toBe(`${join(folder, toolFile)}:24:3`)
      expect(origins['summarization.enabled']).toBe('default')
      expect(warnings.map((line) => line.slice(folder.length + 1))).toEqual([
        `${toolFile}:12:7: tool_output_limits.tools.read_file.max_chars: 5000 hides most of a normal source file from the model`,
        `${toolFile}:13:7: tool_output_limits.tools.read_file.max_lines: 200 hides most of a normal source file from the model`,
      ])
    })

    it("overrides the user's file, and plimsoll.yaml overrides it, key by key", async () => {
      write('home/.config/plimsoll/config.yaml', 'tool_output_limits: { default: { max_chars: 1000, max_lines: 100 } }\n')
      write(toolFile, 'tool_output_limits: { default: { max_chars: 2000 }, tools: { Bash: { max_lines: 20 } } }\n')
      write('plimsoll.yaml', 'tool_output_limits: { tools: { Bash: { max_lines: 30 } } }\n')
      const { default: common, tools } = (await load()).config.tool_output_limits
      expect([common.max_chars, common.max_lines, tools['Bash']]).toEqual([2000, 100, { max_lines: 30 }])
    })

    it('is not read with a given file', async () => {
      write(toolFile, 'tool_output_limits: { default: { max_chars: 2000 } }\n')
      expect(
        (await load({ configFile: write('other.yaml', 'timing: auto\n') })).config.tool_output_limits.default.max_chars,
      ).toBe(8000)
    })

    it('decides nothing that costs money, and nothing but limits and summaries', async () => {
      write(
        toolFile,
        'summarization: { enabled: true, model: dear, trigger_threshold: 9 }\nmodel: dear\ngateway: { a: 1 }\nport: 80\n',
      )
      const { config, warnings } = await load()
      expect(config).toEqual({ ...defaultConfig, summarization: { ...defaultConfig.summarization, trigger_threshold: 9 } })
      expect(warnings.map((line) => line.slice(folder.length + 1))).toEqual([
        `${toolFile}:1:18: summarization.enabled: ignored; set it in your own configuration`,
        `${toolFile}:1:33: summarization.model: ignored; set it in your own configuration`,
      ])
    })

    it.each([
      [
        'tool_output_limits: { default: { max_chars: many } }',
        ':1:45: tool_output_limits.default.max_chars: expected a whole number',
      ],
      ['tool_output_limits: { commands: x }', ':1:23: tool_output_limits.commands: only allowed in your own configuration'],
      ['summarization: 3', ':1:16: summarization: expected'],
      ['- a', ':1:1: expected a mapping'],
      ['a: &a [x]\nb: [*a, *a]\n"', ':3:2: missing closing'],
      ['x'.repeat(70_000), ': expected at most 65536 bytes, got more'],
      [Buffer.from([0xff, 0xfe, 0xff]), ': expected text in UTF-8, got other bytes'],
    ])('is refused like plimsoll.yaml if it is wrong: %#', async (content, problem) => {
      write(toolFile, content)
      expect((await problems())[0]).toContain(`${toolFile}${problem}`)
    })

    it('may be missing, and a folder of its name is refused', async () => {
      expect((await load()).config).toEqual(defaultConfig)
      mkdirSync(join(folder, toolFile), { recursive: true })
      expect(await problems()).toEqual([`${toolFile}: expected a file, got a folder`])
    })
  })

  it('a given file in place of the project’s', async () => {
    write('home/.config/plimsoll/config.yaml', 'context_window: 7\n')
    write('plimsoll.yaml', 'output_reserve: 1\n')
    const { config } = await load({ configFile: write('other.yaml', 'timing: auto\n') })
    expect([config.context_window, config.output_reserve, config.timing]).toEqual([7, null, 'auto'])
  })

  it.each([
    '',
    '# nothing\n',
    'outdated_commands:\n',
    'tool_output_limits:\n  default:\n  tools:\n    read_file:\n    Bash:\n',
    'tool_output_limits: { tools: }\n',
  ])('a section without content sets nothing: %j', async (text) => {
    write('plimsoll.yaml', text)
    expect((await load()).config).toEqual(defaultConfig)
  })

  it('null where null means something', async () => {
    write('home/.config/plimsoll/config.yaml', 'output_reserve: 5\nlocale: zh\n')
    write('plimsoll.yaml', 'output_reserve: null\nlocale:\n')
    expect([(await load()).config.output_reserve, (await load()).config.locale]).toEqual([null, null])
  })

  const settings: readonly (readonly [
    name: string,
    yaml: string,
    expected: Partial<Record<keyof typeof defaultConfig, unknown>>,
  ])[] = [
    [
      'R000-39 age and count of outdated commands',
      'outdated_commands: { after_minutes: 30, keep_recent: 2 }',
      { outdated_commands: { after_minutes: 30, keep_recent: 2, stderr_is_error: true } },
    ],
    [
      'R001-46 reads kept of a file',
      'repeated_reads: { keep_latest: 2 }',
      { repeated_reads: { keep_latest: 2, large_file_chars: null } },
    ],
    [
      'R001-49 the size from which a file keeps fewer reads',
      'repeated_reads: { large_file_chars: 20000 }',
      { repeated_reads: { keep_latest: 5, large_file_chars: 20_000 } },
    ],
    [
      'R003-19 the default limits',
      'tool_output_limits: { default: { max_chars: 1, max_lines: 2, truncation_strategy: head_only } }',
      {
        tool_output_limits: {
          ...defaultConfig.tool_output_limits,
          default: { max_chars: 1, max_lines: 2, truncation_strategy: 'head_only' },
        },
      },
    ],
    [
      'R003-20 the limits of one tool, each key',
      'tool_output_limits: { tools: { grep_search: { max_chars: 1, max_lines: 2, truncation_strategy: summarize, show_context: 0, max_depth: 4, max_files: 5 } } }',
      {
        tool_output_limits: {
          ...defaultConfig.tool_output_limits,
          tools: {
            ...defaultConfig.tool_output_limits.tools,
            grep_search: {
              max_chars: 1,
              max_lines: 2,
              truncation_strategy: 'summarize',
              show_context: 0,
              max_depth: 4,
              max_files: 5,
            },
          },
        },
      },
    ],
    [
      'R003-21 summarization, each key',
      'summarization: { enabled: true, model: small, max_input_chars: 10, trigger_threshold: 20 }',
      { summarization: { enabled: true, model: 'small', max_input_chars: 10, trigger_threshold: 20 } },
    ],
  ]
  it.each(settings)('%s', async (_name, yaml, expected) => {
    write('home/.config/plimsoll/config.yaml', yaml)
    expect((await load()).config).toEqual({ ...defaultConfig, ...expected })
  })
})

describe('the environment', () => {
  const variables: readonly (readonly [variable: string, value: string, key: string, expected: unknown])[] = [
    ['PLIMSOLL_OUTDATED_COMMANDS__AFTER_MINUTES', '30', 'outdated_commands.after_minutes', 30],
    ['PLIMSOLL_OUTDATED_COMMANDS__STDERR_IS_ERROR', 'false', 'outdated_commands.stderr_is_error', false],
    ['PLIMSOLL_POLICIES', '[filter-binary]', 'policies', ['filter-binary']],
    ['PLIMSOLL_POLICIES', 'economy', 'policies', 'economy'],
    ['PLIMSOLL_POLICIES', 'digests', 'policies', 'digests'],
    ['PLIMSOLL_REPEATED_READS__LARGE_FILE_CHARS', 'null', 'repeated_reads.large_file_chars', null],
    ['PLIMSOLL_RULES_FILES', '- a.md\n- b.md', 'rules_files', ['a.md', 'b.md']],
    ['PLIMSOLL_SUMMARIZATION', '{ enabled: true }', 'summarization.enabled', true],
    ['PLIMSOLL_TOOL_OUTPUT_LIMITS__DEFAULT__MAX_CHARS', '9', 'tool_output_limits.default.max_chars', 9],
    [
      'PLIMSOLL_TOOL_OUTPUT_LIMITS__TOOLS__GREP_SEARCH__SHOW_CONTEXT',
      '1',
      'tool_output_limits.tools.grep_search.show_context',
      1,
    ],
    [
      'PLIMSOLL_TOOL_OUTPUT_LIMITS__TOOLS__TERMINAL_EXECUTE__MAX_LINES',
      '1',
      'tool_output_limits.tools.terminal-execute.max_lines',
      1,
    ],
    ['PLIMSOLL_TOOL_OUTPUT_LIMITS__TOOLS__UNHEARD_OF__MAX_LINES', '1', 'tool_output_limits.tools.unheard_of.max_lines', 1],
  ]
  it.each(variables)('%s=%s', async (variable, value, key, expected) => {
    write('plimsoll.yaml', 'tool_output_limits: { tools: { terminal-execute: { max_chars: 4 } } }')
    const { config, origins, warnings } = await load({ environment: { [variable]: value } })
    expect(key.split('.').reduce<unknown>((level, step) => (level as Record<string, unknown>)[step], config)).toEqual(expected)
    expect(origins[key]).toBe(variable)
    expect(warnings.filter((warning) => warning.includes('names no setting'))).toEqual([])
  })

  it('a variable that is set to nothing sets nothing', async () => {
    expect((await load({ environment: { PLIMSOLL_CONTEXT_WINDOW: '' } })).config).toEqual(defaultConfig)
  })

  it('a variable that names no setting is warned about, not refused', async () => {
    const { config, warnings } = await load({
      environment: {
        PLIMSOLL_CONTEXT_WINDOWS: '1',
        PLIMSOLL_X: '2',
        PLIMSOLL_COMPACTION__THRESHOLD__MORE: '1',
        PLIMSOLL_LOG: 'debug',
        PLIMSOLL_DEBUG: '1',
        PLIMSOLLS: '3',
      },
    })
    expect(config).toEqual(defaultConfig)
    expect(warnings).toEqual([
      'PLIMSOLL_COMPACTION__THRESHOLD__MORE: names no setting; did you mean PLIMSOLL_COMPACTION__THRESHOLD?',
      'PLIMSOLL_CONTEXT_WINDOWS: names no setting; did you mean PLIMSOLL_CONTEXT_WINDOW?',
      'PLIMSOLL_X: names no setting',
    ])
  })

  it('a wrong value names the variable', async () => {
    expect(await problems({ environment: { PLIMSOLL_COMPACTION__THRESHOLD: 'much', PLIMSOLL_LOCALE: '[' } })).toEqual([
      'PLIMSOLL_LOCALE: locale: flow sequence must end with a ]',
      'PLIMSOLL_COMPACTION__THRESHOLD: compaction.threshold: expected a number above 0, at most 1, got "much"',
    ])
  })
})

describe('what is refused', () => {
  const values: readonly (readonly [yaml: string, line: string])[] = [
    ['context_window: 0', '1:17: context_window: expected a whole number, 1 or more, got 0'],
    ['context_window: 1.5', '1:17: context_window: expected a whole number, 1 or more, got 1.5'],
    ['context_window: .inf', '1:17: context_window: expected a whole number, 1 or more, got Infinity'],
    ['context_window:', '1:16: context_window: expected a whole number, 1 or more, got null'],
    ['output_reserve: -1', '1:17: output_reserve: expected a whole number, 0 or more, got -1'],
    [
      'outdated_commands: { keep_recent: "5" }',
      '1:35: outdated_commands.keep_recent: expected a whole number, 0 or more, got "5"',
    ],
    ['outdated_commands:\n  stderr_is_error: yes', '2:20: outdated_commands.stderr_is_error: expected true or false, got "yes"'],
    ['outdated_commands: 15', '1:20: outdated_commands: expected a mapping of settings, got 15'],
    ['repeated_reads: { keep_latest: 0 }', '1:32: repeated_reads.keep_latest: expected a whole number, 1 or more, got 0'],
    ['compaction: { threshold: 0 }', '1:26: compaction.threshold: expected a number above 0, at most 1, got 0'],
    ['compaction: { threshold: 80 }', '1:26: compaction.threshold: expected a number above 0, at most 1, got 80'],
    ['timing: later', '1:9: timing: expected "immediate", "economic" or "auto", or null, got "later"'],
    ['timing: 3', '1:9: timing: expected "immediate", "economic" or "auto", or null, got 3'],
    ['rules_files: CODE.md', '1:14: rules_files: expected a list of file names, got "CODE.md"'],
    ['rules_files: [a, 3]', "1:18: rules_files.1: expected a file's name, got 3"],
    ['summarization: { model: "" }', '1:25: summarization.model: expected a model\'s name, got ""'],
    ['tool_output_limits: { tools: { "": {} } }', '1:32: tool_output_limits.tools.: expected a tool\'s name, got ""'],
    [
      'tool_output_limits: { tools: [] }',
      '1:30: tool_output_limits.tools: expected a mapping from tool names to limits, got a list',
    ],
    ['- policies', '1:1: expected a mapping of settings, got a list'],
    [`locale: ["${'x'.repeat(99)}"]`, '1:9: locale: expected a language such as "en" or "zh", or null, got a list'],
    [`timing: ${'x'.repeat(99)}`, `1:9: timing: expected "immediate", "economic" or "auto", or null, got "${'x'.repeat(55)}..."`],
  ]
  it.each(values)('%j', async (yaml, line) => {
    write('plimsoll.yaml', yaml)
    expect(await problems()).toEqual([`plimsoll.yaml:${line}`])
  })

  const keys: readonly (readonly [yaml: string, line: string])[] = [
    ['outdated_commands:\n  after_minuts: 3', '2:3: outdated_commands.after_minuts: unknown key; did you mean after_minutes?'],
    [
      'tool_output_limits: { tools: { Bash: { maxLines: 3 } } }',
      '1:40: tool_output_limits.tools.Bash.maxLines: unknown key; did you mean max_lines?',
    ],
    ['max_chars: 3', '1:1: max_chars: unknown key; did you mean tool_output_limits.default.max_chars?'],
    ['models: { mine: { price: { input: 1 } } }', '1:19: models.mine.price: unknown key; did you mean prices?'],
    [
      'prices: { mine: { input: 1, output: 1, cache_reed: 1 } }',
      '1:40: prices.mine.cache_reed: unknown key; did you mean cache_read?',
    ],
    ['overflow: { wait: 1 }', '1:13: overflow.wait: unknown key; expected one of auto_recover'],
  ]
  it.each(keys)('an unknown key: %j', async (yaml, line) => {
    write('plimsoll.yaml', yaml)
    expect(await problems()).toEqual([`plimsoll.yaml:${line}`])
  })

  it.each(['upstream', 'upstreams', 'api_key', 'api-keys', 'keys', 'commands', 'mcp'])("%s in a project's file", async (key) => {
    write('plimsoll.yaml', `timing: auto\n${key}: x\n`)
    expect(await problems()).toEqual([
      `plimsoll.yaml:2:1: ${key}: only allowed in your own configuration: a project's file may not set upstreams, keys or commands`,
    ])
  })

  it("a project's file does not decide how the user's sessions are stored, the user's own does", async () => {
    write('plimsoll.yaml', 'locale: en\nsessions: { redact_secrets: true }\n')
    expect(await problems()).toEqual([
      "plimsoll.yaml:2:1: sessions: only allowed in your own configuration: a project's file may not decide how your sessions are stored",
    ])
    write('plimsoll.yaml', 'locale: en\n')
    expect((await load({ environment: { PLIMSOLL_SESSIONS__REDACT_SECRETS: 'true' } })).config.sessions).toEqual({
      redact_secrets: true,
    })
  })

  it('a project’s file says nothing about the gateway, the user’s own does', async () => {
    write('plimsoll.yaml', 'locale: en\ngateway: { upstreams: { anthropic: "https://elsewhere.example" } }\n')
    expect(await problems()).toEqual([
      "plimsoll.yaml:2:1: gateway: only allowed in your own configuration: a project's file may not decide where your requests go and what is done to them",
    ])
    write('plimsoll.yaml', 'locale: en\n')
    write('home/.config/plimsoll/config.yaml', 'gateway: { trim: safe, upstreams: { openai: "https://llm.example/v1" } }\n')
    const { gateway } = (await load({ environment: { PLIMSOLL_GATEWAY__STORE: 'postgres://db/plimsoll' } })).config
    expect(gateway).toEqual({
      ...defaultGatewaySettings,
      trim: 'safe',
      store: 'postgres://db/plimsoll',
      upstreams: { ...defaultGatewaySettings.upstreams, openai: 'https://llm.example/v1' },
    })
  })

  it.each([
    ['ftp://host', false],
    ['https://user:word@host', false],
    ['https://@host', false],
    ['https://host/?key=1', false],
    ['https://host/#x', false],
    ['host:80', false],
    ['http://[::1', false],
    ['https://host:8443/path', true],
    ['http://127.0.0.1:1', true],
    ['http://10.0.0.5', true],
  ])('an upstream is an address and nothing more: %s', async (address, isOne) => {
    const flags = [{ flag: '--upstream', path: ['gateway', 'upstreams', 'openai'], value: address }]
    const loading = () => loadConfig({ projectFolder: '/nowhere', environment: { HOME: '/nowhere' }, flags })
    if (isOne) expect((await loading()).config.gateway.upstreams.openai).toBe(address)
    else await expect(loading).rejects.toThrow('gateway.upstreams.openai: expected an address')
  })

  it.each([
    ['http://10.0.0.5', 1],
    ['http://localhost:1', 0],
    ['http://127.9.9.9', 0],
    ['http://[::1]:1', 0],
    ['https://10.0.0.5', 0],
  ])('warns of keys that go to another machine in the clear: %s', async (address, count) => {
    const flags = [{ flag: '--upstream', path: ['gateway', 'upstreams', 'openai'], value: address }]
    const { warnings } = await loadConfig({ projectFolder: '/nowhere', environment: { HOME: '/nowhere' }, flags })
    expect(warnings.filter((text) => text.includes('without encryption'))).toHaveLength(count)
  })

  it('rejects keep_alive in a project’s file and accepts it in the user’s own', async () => {
    write('plimsoll.yaml', 'locale: en\nkeep_alive: { enabled: true }\n')
    expect(await problems()).toEqual([
      "plimsoll.yaml:2:1: keep_alive: only allowed in your own configuration: a project's file may not decide what is spent while the chat is idle",
    ])
    write('plimsoll.yaml', 'locale: en\n')
    write('home/.config/plimsoll/config.yaml', 'keep_alive: { enabled: true }\n')
    expect((await load()).config.keep_alive).toEqual({ enabled: true, max_cost: 0.5 })
  })

  it('a policy that is not known, by its place in the list', async () => {
    write('plimsoll.yaml', 'policies:\n  - filter-binary\n  - trim-everything\n')
    expect(await problems()).toEqual([
      expect.stringMatching(/^plimsoll\.yaml:3:5: policies\.1: expected one of pair-tool-calls, .*, got "trim-everything"$/),
    ])
    write('plimsoll.yaml', 'policies: all\n')
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^plimsoll\.yaml:1:11: policies: expected "spec", "digests", "economy", or a list of names out of .*, got "all"$/,
      ),
    ])
  })

  it('every problem of every source at once, in the order of the lines', async () => {
    write('home/.config/plimsoll/config.yaml', 'summarization: { enabled: 1 }\ntimings: auto\n')
    write('plimsoll.yaml', 'a: 1\na: 2\n')
    const flags = [{ flag: '--policies', path: ['policies'], value: 3 }]
    expect(await problems({ environment: { PLIMSOLL_LOCALE: '3' }, flags })).toEqual([
      'plimsoll.yaml:2:1: expected each key once, got it twice',
      'home/.config/plimsoll/config.yaml:1:27: summarization.enabled: expected true or false, got 1',
      'home/.config/plimsoll/config.yaml:2:1: timings: unknown key; did you mean timing?',
      'PLIMSOLL_LOCALE: locale: expected a language such as "en" or "zh", or null, got 3',
      expect.stringMatching(/^--policies: expected "spec", .*, got 3$/),
    ])
  })

  it('lists the first twenty problems and counts the rest', async () => {
    write('plimsoll.yaml', Array.from({ length: 5000 }, (_, index) => `key${index}: 1`).join('\n'))
    const lines = await problems()
    expect(lines).toHaveLength(21)
    expect(lines[19]).toMatch(/^plimsoll\.yaml:20:1: key19: unknown key/)
    expect(lines[20]).toBe('and 4980 more problems')
    write('plimsoll.yaml', `rules_files: [${Array.from({ length: 21 }, () => 1).join(', ')}]`)
    expect((await problems()).at(-1)).toBe('and 1 more problem')
  })

  it('a key of any length in a line that can be read', async () => {
    write('plimsoll.yaml', `? ${'k'.repeat(60_000)}\n: 1\n`)
    expect(await problems()).toEqual([expect.stringMatching(/^plimsoll\.yaml:1:3: k{120}\.\.\.: unknown key; expected one of /)])
  })

  it('a given file that is not there', async () => {
    expect(await problems({ configFile: join(folder, 'absent.yaml') })).toEqual(['absent.yaml: file not found'])
  })

  it('a folder, a file that is too large, and bytes that are not text', async () => {
    mkdirSync(join(folder, 'plimsoll.yaml'))
    expect(await problems()).toEqual(['plimsoll.yaml: expected a file, got a folder'])
    expect(await problems({ configFile: write('large.yaml', ' '.repeat(65_537)) })).toEqual([
      'large.yaml: expected at most 65536 bytes, got more',
    ])
    expect(await problems({ configFile: write('bytes.yaml', new Uint8Array([0x61, 0x3a, 0xff, 0xfe])) })).toEqual([
      'bytes.yaml: expected text in UTF-8, got other bytes',
    ])
  })
})

describe('what is warned about', () => {
  it('Q-43 a configured limit on reading files that hides most of a source file', async () => {
    write(
      'plimsoll.yaml',
      'tool_output_limits:\n  tools:\n    Read: { max_lines: 200 }\n    read_file: { max_chars: 50000, max_lines: 5000 }\n    Bash: { max_lines: 5 }\n',
    )
    const { config, warnings } = await load()
    expect(config.tool_output_limits.tools['read_file']).toEqual({ max_chars: 50_000, max_lines: 5000 })
    expect(warnings).toEqual([
      `${join(folder, 'plimsoll.yaml')}:3:13: tool_output_limits.tools.Read.max_lines: 200 hides most of a normal source file from the model`,
    ])
  })

  it.each(['default', 'tools.Bash'])(
    'Q-25 a strategy that asks a model in tool_output_limits.%s, where no model may be asked',
    async (row) => {
      const path = ['tool_output_limits', ...row.split('.'), 'truncation_strategy']
      const warnings = async (value: string, environment = {}) =>
        (await load({ flags: [{ flag: '--strategy', path, value }], environment })).warnings
      expect(await warnings('summarize')).toEqual([
        `--strategy: tool_output_limits.${row}.truncation_strategy: summarize works like head_tail unless summarization.enabled is true`,
      ])
      expect(await warnings('summarize', { PLIMSOLL_SUMMARIZATION__ENABLED: 'true' })).toEqual([])
      expect(await warnings('head_only')).toEqual([])
    },
  )
})

function leaves(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path]
  return Object.entries(value).flatMap(([key, field]) => leaves(field, path === '' ? key : `${path}.${key}`))
}
