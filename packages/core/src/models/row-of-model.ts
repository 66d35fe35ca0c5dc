/**
 * The first row for a model, by its name or one that means the same: behind a provider's or a region's prefix, with a release date,
 * with dashes for dots. Null where no row is for it: neither a smaller sister's row nor a family's is.
 */
export function rowOfModel<Row extends { readonly model: string }>(model: string, rows: readonly Row[]): Row | null {
  if (typeof model !== 'string' || model.length > 300) return null
  for (const name of namesOf(model)) {
    const found = rows.find((candidate) => plain(candidate.model) === name)
    if (found !== undefined) return found
  }
  return null
}

/** From the name as it stands to what is left without prefixes and dates. */
function namesOf(model: string): readonly string[] {
  const whole = plain(model)
  const last = whole.slice(whole.lastIndexOf('/') + 1)
  const bare = last.replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|deepseek|moonshotai?|zai|xai)\./, '')
  // Bedrock's names end in a version. Any other suffix, such as `:free` or `-mini`, is another model.
  const unversioned = bare === last ? bare : bare.replace(/-v\d{1,2}(?::\d{1,2})?$/, '')
  const undated = unversioned.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  return [whole, last, bare, undated]
}

/** `claude-opus-5.5` and `Claude-Opus-5-5` are one. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)\.(?=\d)/g, '-')
}
