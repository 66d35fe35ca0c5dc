import { createHash, createHmac } from 'node:crypto'

/** To whom a request belongs: a keyed hash of its credential's hash, so that a store never holds anything that leads back to a key. */
export function tenantOf(secret: Uint8Array, hashed: string | null): string {
  return createHmac('sha256', secret)
    .update(hashed ?? '')
    .digest('base64url')
}

/** The hash by which a credential is known outside of the request that it came with. */
export function credentialHash(credential: string): string {
  return createHash('sha256').update(credential).digest('hex')
}
