import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import sqlite from 'node:sqlite'
import { expect } from 'vitest'

// Files that start a process, open a socket or open a database have `.slow.` in their names, and a quick run leaves them out.
// This one is loaded before each file of a quick run, and has whoever does it all the same say so.

const mark = Symbol.for('plimsoll: tests stay quick')

if (!(mark in globalThis)) {
  Object.assign(globalThis, { [mark]: true })
  refuse(childProcess.ChildProcess.prototype, ['spawn'], 'starts a process')
  refuse(childProcess, ['spawnSync', 'execSync', 'execFileSync'], 'starts a process')
  refuse(net.Server.prototype, ['listen'], 'listens on a socket')
  refuse(net.Socket.prototype, ['connect'], 'connects to a socket')
  refuse(sqlite, ['DatabaseSync'], 'opens a database')
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
