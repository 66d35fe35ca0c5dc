const goods = [
  'rope',
  'anchor',
  'lamp',
  'compass',
  'chart',
  'sail',
  'oar',
  'bell',
  'buoy',
  'flag',
  'cleat',
  'hook',
  'pump',
  'winch',
]

const rows = goods.map((name, index) => `  { name: '${name}', price: ${(index * 37) % 90}, weight: ${(index * 53) % 40} },`)

/** A small shop with a bug, as files by path. */
export const shopFiles = {
  'package.json': '{ "name": "harbour-shop", "type": "module", "scripts": { "test": "node test.mjs" } }\n',
  'README.md': '# Harbour shop\n\nWhat a ship needs, with a basket that adds up.\n',
  'src/goods.mjs': `/** Everything on the shelves. */\nexport const goods = [\n${rows.join('\n')}\n]\n`,
  'src/price.mjs': `/** The price of several items of one kind, before any discount. */
export function total(price, count) {
  return price + count
}

/** Ten and more of a kind are cheaper. */
export function discount(count) {
  return count >= 10 ? 0.1 : 0
}
`,
  'src/basket.mjs': `import { goods } from './goods.mjs'
import { discount, total } from './price.mjs'

/** An empty basket. */
export function basket() {
  return { lines: [] }
}

${goods
  .map(
    (name) => `/** Puts ${name} into the basket. */
export function add${name[0]?.toUpperCase()}${name.slice(1)}(into, count = 1) {
  const { price, weight } = goods.find((one) => one.name === '${name}')
  const sum = total(price, count) * (1 - discount(count))
  into.lines.push({ name: '${name}', count, sum, weight: weight * count })
  return into
}
`,
  )
  .join('\n')}`,
  'test.mjs': `import { goods } from './src/goods.mjs'
import { total } from './src/price.mjs'
let failed = 0
for (const { name, price } of goods)
  for (const count of [1, 2, 3, 5, 8]) {
    const right = total(price, count) === price * count
    if (!right) failed += 1
    console.log(\`\${right ? 'ok  ' : 'FAIL'} \${count} x \${name} at \${price}: \${total(price, count)}\`)
  }
console.log(failed === 0 ? 'all sums are right' : \`\${failed} sums are wrong\`)
process.exitCode = failed === 0 ? 0 : 1
`,
}
