// Opens a store as another user, makes a claim and prints the outcome.
import { StoreError } from '../gateway-store.ts'
import { openGatewayStore } from '../open-gateway-store.ts'
import { claim } from './samples.ts'

const [, , location = '', user = ''] = process.argv
if (user !== '') {
  process.setgid?.(Number(user))
  process.setuid?.(Number(user))
}
try {
  const store = await openGatewayStore(location, { now: Date.now })
  await store.claim('tenant', [claim('k', 'short')])
  process.stdout.write('claimed\n')
} catch (error) {
  const text = error instanceof StoreError ? `${error.kind}: ${error.message}` : 'something else'
  process.stdout.write(`${text}\n`)
}
