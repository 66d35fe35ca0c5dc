import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computedDuring,
  type Earlier,
  type Later,
  perBoth,
  perChange,
  perEach,
  perFew,
  perItem,
  perKey,
  perLater,
  perList,
  perPair,
  placesBefore,
  withoutCaches,
} from './derive.ts'
import type { Message } from './message.ts'
import { user } from './testing/messages.ts'

/** Joins ids, and counts the messages it read. It can exchange user messages in place. */
function createJoiner() {
  const looked = { count: 0 }
  const join = perList({
    start: () => [] as string[],
    add(ids, message: Message) {
      looked.count += 1
      ids.push(message.id)
    },
    change(ids, index, was, is) {
      looked.count += 1
      ids[index] = is.id
      return was.role === 'user' && is.role === 'user'
    },
    finish: (ids) => ids.join(''),
  })()
  return { join, looked }
}

const pool: readonly Message[] = 'abcdefgh'.split('').map((id) => user(id, id))

describe('perList', () => {
  it('reads only added items', () => {
    const { join, looked } = createJoiner()
    join(pool.slice(0, 5))
    looked.count = 0
    expect(join(pool.slice(0, 7))).toBe('abcdefg')
    expect(looked.count).toBe(2)
  })

  it('reads a rewound or edited list from its start', () => {
    const { join } = createJoiner()
    join(pool)
    expect(join(pool.slice(0, 3))).toBe('abc')
    expect(join([...pool.slice(0, 3), user('x', '')])).toBe('abcx')
    expect(join(pool)).toBe('abcdefgh')
    expect(join([])).toBe('')
  })

  it('reads only changed items, or everything if too many changed or one cannot be exchanged', () => {
    const { join, looked } = createJoiner()
    const other = user('x', '')
    const lookedFor = (list: readonly Message[]) => {
      looked.count = 0
      expect(join(list)).toBe(list.map(({ id }) => id).join(''))
      return looked.count
    }
    const long = Array.from({ length: 200 }, (_, index) => user(`${index},`, ''))
    expect(lookedFor(long)).toBe(200)
    expect(lookedFor(long.with(7, other).with(90, other))).toBe(2)
    expect(lookedFor([...long.with(7, other), ...pool])).toBe(1 + 8)
    expect(lookedFor(long.map((message, index) => (index % 3 === 1 ? other : message)))).toBe(200)
    // The exchange is tried first, then everything is read.
    expect(lookedFor(long.map((message, index) => (index === 4 ? { ...other, role: 'assistant' } : message)))).toBeGreaterThan(
      199,
    )
  })

  it('keeps the lists of several stages apart', () => {
    const { join, looked } = createJoiner()
    const other = user('x', '')
    const long = Array.from({ length: 60 }, (_, index) => user(`${index},`, ''))
    const request = (length: number) => {
      looked.count = 0
      join(long.slice(0, length))
      join(long.slice(0, length).with(3, other).with(5, other))
      return looked.count
    }
    expect([50, 52, 54, 56, 58].map(request).slice(2)).toEqual([4, 4, 4])
  })

  it('many conversations with the same system prompt, in turns, are read once each', () => {
    const { join, looked } = createJoiner()
    const prompt = user('system,', '')
    const conversations = Array.from({ length: 40 }, (_, number) => [
      prompt,
      ...Array.from({ length: 9 }, (_each, index) => user(`${number}.${index},`, '')),
    ])
    const turn = (length: number) => {
      looked.count = 0
      for (const messages of conversations)
        expect(join(messages.slice(0, length))).toBe(
          messages
            .slice(0, length)
            .map(({ id }) => id)
            .join(''),
        )
      return looked.count / conversations.length
    }
    expect([6, 8, 10].map(turn)).toEqual([6, 2, 2])
  })

  it('always answers as if it remembered nothing, whatever lists come in whatever order', () => {
    let grown = 0
    const generated = fc.array(
      fc.array(fc.constantFrom(...pool.slice(0, 2), { ...user('z', ''), role: 'assistant' as const }), {
        minLength: 1,
        maxLength: 4,
      }),
      {
        minLength: 8,
        maxLength: 30,
      },
    )
    fc.assert(
      fc.property(generated, (given) => {
        const { join, looked } = createJoiner()
        // A list is known by its fourth item.
        const lists = given.map((list) => [...pool.slice(4, 7), ...list])
        for (const list of lists) expect(join(list)).toBe(list.map((message) => message.id).join(''))
        if (looked.count < lists.flat().length) grown += 1
      }),
      { numRuns: 300 },
    )
    expect(grown).toBeGreaterThan(200)
  })
})

