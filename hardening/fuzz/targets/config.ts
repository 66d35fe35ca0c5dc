import { completeConfig } from '../../../packages/core/src/config.ts'
import { unprintable } from '../../../packages/core/src/text/labels.ts'
import { checkLayer } from '../../../packages/node/src/config/check-layer.ts'
import { ConfigError, type ConfigProblem } from '../../../packages/node/src/config/config-error.ts'
import { readYaml } from '../../../packages/node/src/config/yaml-text.ts'
import { holds, type Target } from '../target.ts'

/** A configuration file: YAML, its validation, and the error messages. */
export const configTarget: Target = {
  name: 'config',
  form: 'text',
  choices: 1,
  longest: 4000,
  slowness: 3,
  covers: ['packages/node/src/config/', 'packages/core/src/config.ts'],
  seeds: () => [
    'context_window: 200000\ncompaction:\n  threshold: 0.8\n  max_summary_tokens: 2000\n',
    'tool_output_limits:\n  default: { max_chars: 1000, max_lines: 20 }\n  tools:\n    Bash:\n      max_chars: 500\n      strategy: head_only\n',
    'policies: [pair-tool-calls, filter-binary]\nlocale: zh\nmodel: offline\n',
    'base: &base\n  a: 1\nother:\n  <<: *base\n  list: [1, 2, *base]\n',
    'gateway:\n  upstreams:\n    - { name: a, url: "https://example.com" }\nmcp_servers:\n  x: { command: [ls] }\n',
    '"quoted\\u0041": |\n  block\n  text\n? key\n: value\n--- \nsecond: document\n',
    '{json: [true, null, 1.5, "x"], __proto__: {polluted: true}}\n',
  ],
  words: [
    'compaction:',
    'tool_output_limits:',
    'policies:',
    'gateway:',
    'models:',
    '\n  ',
    '&a ',
    '*a',
    '<<: ',
    '- ',
    '!!map ',
    '? ',
    ': ',
  ],
  maxSteps: 500,
  check({ text, choices: [way = 0] }) {
    const yaml = readYaml('file.yaml', text)
    checkProblems(yaml.problems, text)
    if (yaml.problems.length > 0) {
      holds(yaml.value === undefined, 'YAML with problems has no value')
      return
    }
    const checked = checkLayer({ value: yaml.value, where: yaml.where, ofProject: way % 2 === 0 })
    if (checked.kind === 'refused') {
      holds(checked.problems.length > 0, 'a refusal has a reason')
      checkProblems(checked.problems, text)
      return
    }
    const config = completeConfig(checked.settings)
    holds(Object.getPrototypeOf(config) === Object.prototype, 'no prototype is changed')
    const written = checkLayer({ value: structuredClone(checked.settings), where: () => 'file.yaml:1:1', ofProject: false })
    holds(written.kind === 'checked', 'an accepted configuration is accepted again')
  },
}

function checkProblems(problems: readonly ConfigProblem[], text: string): void {
  if (problems.length === 0) return
  const lines = text.split(/\r\n?|\n/).length
  for (const { where, message } of problems) {
    const place = /^file\.yaml:(\d+):(\d+)$/.exec(where)
    holds(place !== null, 'a problem has a line and a column')
    holds(Number(place?.[1]) <= lines + 1, 'a problem is inside the file')
    holds(message !== '', 'a problem has a message')
  }
  const said = new ConfigError(problems).message
  holds(said.replaceAll('\n', '').search(unprintable) < 0, 'messages have no control characters')
  holds(said.length < 20_000, 'messages are not too long')
}
