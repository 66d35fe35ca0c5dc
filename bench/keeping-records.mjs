// Lists of records with a few that matter. What must be kept is written down while the list is made, before anything reduces it.

const words = ['cart', 'price', 'order', 'invoice', 'stock', 'refund', 'coupon', 'address', 'basket', 'tax', 'parcel', 'return']
const people = ['amara', 'boris', 'chen', 'dilek', 'elif', 'farid', 'grete', 'hana', 'ivo', 'jonas', 'kira', 'leon']

/** A record of one subject, and the ways in which one of them can differ. Each way changes a record and says what of it must be kept. */
const subjects = {
  development: [
    {
      key: 'orders',
      make: (random, id) => ({
        id: `ord_${10_000 + id}`,
        customer: random.pick(people),
        status: 'shipped',
        total: random.between(1000, 9000) / 100,
        items: random.between(1, 5),
        created: stamp(random, id),
      }),
      differ: [
        (record) => ({ ...record, status: 'failed', error: 'card declined by issuer 51' }),
        (record) => ({ ...record, total: 184_220.5 }),
        (record) => ({ ...record, fraud_flag: 'velocity-check' }),
        (record) => ({ ...record, status: 'on_hold' }),
      ],
    },
    {
      key: 'metrics',
      make: (random, id) => ({
        host: `node-${id % 40}`,
        metric: 'cpu_percent',
        value: random.between(200, 420) / 10,
        ts: 1_760_000_000 + id * 60,
        tags: { region: random.pick(['eu-1', 'us-2']), tier: 'web' },
      }),
      differ: [
        (record) => ({ ...record, value: 99.87 }),
        (record) => ({ ...record, tags: { ...record.tags, tier: 'batch-canary' } }),
        (record) => ({ ...record, note: 'sensor restarted by watchdog' }),
        (record) => ({ ...record, value: null, error: 'scrape timeout after 10s' }),
      ],
    },
    {
      key: 'users',
      make: (random, id) => ({
        user_id: id + 1,
        name: `${random.pick(people)} ${random.pick(words)}son`,
        email: `user${id}@example.com`,
        active: true,
        role: 'member',
        logins: random.between(3, 60),
      }),
      differ: [
        (record) => ({ ...record, role: 'superadmin' }),
        (record) => ({ ...record, logins: 88_431 }),
        (record) => ({ ...record, active: false, suspended_reason: 'chargeback dispute 7781' }),
        (record) => ({ ...record, email: 'NULL' }),
      ],
    },
  ],
  heldOut: [
    {
      key: 'deployments',
      make: (random, id) => ({
        build: 4000 + id,
        service: random.pick(words),
        result: 'succeeded',
        duration_ms: random.between(41_000, 69_000),
        commit: random
          .below(2 ** 24)
          .toString(16)
          .padStart(7, '0'),
        stage: random.pick(['test', 'release']),
      }),
      differ: [
        (record) => ({ ...record, result: 'error', message: 'health probe never became ready on port 8443' }),
        (record) => ({ ...record, duration_ms: 4_912_007 }),
        (record) => ({ ...record, rolled_back_to: 'v2.14.9' }),
        (record) => ({ ...record, result: 'cancelled-by-operator' }),
      ],
    },
    {
      key: 'hits',
      make: (random, id) => ({
        title: `${random.pick(words)} guide part ${id}`,
        url: `https://docs.example.org/${random.pick(words)}/${id}`,
        score: random.between(610, 790) / 1000,
        lang: 'en',
        snippet: `How the ${random.pick(words)} of the ${random.pick(words)} is set up and checked by ${random.pick(people)}.`,
      }),
      differ: [
        (record) => ({ ...record, score: 0.0004 }),
        (record) => ({ ...record, lang: 'tlh' }),
        (record) => ({ ...record, retracted: 'superseded by errata 118' }),
        (record) => ({ ...record, snippet: 'fatal: index shard 7 unavailable, result incomplete' }),
      ],
    },
    {
      key: 'transfers',
      make: (random, id) => ({
        ref: `TX-${random.between(100_000, 999_999)}-${id}`,
        from: random.pick(people),
        amount: random.between(5, 300),
        currency: 'EUR',
        settled: true,
        fee: 0.25,
        meta: { channel: 'app', attempts: 1 },
      }),
      differ: [
        (record) => ({ ...record, currency: 'XAU' }),
        (record) => ({ ...record, amount: 7_250_000 }),
        (record) => ({ ...record, settled: false, failure: 'beneficiary bank rejected AC04' }),
        (record) => ({ ...record, meta: { channel: 'branch-override', attempts: 9 } }),
      ],
    },
  ],
}

