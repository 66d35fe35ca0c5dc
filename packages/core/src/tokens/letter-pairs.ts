/** How many steps of `pairBreak` make one whole token. */
export const stepsPerToken = 20

/**
 * How readily a tokenizer breaks a word between two letters, in steps: rows and columns are an accented letter, then a to z, one
 * base-36 digit each. Common pairs of English and of programs are near 0, unlikely ones near a whole token, so that the sum over
 * a word tells `configuration` from `xkqzvbjw`.
 */
const digits = [
  '772877220a14984121466535048',
  '56531c62a496021e2d010536417',
  '4479a2c9b94b0cc0cf5572ca92b',
  '23a480ab03c028c09c2603bba5a',
  '649a40acc28a6eb1ca6694aea69',
  '9463064586e9231955002945059',
  '02a98339b1d93a91ad2836daa8d',
  '688bd0fa23ef5d74ci3675b9c9b',
  '32abb0fac3daa9c0ac5a07aa888',
  '67621230b796030028310c4b4d2',
  '27cca1efcabaac93ace5c7geeah',
  '859b90e684fabba9fgb67898d8h',
  '72a93099d19a1bc08gd4337bd0g',
  '212b60d6929a63901ab496cb94b',
  '82b22180c4947a627hc1146e969',
  '47253e32b56434023f04305186d',
  '52ca80dc65a704b14d1623ab95g',
  '0fdaddkgdajh8dcacb7ab0gdcei',
  '81a5309391d58550aa54358aa1c',
  '64c6809b33a69b8139410277a1b',
  '6295709c00da86e24g1363c970c',
  '5514517392d8000c2f010bab7b9',
  '70dac0d7b3e9bad3cfbbcbcdecb',
  '42cd70eb42fcbb70ah5499b599h',
  '39baa7bhd9gfd8ef6geb4cfia8e',
  '9agdd9gfe8gcd6757ha39afcd9e',
  '48hf93de97eefcbbegdeb8e9c9c',
] as const

/** The steps between two letters, at `(first << 5) | second`, a letter being its place in the alphabet or 0 when accented. */
export const pairBreak: Uint8Array = new Uint8Array(1024)
digits.forEach((row, first) => {
  for (let second = 0; second < row.length; second += 1)
    pairBreak[(first << 5) | second] = Number.parseInt(row.charAt(second), 36)
})
