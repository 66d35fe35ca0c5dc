/** Whether words and a key stand in one value, as with most vendors: `acme_live_` and 28 random letters and digits, or 64 hexadecimal digits. */
export function isPrefixedKey(found: string): boolean {
  const parts = found.split(/[_.~=-]+/).filter((part) => part !== '')
  const first = parts.findIndex((part, index) => index > 0 && !isWord(part))
  const [prefixes, key] = first < 0 ? [[], parts] : [parts.slice(0, first), parts.slice(first)]
  if (prefixes.length === 0 || prefixes.some((prefix) => idPrefixes.has(prefix))) return false
  const all = key.join('')
  // Ids have prefixes too, but are shorter, or begin with a version.
  if (all.length >= 28 && key.length <= 1 + all.length / 10 && isJumbled(all) && !/^0[01]/.test(all)) return true
  if (key.length > 4 || !key.every(isOneCase)) return false
  const longest = Math.max(...key.map((part) => part.length))
  const isHex = /^[0-9a-f]+$/.test(all)
  // Identifiers of traces are hexadecimal from their beginning.
  const isNamed = !prefixes.every((prefix) => /^[0-9a-f]+$/i.test(prefix))
  if (isHex && isNamed && /[a-f]/.test(all) && (longest >= 60 || (longest >= 32 && key.length > 2))) return true
  return longest >= (isHex ? 32 : 24) && isRandomOfOneCase(all) && nameOfKey.test(prefixes.join('_'))
}

/** Letters and digits by chance: names in camel case have few digits, and few changes between kinds of letters. */
export function isJumbled(key: string): boolean {
  const changes = key.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0
  const digits = key.match(/\d/g)?.length ?? 0
  return /[A-Z]/.test(key) && /[a-z]/.test(key) && ((digits >= 3 && changes >= 6) || (digits === 2 && changes >= 9))
}

/** As vendors name the kinds of keys that they give out. */
const nameOfKey = /key|token|secret|private|(?:^|_)(?:live|test|prod|production|sandbox|sbox|sk|tk|wk|pat|pk|api|auth)(?:_|$)/i

/** Prefixes of ids, which are as random as keys, and of hashes. */
const idPrefixes = new Set(
  'toolu tooluse srvtoolu msg call chatcmpl cmpl req run resp fc rs thread asst file step container batch msgbatch vs item sess_id conv gen evt event cus pi ch sub price in il pm seti acct org proj user usr team ws wf tx txn order ord prt ses sha1 sha256 sha384 sha512 md5 blob tree commit img image layer build deploy dpl node pod rev hash uuid id key ref sha digest checksum etag chunk trace span session cache'.split(
    ' ',
  ),
)

function isWord(part: string): boolean {
  return /^(?:[A-Za-z]{1,12}|[A-Za-z][A-Za-z\d]{1,7})$/.test(part)
}

function isOneCase(part: string): boolean {
  return /^(?:[a-z\d]+|[A-Z\d]+)$/.test(part)
}

function isRandomOfOneCase(key: string): boolean {
  return (key.match(/\d/g)?.length ?? 0) >= 3 && (key.match(/(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]/g)?.length ?? 0) >= key.length / 6
}