it('perList continues each list separately per setting', () => {
  const looked: string[] = []
  const named = perList({
    start: (_root: string): string[] => [],
    add(names, { id }: Message, _index, root) {
      looked.push(id)
      names.push(`${root}${id}`)
    },
    finish: (names) => names.slice(),
  })
  const lookedAt = (ids: string, root: string) => {
    looked.length = 0
    const messages = ids.split('').map((id) => pool['abcdefgh'.indexOf(id)] as Message)
    expect(named(root)(messages)).toEqual(ids.split('').map((id) => `${root}${id}`))
    return looked.join('')
  }
  expect(lookedAt('efgab', 'one')).toBe('efgab')
  expect(lookedAt('efgc', 'two')).toBe('efgc')
  expect(lookedAt('efgabd', 'one')).toBe('d')
  expect(lookedAt('efgcd', 'two')).toBe('d')
  expect(lookedAt('efgabd', 'two')).toBe('efgabd')
  expect(lookedAt('efgac', 'one')).toBe('efgac')
})

/** A function that names an item, and the names it computed. */
function createNames() {
  const computed: string[] = []
  const nameIn = ({ id }: Message, place: string) => {
    const name = `${place}/${id}`
    computed.push(name)
    return name
  }
  const take = () => computed.splice(0)
  return { nameIn, take }
}

const [a, b] = pool as readonly [Message, Message]

describe('perItem', () => {
  it('computes once per item and setting', () => {
    const { nameIn, take } = createNames()
    const named = perItem(nameIn)
    expect([named('x')(a), named('x')(b), named('y')(a), named('x')(a), named('y')(a)]).toEqual([
      'x/a',
      'x/b',
      'y/a',
      'x/a',
      'y/a',
    ])
    expect(take()).toEqual(['x/a', 'x/b', 'y/a'])
  })

  it('keeps the last eight settings', () => {
    const { nameIn, take } = createNames()
    const named = perItem(nameIn)
    for (let setting = 0; setting < 8; setting += 1) named(`${setting}`)(a)
    take()
    for (let setting = 0; setting < 8; setting += 1) named(`${setting}`)(a)
    expect(take()).toEqual([])
    named('new')(a)
    named('1')(a)
    expect(take()).toEqual(['new/a'])
    named('0')(a)
    expect(take()).toEqual(['0/a'])
  })
})

it('perPair keeps the latest answer of an item with its argument', () => {
  const { nameIn, take } = createNames()
  const named = perPair(nameIn)
  expect([named(a, 'x'), named(a, 'x'), named(b, 'x'), named(a, 'y'), named(a, 'x')]).toEqual(['x/a', 'x/a', 'x/b', 'y/a', 'x/a'])
  expect(take()).toEqual(['x/a', 'x/b', 'y/a', 'x/a'])
  expect([named.latest(b)?.a, named.latest(b)?.answer, named.latest(user('c', ''))]).toEqual(['x', 'x/b', undefined])
})

it('perEach computes only changed items', () => {
  const { nameIn, take } = createNames()
  const named = perEach(nameIn)
  expect(named('x')([a, b])).toEqual(['x/a', 'x/b'])
  take()
  expect(named('x')([a, user('c', ''), b])).toEqual(['x/a', 'x/c', 'x/b'])
  expect(take()).toEqual(['x/c'])
})

