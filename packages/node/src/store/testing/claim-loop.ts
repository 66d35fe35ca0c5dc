// Claims one part after another until it is killed, and prints each one once it is stored.
import { setTimeout as rest } from 'node:timers/promises'
import { StoreError } from '../gateway-store.ts'
import { openGatewayStore } from '../open-gateway-store.ts'
import { claim } from './samples.ts'

const [, , location = '', name = ''] = process.argv
const store = await openGatewayStore(location, { now: Date.now })
for (let number = 0; ; number++) {
  const key = `${name}-${number}`
  while (!(await isClaimed(key, `short ${'words '.repeat(number % 50)}`))) await rest(1)
  process.stdout.write(`${key}\n`)
  // Lets others run: on a busy machine, a process that never rests can lock all others out.
  await rest(1)
}

/** False if another process held the file for longer than a call waits. */
async function isClaimed(key: string, text: string): Promise<boolean> {
  try {
    await store.claim('tenant', [claim(key, text, { handle: key })])
    return true
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'unreachable') return false
    throw error
  }
}
