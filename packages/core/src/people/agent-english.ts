import type { AgentStrings } from './agent-strings.ts'

/** What the agent's commands say, in English. */
export const agentEnglish: AgentStrings = {
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
  badMode: (given, modes) => `--mode: expected one of ${modes}, got ${given}`,
  badReasoning: (given, levels) => `--reasoning: expected one of ${levels}, got ${given}`,
  badNumber: (flag, given) => `${flag}: expected a number above zero, got ${given}`,
  noFolder: (path) => `${path}: expected a folder that the agent can work in`,
  jsonNeedsTask: '--json: expected a task with -p; a conversation in a terminal has no JSON form',
  emptyTask: '-p: expected a task, got nothing',
  taskTooLong: (most) => `-p: expected a task of at most ${most} characters`,
  noPrice: (model) =>
    `--max-cost: what ${model} costs is not known, so the limit could not be kept; set models.${model}.price in your configuration, or leave the limit out`,
  modelChosen: (model, why) => `model: ${model} (${why})`,
  smallWindow: (tokens, most, how) =>
    `${tokens} tokens${most === null ? '' : ` of ${most}`}; ${
      how === 'ollama'
        ? 'start Ollama with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the Modelfile'
        : 'start the server with a larger context, such as --ctx-size 32768 for llama.cpp'
    }`,
  offline:
    'No key was found, so the built-in offline model answers: it follows plain commands such as “read FILE” or “run COMMAND”. Set a key (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) or --base-url for a real one.',
  sessionFailed: 'What was said until then is kept. Make room or mend the folder, then go on with --resume.',
  unexpected: 'This is a defect of Plimsoll. The session is kept; go on with --resume, and set PLIMSOLL_DEBUG=1 to see more.',
  summariesOfProject:
    'The project’s file asks for summaries of tool results (summarization), which a model would write; only your own configuration may, so results are cut instead.',
  notAllowed:
    'Some calls needed permission and did not run; --mode accept-edits allows changes to files, --mode auto everything.',
  cancelled: 'stopped; the session is kept',
  stopped: {
    'max-steps': 'the task is not done: it has taken as many requests as it may (--max-steps)',
    'max-cost': 'the task is not done: the next request would cost more than it may (--max-cost)',
  },
  account: ({ requests, tokens, cost, session }) =>
    `${requests} ${requests === '1' ? 'request' : 'requests'} · ${tokens} tokens${cost === null ? '' : ` · ${cost}`} · session ${session}`,
}
