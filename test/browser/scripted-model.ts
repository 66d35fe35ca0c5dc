import { forgetful } from '../../packages/node/src/agent/testing/compacting.ts'
import {
  type Answer,
  type OpenAiServer,
  type ReceivedRequest,
  type ScriptedAnswer,
  startOpenAiServer,
} from '../../packages/node/src/model/testing/openai-server.ts'
import { whenOver } from '../share-in-file.ts'

/** A model with scripted answers, and the options that make the app use it. */
export interface ScriptedModel extends OpenAiServer {
  readonly options: readonly string[]
  /** The requests so far, without those for summaries. */
  readonly turns: () => readonly ReceivedRequest[]
}

/** Starts a model that gives these answers in turn, repeats the last, and answers requests for summaries with `summary`. */
export async function startModel(answers: readonly [Answer, ...Answer[]], summary: Answer = written): Promise<ScriptedModel> {
  let given = 0
  const next = (request: ReceivedRequest): Answer => {
    if (isSummary(request)) return summary
    given += 1
    return answers[Math.min(given, answers.length) - 1] as Answer
  }
  const server = await startOpenAiServer(next satisfies ScriptedAnswer)
  whenOver(server.close)
  return {
    ...server,
    options: ['--model', 'test-model', '--base-url', server.url],
    turns: () => server.requests.filter((request) => !isSummary(request)),
  }
}

/** A complete answer in one event. */
export function text(content: string): Answer {
  return { kind: 'text', text: content }
}

/** The call of a tool. */
export function call(tool: string, input: unknown): Answer {
  return { kind: 'tool-call', tool, input }
}

/** An answer in pieces, with actions in between. */
export function pieces(...steps: readonly (object | (() => Promise<void> | void))[]): Answer {
  const chunks = steps.map((piece) =>
    typeof piece === 'function' ? (piece as () => Promise<void>) : chunk({ delta: piece, finish_reason: null }),
  )
  return { kind: 'raw', pieces: [...chunks, chunk({ delta: {}, finish_reason: 'stop' }), 'data: [DONE]\n\n'] }
}

/** A provider's error for a request that is too long. */
export function refusal(requested: number, most: number): Answer {
  const message = `This model's maximum context length is ${most} tokens. However, your messages resulted in ${requested} tokens. Please reduce the length of the messages.`
  const error = { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' }
  return { kind: 'body', status: 400, body: JSON.stringify({ error }) }
}

const written = text(forgetful)

/** A request for a summary has no tools, or ends with the summary template. */
function isSummary({ body }: ReceivedRequest): boolean {
  return body.tools === undefined || JSON.stringify(body.messages.at(-1)).includes('Archived Session Summary')
}

function chunk(choice: object): string {
  const fields = {
    id: 'chatcmpl-0',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'test',
    choices: [{ index: 0, ...choice }],
  }
  return `data: ${JSON.stringify(fields)}\n\n`
}
