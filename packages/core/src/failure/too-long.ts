/**
 * Whether a sentence in words of no known server says that the input is longer than the model takes: it has to name the input or
 * the context, say that it is too much, and be about nothing else that can be too much.
 */
export function saysTooLong(text: string): boolean {
  return text.split(/(?<=[.!?;])\s|\n/, mostSentences).some((sentence) => {
    const part = sentence.slice(0, longestSentence)
    return subject.test(part) && excess.test(part) && !another.test(part)
  })
}

const mostSentences = 40
const longestSentence = 600

const subject =
  /\bn_ctx\b|\bcontext[ _-]?(?:length|window|size|limit)\b|\b(?:prompt|input|conversation|chat history|message history)\b[^.]{0,40}\b(?:tokens?|context|too long|longer|length)\b|\brequest\b[^.]{0,40}\b(?:tokens|context|length)\b|\b(?:number of|total|too many) (?:\w+ )?tokens\b|\btokens? (?:count|limit|length)\b|\bmax(?:imum)?[ _](?:input|prompt|sequence|seq|model)[ _](?:tokens?|length|len)\b|\btokens in (?:the |your )?(?:request|prompt|input)/i

const excess =
  /\bexceed(?:s|ed|ing)?\b|\btoo (?:long|large|big|many)\b|\b(?:longer|larger|greater|bigger|more) than\b|\boverflow(?:s|ed)?\b|\bsurpass(?:es|ed)?\b|\bbeyond\b|\b(?:does not|doesn't|cannot|can't|won't) (?:fit|hold)\b|\bgoes over\b|\bis over\b|\babove the\b|\breached\b[^.]{0,20}\bcontext\b|\bbut\b[^.]{0,40}\b(?:at most|only|up to)\b|\boutgrows?\b|\btoo small\b/i

/** A request can take too long, and parameters, times, names, files and keys can be too large. */
const another =
  /\bmax_(?:completion_|new_|output_)?tokens\b|\bmaxoutputtokens\b|\bbudget_tokens\b|\b(?:output|completion) (?:tokens?|length)\b|\bmaximum tokens (?:you|value)\b|\b(?:deadline|time-?out|timed out|took|seconds|minutes?|daily|monthly|hourly)\b|\b(?:file|files|image|images|pixels?|bytes?|megabytes?|[kmg]i?b|headers?|cookies?|urls?|uris?|uploads?|attachments?)\b|\b(?:names?|descriptions?|ids?|identifiers?|keys?|passwords?|titles?|parameters?|arrays?|tools|functions)\b|\b(?:access|auth|bearer|refresh|api|session|security|jwt|csrf) tokens?\b|\b(?:retries|attempts|iterations|recursion|redirects|stack)\b/i
