#!/usr/bin/env node
// Plain old JavaScript on purpose: this file has to run on the Node it complains about.
var needed = [22, 19]
var had = process.versions.node.split('.').map(Number)

if (had[0] < needed[0] || (had[0] === needed[0] && had[1] < needed[1])) {
  process.stderr.write(
    'plimsoll needs Node ' +
      needed.join('.') +
      ' or newer, and this is Node ' +
      process.versions.node +
      ': install a newer one (https://nodejs.org) and try again.\n',
  )
  process.exitCode = 1
} else if (process.argv.length === 4 && process.argv[2] === 'hook' && /^(?:claude-code|codex|copilot)$/.test(process.argv[3])) {
  // Agents wait for this after every tool, and the rest of the program takes longer to load than it runs.
  import('../dist/bundled/hook.cjs').catch(function () {})
} else {
  import('../dist/bundled/main.js').catch(function (error) {
    var unbuilt = error && error.code === 'ERR_MODULE_NOT_FOUND' && String(error.message).indexOf('main.js') >= 0
    process.stderr.write(
      unbuilt
        ? 'plimsoll is not built yet: run `npm run build` first.\n'
        : 'plimsoll could not start: ' + String(error && error.message) + '\n',
    )
    process.exitCode = 1
  })
}
