import { readArguments } from '../read-arguments.ts'
import { checkRegexes } from './check-regexes.ts'

const usage = `
usage: npm run regexes -- [options]

  Checks every regular expression of the packages, and writes those that recheck finds safe to hardening/regexes/safe.json.
  The exit code is 1 if one is neither safe nor limited in all its repetitions.

  --check  write nothing
`
const { values } = readArguments(usage, { options: { check: { type: 'boolean', default: false } } })
const { count, safe, bounded, unsafe } = await checkRegexes(!values.check)
for (const { regex, why } of unsafe) process.stderr.write(`${regex.place}: ${why}: /${regex.source}/${regex.flags}\n`)
process.stdout.write(`${count} regular expressions: ${safe} safe, ${bounded} limited, ${unsafe.length} others\n`)
process.exitCode = unsafe.length > 0 ? 1 : 0
