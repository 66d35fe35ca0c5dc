// Plain old JavaScript on purpose: this file has to run on the Node it complains about.
var needed = [22, 19]
var had = process.versions.node.split('.').map(Number)

if (had[0] < needed[0] || (had[0] === needed[0] && had[1] < needed[1])) {
  // The output of the report is shown to the user; that of the tool server belongs to its protocol.
  var isShown = process.argv[2] === 'report'
  ;(isShown ? process.stdout : process.stderr).write(
    'The Plimsoll plugin does nothing: it needs Node ' +
      needed.join('.') +
      ' or newer as `node`, and this is Node ' +
      process.versions.node +
      '. Install a newer one (https://nodejs.org) and restart Claude Code.\n',
  )
  process.exitCode = isShown ? 0 : 1
} else {
  void import('./bin/plimsoll.mjs')
}
