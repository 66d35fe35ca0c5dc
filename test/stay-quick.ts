import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { expect } from 'vitest'

// Test files that start processes, sockets, browsers or databases have `.slow.` in their names, and a quick run skips them. This
// file is loaded before each file of a quick run, and throws if one starts a process or a socket.

const mark = Symbol.for('plimsoll: tests stay quick')

if (!(mark in globalThis)) {
  Object.assign(globalThis, { [mark]: true })
  refuse(childProcess.ChildProcess.prototype, ['spawn'], 'starts a process')
  refuse(childProcess, ['spawnSync', 'execSync', 'execFileSync'], 'starts a process')
  refuse(net.Server.prototype, ['listen'], 'listens on a socket')
  refuse(net.Socket.prototype, ['connect'], 'connects to a socket')
  syncBuiltinESMExports()
}

function refuse(owner: object, names: readonly string[], what: string): void {
  for (const name of names) {
    const value = function refused(): never {
      throw new Error(`${expect.getState().testPath} ${what}: a file that does is named *.slow.test.ts.`)
    }
    Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  }
}
