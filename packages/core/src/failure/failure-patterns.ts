import type { FailureKind } from './classify-failure.ts'
import { overflowCode } from './embedded-json.ts'
import { numberPattern, saysTooLong } from './sizes.ts'

/** One wording of a failure. The first matching row of the table decides. */
export interface FailurePattern {
  /** The only server with this wording; null if several have it. */
  readonly vendor: string | null
  readonly kind: FailureKind
  /** Matched against each text; the groups `limit`, `requested`, `input` and `output` are sizes. */
  readonly text?: RegExp
  readonly says?: (text: string) => boolean
  readonly code?: RegExp
}

/** The server (`any` if several), the kind, and the wording, in which `<limit>` matches a number of that meaning. */
type Words = `${string} ${FailureKind}: ${string}`

const asked =
  'max_\\w{0,20}tokens[=( :]{1,3}<output>\\)? (?:cannot|can not|must not) (?:be (?:greater|larger|more) than|exceed) (?:the )?max_(?:model_len|total_tokens|seq_len)'

/** The most specific wordings come first. */
const table: readonly (Words | FailurePattern)[] = [
  // Calls without results, results without calls, reasoning changed or omitted.
  'anthropic orphan_tool: tool_use ids were found without tool_result',
  'anthropic orphan_tool: unexpected tool_use_id found in tool_result',
  'anthropic orphan_tool: tool_use ids must be unique|multiple tool_result blocks with id',
  'anthropic orphan_tool: invalid signature in thinking|thinking blocks? .{0,60}cannot be modified|expected thinking or redacted_thinking',
  'openai orphan_tool: no tool (?:call|output) found for function call',
  'openai orphan_tool: item .{0,80} of type .{0,20} was provided without its required',
  'openai orphan_tool: encrypted content (?:for item )?.{0,80}could not be (?:verified|decrypted|parsed)',
  'bedrock orphan_tool: number of toolResult blocks .{0,60}exceeds the number of toolUse|expected toolResult blocks',
  'gemini orphan_tool: number of function response parts .{0,20}equal to the number of function call parts',
  'gemini orphan_tool: function (?:call|response) turn comes immediately after|missing a thought_signature|thought[ _]signature is (?:not valid|invalid)|(?:invalid|corrupted) thought[ _]signature',
  'mistral orphan_tool: not the same number of function calls and responses|unexpected role tool after',
  'minimax orphan_tool: tool call result does not follow tool call|tool result.{0,20}tool id.{0,80}not found',
  'moonshot orphan_tool: tool_call_id.{0,80}is not found|duplicate value for tool_call_id',
  'deepseek orphan_tool: reasoning_content .{0,60}must be passed back|missing reasoning_content|insufficient tool messages following',
  'moonshot orphan_tool: reasoning_content is missing in assistant',
  'any orphan_tool: role tool must be a response to a prece+ding message',
  'any orphan_tool: tool (?:message|result|call id)[^.\\n]{0,80}(?:no matching tool call|not found in previous)',
  'any orphan_tool: tool_calls must be followed by tool messages|tool_call_ids did not have response messages',

  // A request larger than a minute's tokens never succeeds, no matter how long the client waits.
  'groq tpm_single_request: request too large for model[\\s\\S]{0,200}service tier[\\s\\S]{0,200}limit:? <limit>, (?:used:? \\d{1,12}, )?requested:? <requested>',
  'openai tpm_single_request: request too large for[\\s\\S]{0,300}limit:? <limit>, (?:used:? \\d{1,12}, )?requested:? <requested>',
  'any tpm_single_request: request too large for[\\s\\S]{0,300}(?:tokens per min|\\btpm\\b)',
  'any tpm_single_request: 单次请求.{0,60}(?:tpm|每分钟)',
  'any tpm_single_request: (?:tokens per min(?:ute)?|\\btpm\\b)[\\s\\S]{0,80}limit:? <limit>, (?:used:? \\d{1,12}, )?requested:? <requested>',

  // Rate limits also mention too many tokens.
  'bedrock rate_limit: throttling error|too many tokens(?: per day)?, please wait',
  'groq rate_limit: rate limit reached for model[\\s\\S]{0,120}service tier',
  {
    vendor: null,
    kind: 'rate_limit',
    code: /rate_?limit|throttl|too_?many_?requests|resource_?exhausted|insufficient_quota|quota_?exceeded|overloaded|limit_burst/,
  },
  'any rate_limit: \\brate[ -]?limit|throttl|too many requests|\\brequests? rate\\b|resource (?:has been )?exhausted|overloaded(?! function)',
  'any rate_limit: \\b(?:tokens|requests|messages|input tokens)[ -]per[ -](?:min|minute|hour|day|second|week|month)\\b|\\b(?:tpm|rpm|tpd|rpd)\\b',
  'any rate_limit: \\bquota\\b|\\b(?:daily|hourly|weekly|monthly|per-minute|usage) (?:\\w{1,30} )?(?:\\w{1,30} )?limit|(?:exceeded|over) (?:your|the|their) budget',
  'any rate_limit: try again in \\d|retry (?:after|in) \\d|(?:please|kindly) (?:wait|slow down)',
  'any rate_limit: 速率限制|频率|限流|过于频繁|请求过多|每分钟|并发|负载|繁忙|稍后再?重?试|配额|额度|レート制限|リクエストが多すぎ|요청이 너무 많|속도 제한',

  // Images have their own limits, not counted in tokens.
  'anthropic image_limit: image dimensions exceed|image exceeds .{0,20}(?:maximum|mb)|maximum of \\d{1,9} pdf pages',
  'vllm image_limit: at most \\d+ (?:image|video|audio)',
  'dashscope image_limit: max bytes per data-uri|image length and width',
  'openai image_limit: image_url[^\\n]{0,40}string too long',
  'any image_limit: (?:too many|number of|maximum|(?:up to|more than) \\d+) images?\\b(?! tokens)',
  // An image that is unreadable, or that the model does not support.
  'anthropic image_limit: could not process image',
  'gemini image_limit: unable to process input image',
  'openai image_limit: does not represent a valid image|image_url is only supported by',
  'openrouter image_limit: no endpoints found that support image',
  'any image_limit: \\b(?:images?|image_url|image inputs?|vision) (?:is|are) not supported|unknown variant image_url|(?:does not|doesn.t|cannot) (?:support|accept|process|read) (?:the |this |any )?(?:images?|image_url|vision)\\b',
  'any image_limit: \\b(?:image|picture|photo|pdf)s?\\b[^.\\n]{0,60}(?:too (?:large|big|many)|exceeds?\\b|larger than|over the limit|at most)(?![^.\\n]{0,60}(?:context|tokens))',
  'any image_limit: 图片.{0,30}(?:过大|过多|超过|超出)',

  // Not about length: the account, or a parameter that trimming does not change.
  'any other: credit balance|insufficient (?:balance|funds|credits?)|can only afford|余额不足|欠费',
  'any other: context (?:deadline exceeded|canceled|cancelled)',

  // The input is too long, or leaves no room for the answer: the sizes decide.
  'bedrock overflow: the model returned the following errors: prompt is too long: <input> tokens? > <limit>',
  'anthropic overflow: prompt is too long: <input> tokens? > <limit>',
  'anthropic output_reservation: input length and max_tokens exceed context limit: <input> \\+ <output> > <limit>',
  'fireworks overflow: prompt is too long: <input>, model maximum context length: <limit>',
  "openrouter overflow: this endpoint['’]?s maximum context length is <limit>[\\s\\S]{0,80}?requested (?:about )?<requested>",
  'vllm overflow: maximum context length is <limit>[\\s\\S]{0,40}?requested <output> output tokens[\\s\\S]{0,60}?<input> input tokens',
  'vllm overflow: is too large: <output>[\\s\\S]{0,60}?maximum context length is <limit>[\\s\\S]{0,40}?has <input> input tokens',
  'vllm overflow: passed <input> input tokens and requested <output> output tokens[\\s\\S]{0,60}?context length is only <limit>',
  // The stated input size is a minimum.
  'vllm output_reservation: maximum context length is <limit>[\\s\\S]{0,40}?requested <output> output tokens[^\\n]{0,40} \\d{1,12} characters \\(more than \\d{1,12}',
  'vllm output_reservation: <asked>[=( ]{1,3}<limit>\\)? ?- ?prompt[ _]\\w{0,10}[=( :]{1,3}<input>',
  'vllm output_reservation: <asked> ?- ?prompt[ _]\\w{0,10}[=( :]{1,3}<limit> ?- ?<input>',
  'vllm output_reservation: <asked>(?:=max_total_tokens)?[=( :]{1,3}<limit>',
  'vllm output_reservation: <asked>',
  'vllm overflow: prompt \\(length <input>\\) is longer than the maximum model length of <limit>',
  'llama-cpp-python overflow: requested tokens \\(<requested>\\) exceed context window of <limit>',
  'text-generation-webui overflow: maximum context length is <limit>[\\s\\S]{0,60}?resulted in (?:over )?<input> tokens and max_tokens is <output>',
  'sglang overflow: maximum context length of <limit>[\\s\\S]{0,60}?a total of <requested> tokens: <input> tokens? from[\\s\\S]{0,40}? and <output> tokens? for',
  'sglang overflow: input length \\(<input> tokens\\) exceeds the maximum allowed length \\(<limit>',
  'sglang overflow: input \\(<input> tokens\\) is longer than the model.{0,3} context length \\(<limit>',
  'sambanova overflow: maximum context length of .{1,80} is <limit>[\\s\\S]{0,60}?request will take <requested> tokens',
  'openai overflow: configured limit of <limit> tokens[\\s\\S]{0,60}?resulted in <input>',
  'openai overflow: maximum context length is <limit>[\\s\\S]{0,60}?requested <requested> tokens \\(<input> in your prompt; ?<output> for the completion',
  'any overflow: maximum context length is <limit>[\\s\\S]{0,80}?resulted in (?:about |over )?<input>',
  'any overflow: maximum context length is <limit>[\\s\\S]{0,400}?requested (?:about |at least )?<requested>',
  'gemini overflow: input token count (?:\\(<input>\\) )?exceeds the maximum number of tokens(?: allowed)? \\(?<limit>',
  'gemini overflow: input token count is <input>,? but (?:the )?model only supports up to <limit>',
  'xai overflow: maximum prompt length is <limit> but the request contains <input>',
  'copilot overflow: prompt token count of <input> exceeds the limit of <limit>',
  'moonshot overflow: exceeded model token limit: <limit> \\(requested: <requested>',
  'cerebras overflow: current length is <requested> while limit is <limit>',
  'cohere overflow: too many tokens: total number of tokens in the prompt exceeds the limit of <limit>',
  'cohere overflow: too many tokens: size limit exceeded by [\\s\\S]{0,120}?limit for this model is <limit>',
  'mistral overflow: prompt contains <input> tokens[\\s\\S]{0,60}?model with <limit> maximum context',
  'bedrock overflow: max input tokens: <limit>, request input token count: <input>',
  'bedrock overflow: input is too long for requested model|input tokens exceeded: number of input tokens',
  'llama.cpp overflow: request \\(<input> tokens\\) exceeds the available context size \\(<limit>',
  'llama.cpp overflow: exceeds the available context size|context size has been exceeded',
  'lmstudio overflow: n_keep:? \\(?<input>\\)? ?>= ?n_ctx:? \\(?<limit>',
  'lmstudio overflow: keep the first <input> tokens[\\s\\S]{0,80}?context length of only <limit>',
  'lmstudio overflow: reached context length of <limit> tokens',
  'ollama overflow: prompt is longer than the context length|exceeded max context length by|input length exceeds (?:the |maximum )?context length',
  'any overflow: prompt has <input> tokens,? but the configured context size is <limit>',
  'omlx overflow: prompt too long: <input> tokens exceeds max context window of <limit>',
  'tgi overflow: inputs tokens \\+ max_new_tokens must be <= <limit>[\\s\\S]{0,20}?given: <input> inputs tokens and <output>',
  'tgi overflow: inputs must have less than <limit> tokens[\\s\\S]{0,20}?given: <input>',
  'tabbyapi overflow: (?:prompt|context) length <input> is greater than max_seq_len <limit>',
  'tensorrt-llm overflow: sum of prompt length \\(<input>(?:\\.0)?\\)[\\s\\S]{0,60}?max_tokens \\(<output>\\)[\\s\\S]{0,40}?\\(<limit>',
  'tensorrt-llm overflow: prompt length \\(<input>\\) exceeds maximum input length \\(<limit>',
  'deepinfra overflow: requested input length <input> exceeds maximum input length <limit>',
  'siliconflow overflow: length of prompt_tokens \\(<input>\\) must be less than max_seq_len \\(<limit>',
  'siliconflow output_reservation: max_total_tokens \\(<requested>\\) must be less than or equal to max_seq_len \\(<limit>',
  'cloudflare output_reservation: input and maximum output tokens \\(<requested>\\) exceeded[\\s\\S]{0,60}?limit \\(<limit>',
  'databricks overflow: input length <input> exceeds maximum allowed token count <limit>',
  'volcengine overflow: input length <input> exceeds the maximum length <limit>|total tokens of image and text exceed max message tokens',
  'watsonx overflow: number of input tokens <input> cannot exceed the total tokens limit <limit>',
  'github-models overflow: request body too large for .{1,80} model\\. max size: <limit> tokens',
  'dashscope overflow: range of input length should be \\[\\d+, ?<limit>\\]',
  'dashscope overflow: message token length exceed model limit|single round file-content exceeds token limit',
  // The number after it is an error code.
  'minimax overflow: context window exceeds limit',
  'zhipu overflow: prompt exceeds max length|prompt ?超长',
  { vendor: 'zhipu', kind: 'overflow', code: /^1261$/ },
  'any output_reservation: (?:input|prompt)[\\w ]{0,20}[ (:=]{1,3}<input>\\)?[^.\\n]{0,20}(?:\\+|plus|and)[^.\\n]{0,20}max_?\\w{0,20}tokens[ (:=]{1,3}<output>\\)?[^.\\n]{0,40}(?:>|exceed)[^.\\n]{0,40}context[^.\\n\\d]{0,30}<limit>',
  'any output_reservation: max_?\\w{0,20}tokens[ (:=]{1,3}<output>\\)?[^.\\n]{0,20}(?:\\+|plus|and)[^.\\n]{0,20}(?:input|prompt)[\\w ]{0,20}[ (:=]{1,3}<input>\\)?[^.\\n]{0,40}(?:>|exceed)[^.\\n]{0,40}context[^.\\n\\d]{0,30}<limit>',
  'any output_reservation: prompt is <input> tokens long, so generating <output> tokens[\\s\\S]{0,60}?maximum supported sequence length is (?:just )?<limit>',
  'any output_reservation: (?:input|prompt)[^.\\n\\d]{0,20}<input>[^.\\n]{0,20}(?:\\+|plus|and)[^.\\n\\d]{0,40}(?:max[ _]\\w{0,20}tokens|completion|output|answer)[^.\\n\\d]{0,10}<output>[^.\\n]{0,40}(?:>|exceed|more than|larger than)[^.\\n]{0,60}(?:context|sequence)[^.\\n\\d]{0,30}<limit>',
  'any output_reservation: (?:input|prompt)[^.\\n\\d]{0,20}<input>[^.\\n]{0,20}(?:\\+|plus|and)[^.\\n\\d]{0,40}max[ _]\\w{0,20}tokens[^.\\n\\d]{0,10}<output>[^.\\n]{0,40}(?:>|exceed|more than|larger than)[^.\\n\\d]{0,20}<limit>[^.\\n]{0,20}context',
  'any output_reservation: max_\\w{0,20}tokens[^\\n]{0,120}?<output> ?> ?<limit> ?- ?<input>',
  'openai overflow: input exceeds the context window of this model',
  // Counted in characters, so without sizes; a short limit is that of a name or an id.
  'openai overflow: string too long(?![\\s\\S]{0,60}maximum length \\d{1,4}\\b)[\\s\\S]{0,60}maximum length',
  'any overflow: string should have at most \\d{5,9} characters|expected maxlength: \\d{5,9}',
  { vendor: 'copilot', kind: 'overflow', code: /model_max_prompt_tokens_exceeded/ },
  { vendor: 'llama.cpp', kind: 'overflow', code: /exceed_context_size/ },
  { vendor: null, kind: 'overflow', code: overflowCode },
  { vendor: null, kind: 'overflow', text: overflowCode },
  'any overflow: maximum context length is <limit>',
  'any overflow: please reduce the length of the (?:messages|input|prompt)',
  'any overflow: (?:prompt|input) is too long(?: for|\\b[:.;]|$)|too many input tokens',
  'any overflow: (?:上下文|对话|提示词|输入|消息|请求内容|prompt)[^。\\n]{0,20}(?:过长|超长|太长|超出|超过|超限)|(?:超出|超过)[^。\\n]{0,20}(?:上下文|最大长度|token ?数?(?:量)?(?:上限|限制))|tokens? ?(?:数|总数|数量|总长度)[^。\\n]{0,10}(?:超过|超出)',
  'any overflow: (?:コンテキスト|プロンプト|入力|トークン数)[^。\\n]{0,30}(?:長すぎ|を超え|超過)',
  'any overflow: (?:컨텍스트|프롬프트|입력|토큰)[^.\\n]{0,30}(?:초과|너무 깁|너무 길)',
  'any overflow: (?:контекст|промпт|запрос|ввод)[^.\\n]{0,40}(?:превы[сш]|слишком длинн)|(?:превы[сш]|слишком длинн)[^.\\n]{0,40}(?:контекст|промпт|запрос)',
  'any overflow: (?:kontext(?:länge|fenster|größe)|prompt|eingabe)[^.\\n]{0,40}(?:überschr|zu lang)|überschreitet[^.\\n]{0,40}kontext',
  'any overflow: (?:dépasse|excede|excedió|excedeu|supera)[^.\\n]{0,60}context[eo]|(?:prompt|entrée|entrada|mensaje)[^.\\n]{0,20}(?:trop long|demasiado larg|muito long)',

  'any payload_bytes: request body:? length limit exceeded',
  { vendor: null, kind: 'overflow', says: saysTooLong },

  'gemini payload_bytes: payload size exceeds the limit: <limit> bytes|referenced files bytes are too large',
  'openai payload_bytes: maximum content size limit \\(<limit>\\) exceeded \\(<requested> bytes',
  'dashscope payload_bytes: max bytes to request body ?: ?<limit>',
  { vendor: 'anthropic', kind: 'payload_bytes', code: /^request_too_large$/ },
  { vendor: 'vercel', kind: 'payload_bytes', code: /function_payload_too_large/ },
  { vendor: null, kind: 'payload_bytes', code: /payload_?too_?large|entity\.?_?too\.?_?large|content_?too_?large/ },
  'any payload_bytes: (?:payload|request entity|request body|request size|content|body)(?: is)? too large',
  'any payload_bytes: request exceeds the maximum (?:size|allowed number of bytes)|request body[^.\\n]{0,40}(?:length limit exceeded|exceeds?)|(?:request|payload)(?: \\w{1,40})? size[^.\\n]{0,40}exceed[^.\\n]{0,40}\\b(?:bytes|[kmg]i?b)\\b',

  // A rejected key, from a server whose status does not show it.
  {
    vendor: null,
    kind: 'auth',
    code: /authentication|unauthori[sz]ed|unauthenticated|permission_?(?:denied|error)|(?:invalid|incorrect)_?api_?key|api_key_invalid|access_?denied|unrecognizedclient|expiredtoken/,
  },
  'any auth: (?:invalid|incorrect|missing|wrong|expired|no) (?:\\w{1,40} )?(?:api[ -]?key|access token|auth token|security token)|api key (?:not valid|expired|(?:is|has) (?:invalid|missing|expired))|security token .{0,40}(?:invalid|expired)',
  'any auth: 令牌.{0,20}(?:过期|不正确|无效)|身份验证|未授权|认证失败',
]

export const failurePatterns: readonly FailurePattern[] = table.map((row) => (typeof row === 'string' ? patternOf(row) : row))

function patternOf(row: Words): FailurePattern {
  const [, vendor = '', kind = '', words = ''] = /^(\S+) (\w+): (.*)$/.exec(row) ?? []
  const text = words.replace('<asked>', asked).replaceAll(/<(limit|requested|input|output)>/g, `(?<$1>${numberPattern})`)
  return { vendor: vendor === 'any' ? null : vendor, kind: kind as FailureKind, text: new RegExp(text, 'i') }
}
