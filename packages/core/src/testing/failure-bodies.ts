import type { Failure, FailureKind } from '../failure/classify-failure.ts'

/** A failure with only the given fields known. */
export const knownFailure = (kind: FailureKind, fields: Partial<Failure> = {}): Failure => ({
  kind,
  limit: null,
  requested: null,
  input: null,
  output: null,
  provider: null,
  ...fields,
})
/** An overflow that reports only the size of the input. */
export const tooLong = (limit: number, input: number, provider: string | null): Failure =>
  knownFailure('overflow', { limit, input, requested: input, provider })
const noRoom = (limit: number, input: number, output: number, provider: string | null): Failure =>
  knownFailure('output_reservation', { limit, input, output, requested: input + output, provider })
/** The envelope most servers use. */
export const message = (text: string, fields: object = {}) => ({ error: { message: text, ...fields } })

/** The response of a server, and its expected classification. */
export type FailureCase = readonly [name: string, status: number | null, body: unknown, expected: Failure]

/** Inputs that are too long. */
export const overflowBodies: readonly FailureCase[] = [
  [
    'Anthropic',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 201,500 tokens > 200,000 maximum' } },
    tooLong(200_000, 201_500, 'anthropic'),
  ],
  [
    'Anthropic behind Bedrock',
    400,
    { message: 'The model returned the following errors: prompt is too long: 201500 tokens > 200000 maximum' },
    tooLong(200_000, 201_500, 'bedrock'),
  ],
  [
    'Bedrock',
    400,
    { __type: 'ValidationException', message: 'Input is too long for requested model.' },
    knownFailure('overflow', { provider: 'bedrock' }),
  ],
  [
    'Bedrock Titan',
    400,
    { message: '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9500 ' },
    tooLong(8192, 9500, 'bedrock'),
  ],
  [
    'OpenAI chat',
    400,
    message(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. Please reduce the length of the messages.",
      { code: 'context_length_exceeded', type: 'invalid_request_error' },
    ),
    tooLong(128_000, 130_001, null),
  ],
  [
    'OpenAI with functions counted',
    400,
    message(
      "This model's maximum context length is 8192 tokens. However, you requested 9700 tokens (8600 in the messages, 600 in the functions, 500 in the completion).",
      { code: 'context_length_exceeded' },
    ),
    knownFailure('overflow', { limit: 8192, requested: 9700, input: 9200, output: 500 }),
  ],
  [
    'OpenAI responses, failed in the stream',
    200,
    'event: response.created\ndata: {"type":"response.created","response":{"error":null}}\n\nevent: response.failed\ndata: {"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model. Please adjust your input and try again."}}}\n\n',
    knownFailure('overflow', { provider: 'openai' }),
  ],
  [
    'OpenAI, one text too long',
    400,
    message(
      "Invalid 'messages[2].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11000000 instead.",
      { code: 'string_above_max_length' },
    ),
    knownFailure('overflow', { provider: 'openai' }),
  ],
  [
    'DeepSeek',
    400,
    message(
      "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (140000 in the messages, 0 in the completion).",
      { type: 'invalid_request_error', code: 'invalid_request_error' },
    ),
    knownFailure('overflow', { limit: 131_072, requested: 140_000, input: 140_000, output: 0, provider: 'deepseek' }),
  ],
  [
    'Gemini',
    400,
    [
      message('The input token count (1,100,000) exceeds the maximum number of tokens allowed (1,048,576).', {
        code: 400,
        status: 'INVALID_ARGUMENT',
      }),
    ],
    tooLong(1_048_576, 1_100_000, 'gemini'),
  ],
  [
    'Gemini without the count',
    400,
    message('The input token count exceeds the maximum number of tokens allowed 1048576.', { code: 400 }),
    knownFailure('overflow', { limit: 1_048_576, provider: 'gemini' }),
  ],
  [
    'Vertex',
    400,
    message(
      'Unable to submit request because the input token count is 1200000 but model only supports up to 1048576. Reduce the input token count and try again.',
    ),
    tooLong(1_048_576, 1_200_000, 'gemini'),
  ],
  [
    'Gemini through an SDK that prints the body',
    null,
    {
      message:
        '[GoogleGenerativeAI Error]: got status: 400 Bad Request. {"error":{"code":400,"message":"The input token count (12) exceeds the maximum number of tokens allowed (10).","status":"INVALID_ARGUMENT"}}',
    },
    tooLong(10, 12, 'gemini'),
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 40107 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
      code: '3051',
    },
    tooLong(32_768, 40_107, 'mistral'),
  ],
  [
    'MiniMax, whose number is an error code',
    400,
    { type: 'error', error: { type: 'bad_request_error', message: 'invalid params, context window exceeds limit (2013)' } },
    knownFailure('overflow', { provider: 'minimax' }),
  ],
  [
    'MiniMax in its own envelope',
    200,
    { base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit' } },
    knownFailure('overflow', { provider: 'minimax' }),
  ],
  [
    'Moonshot',
    400,
    message('Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)'),
    knownFailure('overflow', { limit: 131_072, requested: 140_000, provider: 'moonshot' }),
  ],
  [
    'xAI',
    400,
    { code: 'invalid-argument', error: "This model's maximum prompt length is 256000 but the request contains 300000 tokens." },
    tooLong(256_000, 300_000, 'xai'),
  ],
  [
    'DashScope, OpenAI style',
    400,
    message('<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]', {
      code: 'invalid_parameter_error',
    }),
    knownFailure('overflow', { limit: 98_304, provider: 'dashscope' }),
  ],
  [
    'Cohere',
    400,
    {
      message:
        'too many tokens: size limit exceeded by 1160 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
    },
    knownFailure('overflow', { limit: 128_000, provider: 'cohere' }),
  ],
  [
    'GitHub Models, which speaks of a body',
    413,
    message('Request body too large for gpt-4o model. Max size: 8000 tokens.', { code: 'tokens_limit_reached' }),
    knownFailure('overflow', { limit: 8000, provider: 'github-models' }),
  ],
  [
    'llama.cpp',
    400,
    message('the request exceeds the available context size, try increasing it', {
      type: 'exceed_context_size_error',
      n_prompt_tokens: 5000,
      n_ctx: 4096,
    }),
    tooLong(4096, 5000, 'llama.cpp'),
  ],
  [
    'llama.cpp in the middle of an answer',
    500,
    message('Context size has been exceeded.', { code: 500 }),
    knownFailure('overflow', { provider: 'llama.cpp' }),
  ],
  [
    'LM Studio in a stream',
    200,
    'event: error\ndata: {"error":{"message":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}}\n\n',
    tooLong(4096, 9000, 'lmstudio'),
  ],
  [
    'LM Studio by its names',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9000>= n_ctx: 4096).',
    },
    tooLong(4096, 9000, 'lmstudio'),
  ],
  ['Ollama', 400, { error: 'input length exceeds the context length' }, knownFailure('overflow', { provider: 'ollama' })],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message:
        'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.',
      type: 'BadRequestError',
      code: 400,
    },
    tooLong(8192, 9000, 'vllm'),
  ],
  [
    'SGLang',
    400,
    { object: 'error', message: "The input (9000 tokens) is longer than the model's context length (8192 tokens).", code: 400 },
    tooLong(8192, 9000, 'sglang'),
  ],
  [
    'text-generation-inference',
    424,
    { error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000', error_type: 'validation' },
    tooLong(1024, 2000, 'tgi'),
  ],
  ['TabbyAPI', 422, { detail: 'Prompt length 9000 is greater than max_seq_len 8192' }, tooLong(8192, 9000, 'tabbyapi')],
  [
    'TensorRT-LLM',
    400,
    message('Prompt length (9000) exceeds maximum input length (8192).'),
    tooLong(8192, 9000, 'tensorrt-llm'),
  ],
  [
    'SiliconFlow',
    400,
    { code: 20015, message: 'length of prompt_tokens (40000) must be less than max_seq_len (32768).', data: null },
    tooLong(32_768, 40_000, 'siliconflow'),
  ],
  [
    'watsonx',
    400,
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            'Invalid input argument for Model: the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model',
        },
      ],
    },
    tooLong(4096, 5000, 'watsonx'),
  ],
  ['Zhipu in Chinese', 400, message('Prompt 超长', { code: '1261' }), knownFailure('overflow', { provider: 'zhipu' })],
  ['a relay in Chinese', 400, message('输入内容超过模型最大上下文长度限制'), knownFailure('overflow')],
  [
    'a relay in Chinese, with sizes',
    400,
    message('模型上下文长度超限：最大 32768，当前 40000'),
    knownFailure('overflow', { limit: 32_768, requested: 40_000 }),
  ],
  [
    'known words with an unknown end',
    400,
    message("This model's maximum context length is 200000 tokens. However, your prompt contains 210000 tokens"),
    knownFailure('overflow', { limit: 200_000, requested: 210_000 }),
  ],
  [
    'a request size given in tokens',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request size exceeds model context window' } },
    knownFailure('overflow'),
  ],
  [
    'text and images together',
    400,
    message('Total tokens of image and text exceed max message tokens. Request id: 1'),
    knownFailure('overflow', { provider: 'volcengine' }),
  ],
  [
    'a status before the words',
    400,
    'HTTP 400: the prompt of 9000 tokens is larger than the context window of 8192',
    knownFailure('overflow', { limit: 8192, requested: 9000 }),
  ],
  ['a relay in Japanese', 400, message('入力トークン数がコンテキスト長を超えています。'), knownFailure('overflow')],
  ['a relay in Korean', 400, message('프롬프트가 컨텍스트 길이를 초과했습니다'), knownFailure('overflow')],
  ['a relay in Russian', 400, message('Превышена максимальная длина контекста модели'), knownFailure('overflow')],
  ['a relay in German', 400, message('Die maximale Kontextlänge wurde überschritten.'), knownFailure('overflow')],
  ['a relay in French', 400, message('La requête dépasse la fenêtre de contexte du modèle.'), knownFailure('overflow')],
  ['a relay in Spanish', 400, message('El mensaje es demasiado largo.'), knownFailure('overflow')],
  [
    'OpenRouter around another',
    502,
    message('Provider returned error', {
      code: 502,
      metadata: {
        raw: '{"error":{"message":"The prompt is too long: 9_000, model maximum context length: 8_192"}}',
        provider_name: 'Fireworks',
      },
    }),
    tooLong(8192, 9000, 'openrouter'),
  ],
  [
    'LiteLLM around Python',
    400,
    message(
      `litellm.BadRequestError: OpenAIException - Error code: 400 - {'error': {'message': "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 'type': 'invalid_request_error', 'code': None}}`,
    ),
    tooLong(8192, 9000, null),
  ],
  [
    'LiteLLM by its class',
    400,
    message('litellm.ContextWindowExceededError: the upstream refused the call'),
    knownFailure('overflow'),
  ],
  [
    'a relay that quotes the error',
    500,
    message('upstream returned error: "prompt is too long: 300 tokens > 200 maximum"'),
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'JSON in JSON in JSON',
    500,
    JSON.stringify(
      JSON.stringify({
        error: JSON.stringify({ detail: JSON.stringify(message('prompt is too long: 300 tokens > 200 maximum')) }),
      }),
    ),
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'bytes printed by Python',
    502,
    message(`Error code: 400 - b'{"error":{"message":"prompt is too long: 300 tokens > 200 maximum"}}'`),
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'a body in quotes',
    502,
    message('upstream responded with 400: "{\\"error\\":{\\"message\\":\\"prompt is too long: 300 tokens > 200 maximum\\"}}"'),
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'JSON cut in the middle',
    400,
    '{"error":{"code":"invalid_request_error","message":"prompt is too long: 300 tokens > 200 maximum","para',
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'JSON with its quotes escaped',
    400,
    'Error from provider: {\\"error\\":{\\"message\\":\\"prompt is too long: 300 tokens > 200 maximum\\"}}',
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'a page',
    502,
    '<!doctype html><html><head><style>p{color:red}</style><title>Bad gateway</title></head><body><p>prompt is too long: 300 tokens &gt; 200 maximum</p></body></html>',
    tooLong(200, 300, 'anthropic'),
  ],
  [
    'an error object',
    null,
    new Error('outer', { cause: new Error('prompt is too long: 300 tokens > 200 maximum') }),
    tooLong(200, 300, 'anthropic'),
  ],
  ['only a code', 400, { error: { code: 'context_length_exceeded' } }, knownFailure('overflow')],
  [
    'a known code with an unknown message',
    400,
    message('You sent 9,000 tokens to a window of 8,192.', { code: 'context_length_exceeded' }),
    knownFailure('overflow', { limit: 8192, requested: 9000 }),
  ],
  [
    'words of no known server',
    422,
    { detail: [{ msg: 'Your request has 9.000 input tokens, more than the 8.192 this model accepts', type: 'value_error' }] },
    knownFailure('overflow', { limit: 8192, requested: 9000 }),
  ],
  [
    'words of no known server that name what there is room for',
    400,
    message('Your input has 9001 tokens but the model can take at most 8192'),
    knownFailure('overflow', { limit: 8192, requested: 9001 }),
  ],
  [
    'words of no known server, with a status that speaks of bytes',
    413,
    message('The prompt you sent contains 9001 tokens which is above the 8192 supported.'),
    knownFailure('overflow', { limit: 8192, requested: 9001 }),
  ],
  [
    'a size that was configured',
    400,
    message('Prompt has 5,958 tokens, but the configured context size is 4,096 tokens'),
    tooLong(4096, 5958, null),
  ],
  [
    'a chat that ends',
    400,
    message('You have reached the context limit of this model (9001 of 8192 tokens). Start a new chat.'),
    knownFailure('overflow', { limit: 8192, requested: 9001 }),
  ],
  [
    'words of no known server, without sizes',
    400,
    { title: 'Bad request', detail: 'The conversation no longer fits: token count is beyond the context window' },
    knownFailure('overflow'),
  ],
]

