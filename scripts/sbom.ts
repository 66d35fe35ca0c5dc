/** Prints a software bill of materials: everything that ships with `plimsoll`, as CycloneDX 1.6. Run by `npm run sbom`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Lockfile, type ShippedPackage, shippedPackages } from './shipped-packages.ts'

/**
 * The bill for a lockfile. `licences` is docs/licences.md, which names what a build puts into the web app and the command. The same input
 * gives the same bytes: there is no time and no random number in it.
 */
export function billOfMaterials(lock: Lockfile, licences: string, version: string) {
  const builtIn = new Set([...licences.matchAll(/^\| (\S+) \| (\d\S*) \|/gm)].map(([, name, of]) => `node_modules/${name} ${of}`))
  const added = Object.entries(lock.packages).flatMap(([folder, locked]) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return builtIn.has(`node_modules/${name} ${locked.version}`) ? [{ ...locked, folder, name }] : []
  })
  // A package may be both.
  const components = new Map(added.map((one) => [referenceOf(one), componentOf(one, 'built into plimsoll')]))
  for (const one of shippedPackages(lock)) components.set(referenceOf(one), componentOf(one, 'installed with plimsoll'))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'plimsoll',
        name: 'plimsoll',
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  }
}

function componentOf(one: ShippedPackage, description: string) {
  const { name, version = '', license, integrity, os } = one
  const sha512 = integrity?.startsWith('sha512-') === true ? Buffer.from(integrity.slice(7), 'base64').toString('hex') : null
  return {
    type: 'library',
    'bom-ref': referenceOf(one),
    name,
    version,
    // One of several builds, for one system.
    scope: os === undefined ? 'required' : 'optional',
    description,
    ...(sha512 === null ? {} : { hashes: [{ alg: 'SHA-512', content: sha512 }] }),
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    purl: referenceOf(one),
  }
}

function referenceOf({ name, version = '' }: ShippedPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  const { version } = JSON.parse(read('packages/node/package.json')) as { readonly version: string }
  const bill = billOfMaterials(JSON.parse(read('package-lock.json')) as Lockfile, read('docs/licences.md'), version)
  process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
}
