import { english as shared } from '../../shared/strings/english.ts'
/** Sentences of `plimsoll chat` and `plimsoll -p` about their options and about how a task ended. */
export const agent = {
  help: {
    chat: 'chat with the agent in the terminal, or run one task (-p)',
    print: 'run this task without asking anything and print the answer; - reads the task from standard input',
    model: 'use this model, such as anthropic/claude-sonnet-5; offline is always the built-in one, even with --base-url',
    baseUrl: 'use the server at this address, which must offer the OpenAI chat completions API',
    mode: 'set the permission mode: read-only, ask (before changes), accept-edits (asks before commands) or auto (never asks)',
    maxCost: 'stop before the session costs more than this many dollars',
    maxSteps: 'stop a turn after this many requests',
    reasoning: 'set how much the model thinks before it answers: none, low, medium or high',
    resume: 'resume a stored session: its id, or last',
    root: 'work in this folder (default: the current one)',
    json: 'print every event as a line of JSON',
  },
  badMode: (given: string, modes: string) => `--mode: expected one of ${modes}, got ${given}`,
  badReasoning: (given: string, levels: string) => `--reasoning: expected one of ${levels}, got ${given}`,
  badNumber: (flag: string, given: string) => `${flag}: expected a number above zero, got ${given}`,
  noFolder: (path: string) => `--root: expected a folder, got ${path}`,
  jsonNeedsTask: '--json: expected a task (-p); a chat in the terminal has no JSON output',
  emptyTask: '-p: expected a task, got nothing',
  taskTooLong: (max: string) => `-p: expected at most ${max} characters, got more`,
  noPrice: (model: string) =>
    `--max-cost: the price of ${model} is unknown, so the limit cannot be enforced. Set a price in your configuration, prices: { ${model}: { input: …, output: … } }, or omit --max-cost.`,
  modelChosen: (model: string, why: string) => `model: ${model} (${why})`,
  smallWindow: (tokens: string, max: string | null, how: 'ollama' | 'other') =>
    `${tokens} tokens${max === null ? '' : `, the model supports ${max}`}; ${
      how === 'ollama'
        ? 'start Ollama with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the Modelfile'
        : 'start the server with a larger context window, such as --ctx-size 32768 for llama.cpp'
    }`,
  offline: shared.turn.offline,
  sessionFailed: 'Everything up to this point is saved. Free disk space or check the folder, then continue with --resume.',
  unexpected: 'This is a bug in Plimsoll. The session is saved: continue with --resume. Set PLIMSOLL_DEBUG=1 to see more.',
  noSummarizer: (reason: string) =>
    `summarization.enabled has no effect, long results will be cut. ${reason}. Or set summarization.model to a model you can use.`,
  notAllowed: (calls: string, mode: string) => `Not permitted, so not run: ${calls}. To allow it, add --mode ${mode}.`,
  cancelled: 'stopped; the session is saved',
  stopped: {
    'max-steps': 'task not finished: the limit of requests is reached (--max-steps)',
    'max-cost': 'task not finished: the next request could exceed the cost limit (--max-cost)',
  },
  account: ({
    requests,
    tokens,
    cost,
    session,
  }: {
    readonly requests: string
    readonly tokens: string
    readonly cost: string | null
    readonly session: string
  }) =>
    `${requests} ${requests === '1' ? 'request' : 'requests'} · ${tokens} tokens${cost === null ? '' : ` · ${cost}`} · session ${session}`,
}

/** Sentences of the built-in offline model. Texts from results and from the user arrive on one line. */
export const offlineModel = {
  plan: (commands: readonly string[]) => `Plan: ${commands.join(', then ')}.`,
  help: [
    'I am Plimsoll’s built-in offline model: not a language model, but a small program that runs simple commands with the real tools. To use a real model, set its API key (such as ANTHROPIC_API_KEY) or choose one with --model.',
    '',
    'Write one command per line, or separate several with ";" or ", then":',
    '',
    '- read PATH [FROM-TO]',
    '- list [PATH]',
    '- find PATTERN [in PATH]',
    '- search PATTERN [in PATH]',
    '- edit PATH: "old" -> "new" [everywhere]',
    '- write PATH: "text"',
    '- run COMMAND',
    '- map [PATH]',
    '- structure [PATH]',
    '- todo: one thing; another thing',
    '- draw DESCRIPTION',
    '- recall HANDLE, or WORDS to search for',
    '',
    'Put longer texts between two lines of ```. Files mentioned as @path are read first.',
  ].join('\n'),
  account: 'What the offline model did:',
  goingOn: (command: string, reason: string) => `"${command}" failed: ${reason} Continuing with the next command.`,
  failed: (reason: string) => `failed: ${reason}`,
  succeeded: 'done',
  exitCode: (code: string) => `exit code ${code}`,
  moreLines: (count: number) => (count === 1 ? '… and 1 more line' : `… and ${count} more lines`),
  outOfSight: 'done earlier; its result is no longer visible',
  notOffered: (tool: string) => `not done: the tool ${tool} is not available here`,
  stopped: (commands: readonly string[]) => `Stopped there. Not done: ${commands.join('; ')}.`,
  notUnderstood: (lines: readonly string[]) =>
    `Not understood: ${lines.join('; ')}. The offline model only follows commands; "help" lists them.`,
  noSummaries: 'The offline model cannot write summaries.',
}