/** Inputs that fit, with no room for the answer. */
export const reservationBodies: readonly FailureCase[] = [
  [
    'words of no known server',
    400,
    message('input_tokens (130000) + max_output_tokens (4096) exceeds the context window (131072)'),
    noRoom(131_072, 130_000, 4096, null),
  ],
  [
    'words of no known server, the other way round',
    400,
    message('max_completion_tokens 32000 plus prompt 100000 exceeds context window 128000'),
    noRoom(128_000, 100_000, 32_000, null),
  ],
  [
    'words of no known server, the sum as a formula',
    400,
    message('prompt tokens (12000) + max tokens (32000) > context window (32768)'),
    noRoom(32_768, 12_000, 32_000, null),
  ],
  [
    'words of no known server, the sum in words',
    400,
    message(
      'The prompt (12000 tokens) plus the requested completion (32000 tokens) is more than the context length (32768 tokens)',
    ),
    noRoom(32_768, 12_000, 32_000, null),
  ],
  [
    'words of no known server, the window at the end',
    400,
    message('Prompt has 12000 tokens and max_tokens is 32000, which together exceed the 32768-token context window'),
    noRoom(32_768, 12_000, 32_000, null),
  ],
  [
    'a sequence that is too long',
    400,
    message(
      'Requested generation length 32000 is not possible! The provided prompt is 12000 tokens long, so generating 32000 tokens requires a sequence length of 44000, but the maximum supported sequence length is just 32768!',
    ),
    noRoom(32_768, 12_000, 32_000, null),
  ],
  [
    'TensorRT-LLM',
    400,
    message('The sum of prompt length (5000.0), query length (0) and max_tokens (4096) should not exceed max_num_tokens (8192)'),
    noRoom(8192, 5000, 4096, 'tensorrt-llm'),
  ],
  [
    'Anthropic',
    400,
    message(
      'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length or `max_tokens` and try again',
    ),
    noRoom(200_000, 198_000, 8192, 'anthropic'),
  ],
  [
    'OpenAI at the very line',
    400,
    message(
      "This model's maximum context length is 8192 tokens. However, you requested 8192 tokens (58 in the messages, 8134 in the completion).",
      { code: 'context_length_exceeded' },
    ),
    noRoom(8192, 58, 8134, null),
  ],
  [
    'vLLM',
    400,
    message(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 1077 input tokens (32000 > 32768 - 1077).",
    ),
    noRoom(32_768, 1077, 32_000, 'vllm'),
  ],
  [
    'vLLM, with an answer longer than the window',
    400,
    message('max_tokens=16384 cannot be greater than max_model_len=max_total_tokens=8192. Please request fewer output tokens.'),
    knownFailure('output_reservation', { limit: 8192, requested: 16_384, provider: 'vllm' }),
  ],
  [
    'vLLM, with an answer longer than the window, by another name',
    400,
    message('max_completion_tokens=131072 cannot be greater than max_model_len=128000'),
    knownFailure('output_reservation', { limit: 128_000, requested: 131_072, provider: 'vllm' }),
  ],
  [
    'vLLM, with an answer longer than what the prompt leaves',
    400,
    message('max_tokens=32000 cannot be greater than max_model_len - prompt tokens (32768 - 1077 = 31691)'),
    noRoom(32_768, 1077, 32_000, 'vllm'),
  ],
  [
    'vLLM, with each size after its name',
    400,
    message('max_tokens (32000) cannot be greater than max_model_len (32768) - prompt tokens (1077)'),
    noRoom(32_768, 1077, 32_000, 'vllm'),
  ],
  [
    'vLLM, without the window',
    400,
    message('max_tokens=131073 cannot be greater than max_model_len'),
    knownFailure('output_reservation', { output: 131_073, provider: 'vllm' }),
  ],
  [
    'vLLM, before it has counted the prompt',
    400,
    message(
      "This model's maximum context length is 32768 tokens. However, you requested 32768 output tokens and your prompt contains 110 characters (more than 0 characters, which is the upper bound for 0 input tokens). Please reduce the length of the input prompt or the number of requested output tokens.",
    ),
    knownFailure('output_reservation', { limit: 32_768, output: 32_768, provider: 'vllm' }),
  ],
  [
    'words of no known server, the difference as a formula',
    400,
    message('max_tokens must be less than or equal to max_model_len - prompt_len: 32000 > 32768 - 1077'),
    noRoom(32_768, 1077, 32_000, null),
  ],
  [
    'vLLM, newer',
    400,
    message(
      "You passed 4000 input tokens and requested 200 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3896 tokens.",
    ),
    noRoom(4096, 4000, 200, 'vllm'),
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message:
        "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 36000 tokens: 4000 tokens from the input messages and 32000 tokens for the completion.",
      code: 400,
    },
    noRoom(32_768, 4000, 32_000, 'sglang'),
  ],
  [
    'text-generation-inference',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`',
    },
    noRoom(4096, 4000, 1000, 'tgi'),
  ],
  [
    'OpenRouter with several inputs',
    400,
    message(
      "This endpoint's maximum context length is 1000 tokens. However, you requested about 1090 tokens (40 of text input, 50 of tool input, 1000 in the output).",
    ),
    noRoom(1000, 90, 1000, 'openrouter'),
  ],
  [
    'Cloudflare, which tells the sum',
    400,
    {
      errors: [
        {
          code: 5021,
          message:
            'AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8000).',
        },
      ],
      success: false,
    },
    knownFailure('output_reservation', { limit: 8000, requested: 9000, provider: 'cloudflare' }),
  ],
]

/** All other failures, and bodies that must not be classified as an overflow. */
export const otherBodies: readonly FailureCase[] = [
  [
    'one request over a minute of tokens',
    413,
    message(
      'Request too large for model `m` in organization `o` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12000, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    knownFailure('tpm_single_request', { limit: 6000, requested: 12_000, provider: 'groq' }),
  ],
  [
    'the same from OpenAI, as a throttle',
    429,
    message(
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30,000, Requested 45,000. The input or output tokens must be reduced in order to run successfully.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    knownFailure('tpm_single_request', { limit: 30_000, requested: 45_000, provider: 'openai' }),
  ],
  [
    'a throttle whose request can never pass',
    429,
    message('Rate limit reached for m on tokens per min (TPM): Limit 6000, Used 10, Requested 7000. Please try again in 10s.'),
    knownFailure('tpm_single_request', { limit: 6000, requested: 7000 }),
  ],
  [
    'a throttle',
    429,
    message('Rate limit reached for m on tokens per min (TPM): Limit 6000, Used 5900, Requested 700. Please try again in 6s.', {
      code: 'rate_limit_exceeded',
    }),
    knownFailure('rate_limit'),
  ],
  [
    'a throttle of Bedrock',
    400,
    { message: 'Too many tokens, please wait before trying again.' },
    knownFailure('rate_limit', { provider: 'bedrock' }),
  ],
  [
    'a throttle with the words of an overflow',
    429,
    message('prompt is too long: 300 tokens > 200 maximum'),
    knownFailure('rate_limit'),
  ],
  [
    'a throttle behind a relay',
    502,
    message('Provider returned error', {
      code: 502,
      metadata: { raw: '{"error":{"code":429,"message":"maximum context length is 5 tokens, requested 9"}}', provider_name: 'X' },
    }),
    knownFailure('rate_limit', { provider: 'openrouter' }),
  ],
  [
    'a throttle of Anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: 'This request would exceed the limit of 40,000 input tokens per minute; reduce the prompt length',
      },
    },
    knownFailure('rate_limit'),
  ],
  [
    'a throttle written with hyphens',
    400,
    message('Your input tokens exceed the tokens-per-minute allowance of this key'),
    knownFailure('rate_limit'),
  ],
  ['a spent quota', 403, message('You have exceeded your monthly token limit of 1000000 tokens'), knownFailure('rate_limit')],
  ['a throttle in Chinese', 400, message('输入 token 数超过每分钟限制，请稍后再试'), knownFailure('rate_limit')],
  [
    'a server with too much to do',
    529,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    knownFailure('rate_limit'),
  ],
  [
    'too many bytes',
    413,
    { type: 'error', error: { type: 'request_too_large', message: 'Request exceeds the maximum allowed number of bytes' } },
    knownFailure('payload_bytes', { provider: 'anthropic' }),
  ],
  [
    'too many bytes for Gemini',
    400,
    message('Request payload size exceeds the limit: 20971520 bytes.'),
    knownFailure('payload_bytes', { limit: 20_971_520, provider: 'gemini' }),
  ],
  [
    'too many bytes for a web server',
    413,
    '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body><center><h1>413 Request Entity Too Large</h1></center><hr><center>nginx</center></body></html>',
    knownFailure('payload_bytes'),
  ],
  ['nothing but 413', 413, '', knownFailure('payload_bytes')],
  ['too many bytes for axum', 413, 'Failed to buffer the request body: length limit exceeded', knownFailure('payload_bytes')],
  ['too many megabytes', 400, message('Total request size of 35 MB exceeds the 20 MB limit'), knownFailure('payload_bytes')],
  [
    'an image with too many pixels',
    400,
    message(
      'messages.3.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ),
    knownFailure('image_limit', { provider: 'anthropic' }),
  ],
  [
    'an image with too many bytes',
    400,
    message('messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6039152 bytes > 5242880 bytes'),
    knownFailure('image_limit', { provider: 'anthropic' }),
  ],
  [
    'an image that cannot be read',
    400,
    message('Could not process image'),
    knownFailure('image_limit', { provider: 'anthropic' }),
  ],
  [
    'an image that cannot be read by Gemini',
    400,
    message('Unable to process input image. Please retry or report it.', { status: 'INVALID_ARGUMENT' }),
    knownFailure('image_limit', { provider: 'gemini' }),
  ],
  [
    'an image that is none',
    400,
    message('The image data you provided does not represent a valid image. Please check your input and try again.'),
    knownFailure('image_limit', { provider: 'openai' }),
  ],
  [
    'an image for a model without eyes, behind a relay',
    404,
    message('No endpoints found that support image input', { code: 404 }),
    knownFailure('image_limit', { provider: 'openrouter' }),
  ],
  [
    'an image for a model without eyes',
    400,
    message('Failed to deserialize the JSON body: messages[2]: unknown variant `image_url`, expected `text`'),
    knownFailure('image_limit'),
  ],
  ['more images than are taken', 400, message('Request contains more than 2 images'), knownFailure('image_limit')],
  [
    'too many images',
    400,
    message('Too many images provided. This model supports up to 5 images', { code: 'invalid_request_error' }),
    knownFailure('image_limit'),
  ],
  [
    'too many images for vLLM',
    400,
    { object: 'error', message: 'At most 1 image(s) may be provided in one request.', code: 400 },
    knownFailure('image_limit', { provider: 'vllm' }),
  ],
  [
    'a call without its result',
    400,
    message('messages.19: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x.'),
    knownFailure('orphan_tool', { provider: 'anthropic' }),
  ],
  [
    'a result without its call',
    400,
    message("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
    knownFailure('orphan_tool'),
  ],
  [
    'a result without its call, spelled right',
    400,
    message('messages with role "tool" must be a response to a preceding message with "tool_calls".'),
    knownFailure('orphan_tool'),
  ],
  [
    'an output without its call',
    400,
    message('No tool output found for function call call_x.'),
    knownFailure('orphan_tool', { provider: 'openai' }),
  ],
  [
    'more results than calls',
    400,
    { message: 'The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.' },
    knownFailure('orphan_tool', { provider: 'bedrock' }),
  ],
  [
    'reasoning left out',
    400,
    message('The reasoning_content in the thinking mode must be passed back to the API.'),
    knownFailure('orphan_tool', { provider: 'deepseek' }),
  ],
  [
    'reasoning that is missing',
    400,
    message('Missing `reasoning_content` field in the assistant message at message index 2.'),
    knownFailure('orphan_tool', { provider: 'deepseek' }),
  ],
  [
    'reasoning that is missing before a call',
    400,
    message('thinking is enabled but reasoning_content is missing in assistant tool call message at index 3'),
    knownFailure('orphan_tool', { provider: 'moonshot' }),
  ],
  [
    'a hidden thought that cannot be read',
    400,
    message('The encrypted content for item rs_1 could not be verified.', { code: 'invalid_encrypted_content' }),
    knownFailure('orphan_tool', { provider: 'openai' }),
  ],
  [
    'a signature of another',
    400,
    message('Unable to submit request because thought signature is not valid.', { status: 'INVALID_ARGUMENT' }),
    knownFailure('orphan_tool', { provider: 'gemini' }),
  ],
  [
    'a result without a call',
    400,
    { message: 'invalid request: tool call id call_1 not found in previous tool calls' },
    knownFailure('orphan_tool'),
  ],
  [
    'a signed thought that was changed',
    400,
    message('messages.3.content.3: Invalid `signature` in `thinking` block'),
    knownFailure('orphan_tool', { provider: 'anthropic' }),
  ],
  ['a wrong key', 401, message('Incorrect API key provided: sk-x.', { code: 'invalid_api_key' }), knownFailure('auth')],
  [
    'a wrong key reported as a bad request',
    400,
    message('API key not valid. Please pass a valid API key.', {
      status: 'INVALID_ARGUMENT',
      details: [{ reason: 'API_KEY_INVALID' }],
    }),
    knownFailure('auth'),
  ],
  ['a key that ran out', 400, message('API key expired. Please renew the API key.'), knownFailure('auth')],
  [
    'a token of the other sort that is too long',
    401,
    message('Authorization token length exceeds the maximum'),
    knownFailure('auth'),
  ],
  ['a forbidden model', 403, message('You do not have access to this model'), knownFailure('auth')],
  [
    'an empty account',
    402,
    message(
      'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1234.',
    ),
    knownFailure('other'),
  ],
  [
    'a limit on the answer',
    400,
    message('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
    knownFailure('other'),
  ],
  [
    'a limit on the answer, OpenAI',
    400,
    message('max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.'),
    knownFailure('other'),
  ],
  [
    'a limit on the answer, Anthropic',
    400,
    message('max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-x'),
    knownFailure('other'),
  ],
  [
    'a limit on the answer, Bedrock',
    400,
    {
      message:
        'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
    },
    knownFailure('other'),
  ],
  [
    'a limit on the answer, Groq',
    400,
    message(
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    ),
    knownFailure('other'),
  ],
  [
    'a name that is too long',
    400,
    message(
      "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80 instead.",
      { code: 'string_above_max_length' },
    ),
    knownFailure('other'),
  ],
  [
    'too many tools',
    400,
    message(
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 150 instead.",
    ),
    knownFailure('other'),
  ],
  [
    'a time that ran out',
    500,
    message('Post "http://up/v1": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'),
    knownFailure('other'),
  ],
  [
    'an answer that took too long',
    504,
    message('The request took too long to process, longer than the limit of 600 s'),
    knownFailure('other'),
  ],
  ['a file that is too long', 400, message('Input file is too long: 9000 tokens'), knownFailure('other')],
  ['a description that is too long', 400, message('Tool description length exceeds the token limit'), knownFailure('other')],
  ['an answer that is too long', 500, message('The output length exceeds the context size'), knownFailure('other')],
  ['a stack that ran out', 500, message('RangeError: Maximum call stack size exceeded'), knownFailure('other')],
  ['headers that are too large', 431, '<html><title>Request Header Fields Too Large</title></html>', knownFailure('other')],
  [
    'a user quoted',
    400,
    message(
      'Invalid content: "This model\'s maximum context length is 5 tokens, you requested 9 tokens" is not one of the allowed values',
    ),
    knownFailure('other'),
  ],
  [
    'a user quoted and cut',
    400,
    message('Could not parse the message "prompt is too long: 300 tokens > 200 maxim'),
    knownFailure('other'),
  ],
  [
    'an error that a user quoted',
    400,
    message('Invalid content: got "{\\"error\\":{\\"message\\":\\"prompt is too long: 300 tokens > 200 maximum\\"}}"'),
    knownFailure('other'),
  ],
  [
    'an error that a user quoted and that was cut',
    400,
    message('Invalid content: got "{\\"error\\":{\\"message\\":\\"prompt is too long: 300 tokens > 200 maxi'),
    knownFailure('other'),
  ],
  [
    'a code quoted as a value',
    400,
    message("Invalid value: 'context_length_exceeded'. Supported values are: 'text' and 'image'."),
    knownFailure('other'),
  ],
  [
    'an echo of the request',
    422,
    {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'messages', 0, 'content'],
          msg: 'Input should be a valid string',
          input: 'prompt is too long: 300 tokens > 200 maximum',
        },
      ],
    },
    knownFailure('other'),
  ],
  [
    'what a model wrote',
    400,
    message("Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.", {
      code: 'tool_use_failed',
      failed_generation: 'maximum context length is 5 tokens, requested 9',
    }),
    knownFailure('other'),
  ],
  [
    'an answer',
    200,
    { choices: [{ message: { role: 'assistant', content: 'prompt is too long: 300 tokens > 200 maximum' } }] },
    knownFailure('other'),
  ],
  [
    'an answer in a stream',
    200,
    'data: {"choices":[{"delta":{"content":"prompt is too long: 300 tokens > 200 maximum"}}]}\n\ndata: [DONE]\n\n',
    knownFailure('other'),
  ],
  [
    'a page of a proxy',
    502,
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
    knownFailure('other'),
  ],
  ['nothing', null, undefined, knownFailure('other')],
]
