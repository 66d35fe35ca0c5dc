import { english as shared } from '../../shared/strings/english.ts'
/** Sentences of `plimsoll chat` and `plimsoll -p` about their options and about how a task ended. */
export const agent = {
  help: {
    chat: 'talk to the agent in a terminal, or let it do one task (-p)',
    print: 'do this task without a person and print the answer; - reads it from standard input',
    model: 'the model that answers, such as anthropic/claude-sonnet-5; offline is always the built-in one, also with --base-url',
    baseUrl: 'the address of a server that speaks OpenAI’s chat completions',
    mode: 'what the agent may do without asking: read-only, ask, accept-edits or auto',
    maxCost: 'dollars that the session may cost',
    maxSteps: 'requests that one turn may take',
    reasoning: 'how much the model thinks before it answers: none, low, medium or high',
    resume: 'go on with a stored session: its id, or last',
    root: 'the folder the agent works in (default: the current one)',
    json: 'print every event as a line of JSON',
  },
  badMode: (given: string, modes: string) => `--mode: expected one of ${modes}, got ${given}`,
  badReasoning: (given: string, levels: string) => `--reasoning: expected one of ${levels}, got ${given}`,
  badNumber: (flag: string, given: string) => `${flag}: expected a number above zero, got ${given}`,
  noFolder: (path: string) => `${path}: expected a folder that the agent can work in`,
  jsonNeedsTask: '--json: expected a task with -p; a conversation in a terminal has no JSON form',
  emptyTask: '-p: expected a task, got nothing',
  taskTooLong: (most: string) => `-p: expected a task of at most ${most} characters`,
  noPrice: (model: string) =>
    `--max-cost: what ${model} costs is not known, so the limit could not be kept; set models.${model}.price in your configuration, or leave the limit out`,
  modelChosen: (model: string, why: string) => `model: ${model} (${why})`,
  smallWindow: (tokens: string, most: string | null, how: 'ollama' | 'other') =>
    `${tokens} tokens${most === null ? '' : ` of ${most}`}; ${
      how === 'ollama'
        ? 'start Ollama with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the Modelfile'
        : 'start the server with a larger context, such as --ctx-size 32768 for llama.cpp'
    }`,
  offline: shared.turn.offline,
  sessionFailed: 'What was said until then is kept. Make room or mend the folder, then go on with --resume.',
  unexpected: 'This is a defect of Plimsoll. The session is kept; go on with --resume, and set PLIMSOLL_DEBUG=1 to see more.',
  summariesOfProject:
    'The project’s file asks for summaries of tool results (summarization), which a model would write; only your own configuration may, so results are cut instead.',
  notAllowed: (calls: string, mode: string) => `Not permitted, so not run: ${calls}. To allow it, add --mode ${mode}.`,
  cancelled: 'stopped; the session is kept',
  stopped: {
    'max-steps': 'the task is not done: it has taken as many requests as it may (--max-steps)',
    'max-cost': 'the task is not done: the next request would cost more than it may (--max-cost)',
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
    'I am the offline model that is built into Plimsoll: no language model, but a small program that follows plain commands with the real tools. To talk to a real model, set its key (such as ANTHROPIC_API_KEY) or choose one with --model.',
    '',
    'One command a line, or several with ";" or ", then" between them:',
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
    'Longer texts may stand between lines of ```. Files mentioned as @path are read first.',
  ].join('\n'),
  account: 'What the offline model did:',
  goingOn: (command: string, reason: string) => `"${command}" failed: ${reason} Going on with the next command.`,
  failed: (reason: string) => `failed: ${reason}`,
  succeeded: 'done',
  exitCode: (code: string) => `exit code ${code}`,
  moreLines: (count: number) => (count === 1 ? '… and 1 more line' : `… and ${count} more lines`),
  outOfSight: 'done earlier; its result is no longer in sight',
  notOffered: (tool: string) => `not done: the tool ${tool} is not offered here`,
  stopped: (commands: readonly string[]) => `Stopped there. Not done: ${commands.join('; ')}.`,
  notUnderstood: (lines: readonly string[]) =>
    `Not understood: ${lines.join('; ')}. The offline model only follows commands; "help" lists them.`,
  noSummaries: 'The offline model writes no summaries.',
}
