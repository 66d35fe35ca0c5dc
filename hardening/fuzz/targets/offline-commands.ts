import { offlineCommands } from '../../../packages/node/src/model/offline/offline-commands.ts'
import { holds, type Target } from '../target.ts'

/** User input for the offline model. */
export const offlineCommandsTarget: Target = {
  name: 'offline-commands',
  form: 'text',
  choices: 0,
  longest: 2000,
  covers: ['packages/node/src/model/offline/offline-commands.ts', 'packages/node/src/model/offline/offline-pieces.ts'],
  seeds: () => [
    'read src/a.ts:10-20; then list files in src',
    'edit a.ts: "old" -> "new" everywhere, `x` with `y`',
    'write b.md:\n```md\n# title\n```\n',
    '请读取 src/a.ts 第 3 到 9 行，然后运行 npm test',
    'search for "a b" in src; find **/*.ts; run npm test; echo done',
    'todo: [x] one; [>] two; three',
    'draw “a ship”; recall 0123456789ab; help',
    '1. map\n2. structure src\n- repo map',
  ],
  words: ['; ', ', then ', '然后', '```\n', ' -> ', 'everywhere', '改为', '“', '”', '「', '」', ' in ', ' 在 ', 'please '],
  maxSteps: 400,
  check({ text }) {
    const commands = offlineCommands(text)
    holds(commands.length <= text.length + 1, 'there are no more commands than characters')
    for (const command of commands) {
      if (command.kind === 'unknown')
        holds(text.replaceAll('\r', '').includes(command.text.replaceAll('\r', '')), 'an unknown command is quoted unchanged')
      if (command.kind !== 'call') continue
      holds(command.about.length <= 200 && !command.about.includes('\n'), 'a command is described in one line')
      if (text.isWellFormed()) holds(command.about.isWellFormed(), 'no character is split')
      holds(
        command.tool !== '' && JSON.stringify(command.input).length <= text.length * 60 + 200,
        'a call is not much longer than its text',
      )
    }
  },
}