function stamp(random, id) {
  return new Date(1_760_000_000_000 + id * 61_000 + random.below(50_000)).toISOString()
}

/** A list of `length` records of a subject with `needles` different ones, and the texts that tell those from the others. */
function listOf(random, { make, differ }, length, needles) {
  const records = Array.from({ length }, (_, index) => make(random, index))
  const mustKeep = []
  const places = new Set()
  for (let index = 0; index < needles; index += 1) {
    let place = random.between(2, length - 3)
    while (places.has(place)) place = random.between(2, length - 3)
    places.add(place)
    const before = records[place]
    const after = differ[index % differ.length](before)
    records[place] = after
    const changed = changedLeaves(before, after)
    const own = leaves(after).find(([name]) => /id|ref|build|url|ts|email/.test(name))
    mustKeep.push({ all: [...changed, ...(own === undefined ? [] : [String(own[1])])] })
  }
  return { records, mustKeep }
}

function changedLeaves(before, after) {
  const old = new Map(leaves(before))
  return leaves(after).flatMap(([name, value]) =>
    old.get(name) === value || value === null || value === false ? [] : [String(value)],
  )
}

function leaves(value, path = '') {
  return Object.entries(value).flatMap(([key, child]) =>
    typeof child === 'object' && child !== null ? leaves(child, `${path}${key}.`) : [[`${path}${key}`, child]],
  )
}

const writers = {
  'JSON list': (records) => JSON.stringify(records),
  'JSON list, indented': (records) => JSON.stringify(records, null, 2),
  'JSON list under a key': (records, key) =>
    JSON.stringify({ ok: true, page: 1, [key]: records, next_page: null, took_ms: 42 }, null, key.length % 2 === 0 ? 2 : 0),
  'JSON lines': (records) => `${records.map((record) => JSON.stringify(record)).join('\n')}\n`,
  CSV: (records) => {
    const keys = [...new Set(records.flatMap((record) => leaves(record).map(([name]) => name)))]
    const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''))
    const rows = records.map((record) => {
      const values = new Map(leaves(record))
      return keys.map((name) => cell(values.get(name) ?? '')).join(',')
    })
    return `${[keys.join(','), ...rows].join('\n')}\n`
  },
  'table in columns': (records) => {
    const rows = records.map((record) => leaves(record).map(([, value]) => String(value).replaceAll(' ', '_')))
    const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length), 8))
    const head = leaves(records[0]).map(([name]) => name.toUpperCase())
    const write = (row) =>
      row
        .map((value, column) => value.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    return `${[head, ...rows].map(write).join('\n')}\n`
  },
}

const lengths = [60, 200, 500, 1000]

/** Families of lists: the same kinds of records in each way of writing them. */
export function recordFamilies(random, split) {
  return Object.entries(writers).map(([name, write]) => ({
    name,
    cases: subjects[split].flatMap((subject) =>
      [random.pick(lengths), random.pick(lengths.slice(1))].map((length) => {
        const { records, mustKeep } = listOf(random, subject, length, random.between(3, 5))
        const inTable = name === 'table in columns'
        return {
          command: `curl -s http://localhost:8080/${subject.key}`,
          text: write(records, subject.key),
          mustKeep: mustKeep.map(({ all }) => ({ all: inTable ? all.map((one) => one.replaceAll(' ', '_')) : all })),
        }
      }),
    ),
  }))
}