describe('perChange', () => {
  type Lists = readonly [readonly Message[], readonly Message[]]
  interface Joined {
    readonly text: string
    /** The text that it was made from. */
    readonly from: string | null
  }

  function createPairs() {
    return perChange(function joinPairs([one, other]: Lists, earlier: Earlier<Lists, Joined> | null): Joined {
      const text = [...one, ...other].map(({ id }) => id).join('')
      return { text, from: earlier?.answer.text ?? null }
    })()
  }

  it('gives the earlier answer whose last list is most alike', () => {
    const pairs = createPairs()
    const all = pool.slice(0, 4)
    expect(pairs(all, [a, b]).from).toBe(null)
    // Nothing in common at the start: the list of another stage.
    expect(pairs(all, [b, a]).from).toBe(null)
    expect(pairs(all, [a, b, b]).from).toBe('abcdab')
    expect(pairs(all, [b, a, a]).from).toBe('abcdba')
    expect(pairs(all, [a, b, b, a]).from).toBe('abcdabb')
    expect(pairs([], [a, b]).from).toBe(null)
    expect(withoutCaches(() => pairs(all, [a, b, b, a])).from).toBe(null)
  })

  it('remembers lists as they were, even if their owner changes them', () => {
    const seen: string[] = []
    const remember = perChange(function rememberLists(
      _lists: readonly [readonly Message[]],
      earlier: Earlier<readonly [readonly Message[]], object> | null,
    ) {
      seen.push((earlier?.lists[0] ?? []).map(({ id }) => id).join(''))
      return {}
    })()
    const own = pool.slice(0, 5)
    remember(own)
    own[4] = b
    own.push(a)
    remember(own)
    expect(seen).toEqual(['', 'abcde'])
  })
})

describe('perLater', () => {
  interface Item {
    readonly names: readonly string[]
    readonly size: number
  }
  interface Largest {
    readonly largest: number
    readonly isLargest: boolean
  }
  /** The largest size of the later items with a common name that are larger themselves than all after them; `bonus` counts for one place. */
  const createLargest = () => {
    const decided: number[] = []
    const decisions = perLater({
      namesOf: ({ names }: Item) => names,
      leadsTo: () => [],
      again: ({ now: was }, _items, now: { readonly bonus: number }) => ({ places: [was.bonus, now.bonus], names: [] }),
      decide: (items, { bonus }, { telling, answerAt }: Later<Largest>) => {
        return (at: number): Largest => {
          decided.push(at)
          const { names, size } = items[at] as Item
          const later = names.flatMap((name) =>
            telling(name)
              .filter((place) => place > at)
              .map((place) => answerAt(place).largest),
          )
          const own = size + (bonus === at ? 5 : 0)
          return { largest: Math.max(own, ...later), isLargest: own > Math.max(0, ...later) }
        }
      },
      isEqual: (one, other) => one.largest === other.largest && one.isLargest === other.isLargest,
      tells: ({ isLargest }) => isLargest,
    })()
    return { decisions, take: () => decided.splice(0) }
  }
  const item = (names: string, size: number): Item => ({ names: names.split(''), size })

  it('decides again about what is new or changed, and about what that concerns', () => {
    const { decisions, take } = createLargest()
    const list = [item('a', 1), item('b', 1), item('a', 2), item('c', 9), item('b', 3)]
    const now = { bonus: 3 }
    expect(decisions(list, now).map(({ largest }) => largest)).toEqual([2, 3, 2, 14, 3])
    expect(take()).toEqual([4, 3, 2, 1, 0])
    expect(decisions([...list, item('a', 7)], now).map(({ largest }) => largest)).toEqual([7, 3, 7, 14, 3, 7])
    expect(take()).toEqual([5, 3, 2, 0])
    const changed = [...list.slice(0, 4), item('b', 4), item('a', 0)]
    expect(decisions(changed, now).map(({ largest }) => largest)).toEqual([2, 4, 2, 14, 4, 0])
  })

  it('decides as if nothing was remembered, whatever the list was before', () => {
    const items = Array.from({ length: 12 }, (_, at) => item(['a', 'b', 'c', 'ab', 'bc'][at % 5] as string, at % 4))
    const lists = fc.array(fc.tuple(fc.array(fc.constantFrom(...items), { minLength: 4, maxLength: 12 }), fc.nat(12), fc.nat(4)))
    fc.assert(
      fc.property(lists, (asked) => {
        const { decisions } = createLargest()
        for (const [list, bonus, left] of asked)
          for (const length of [list.length - left, list.length]) {
            const some = [...items.slice(0, 4), ...list.slice(0, Math.max(0, length))]
            expect(structuredClone(decisions(some, { bonus }))).toEqual(withoutCaches(() => decisions(some, { bonus })))
          }
      }),
    )
  })
})

it('placesBefore finds the items that two lists have in the same order, near each other', () => {
  const letters = (text: string) => text.split('').map((id) => pool.find((message) => message.id === id) as Message)
  const places = (is: string, was: string) => [...placesBefore(letters(is), letters(was))]
  expect(places('abcd', 'abcd')).toEqual([0, 1, 2, 3])
  expect(places('abcd', 'abd')).toEqual([0, 1, -1, 2])
  expect(places('abd', 'abcd')).toEqual([0, 1, 3])
  expect(places('abxd'.replace('x', 'h'), 'abcd')).toEqual([0, 1, -1, 3])
  expect(places('abcdef', 'abc')).toEqual([0, 1, 2, -1, -1, -1])
  expect(places('gh', 'abcdef')).toEqual([-1, -1])
  expect(places('', 'abc')).toEqual([])
  // Whatever the lists are, an answer is true.
  const lists = fc.array(fc.constantFrom(...'abcdefgh'), { maxLength: 30 })
  fc.assert(
    fc.property(lists, lists, (is, was) => {
      const found = [...placesBefore(letters(is.join('')), letters(was.join('')))]
      expect(found).toHaveLength(is.length)
      const known = found.flatMap((place, at) => (place < 0 ? [] : [{ place, at }]))
      for (const { place, at } of known) expect(was[place]).toBe(is[at])
      expect(known.map(({ place }) => place)).toEqual(known.map(({ place }) => place).toSorted((one, other) => one - other))
      expect(new Set(known.map(({ place }) => place)).size).toBe(known.length)
    }),
  )
})

describe('of the list asked about last, whatever it was before,', () => {
  const lists = fc.array(fc.constantFrom(...pool, { ...a, role: 'assistant' as const }), { minLength: 4, maxLength: 20 })
  const isUser = ({ role }: Message) => role === 'user'
  const check = (expectOf: (list: readonly Message[]) => void) =>
    fc.assert(fc.property(fc.array(lists, { maxLength: 5 }), (asked) => asked.forEach(expectOf)))

  it('perKey has the only item of each key, or knows that there are several', () => {
    const byId = perKey((message: Message) => (isUser(message) ? message.id : null))
    check((list) => {
      const found = byId(list)
      for (const { id } of pool) {
        const named = list.filter((message) => isUser(message) && message.id === id)
        expect(found.get(id)?.count).toBe(named.length === 0 ? undefined : named.length)
        expect([null, undefined, named[0]]).toContain(found.get(id)?.only)
        if (named.length > 1) expect(found.get(id)?.only).toBe(null)
      }
    })
  })

  it('perFew has the items that answer with yes, in order', () => {
    const users = perFew(isUser)
    check((list) => expect(users(list)).toEqual(list.filter(isUser)))
  })

  it('perBoth answers for each item with the other one at its place', () => {
    const pairs = perBoth(({ id }: Message, other: Message, end: string) => `${id}${other.id}${end}`)('.')
    check((list) => {
      const others = list.toReversed()
      expect(pairs(list, others)).toEqual(list.map(({ id }, at) => `${id}${others[at]?.id}.`))
    })
  })
})

it('withoutCaches computes everything again, and restores the caches after an error', () => {
  const { nameIn, take } = createNames()
  const [one, two, list] = [perItem(nameIn), perPair(nameIn), perEach(nameIn)]
  const all = () => [one('x')(a), two(a, 'x'), ...list('x')([a, b])]
  const first = all()
  take()
  expect(withoutCaches(all)).toEqual(first)
  expect(take()).toEqual(['x/a', 'x/a', 'x/a', 'x/b'])
  expect(() =>
    withoutCaches(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect([all(), take()]).toEqual([first, []])
})

it('computedDuring lists the functions that were computed', () => {
  const double = perItem(function doubled({ id }: Message) {
    return `${id}${id}`
  })()
  expect(computedDuring(() => [double(a), double(a), double(b)])).toEqual(['doubled', 'doubled'])
  expect(computedDuring(() => [double(a)])).toEqual([])
})
