import type { Socket } from 'node:net'

/** What clients may hold of a gateway, all together and each. */
export interface ClientLimits {
  readonly maxConnections: number
  /** Requests and web sockets that one client may have open. */
  readonly maxConnectionsPerClient: number
  /** Bytes of bodies that were read and not sent on yet. */
  readonly maxBufferedBytes: number
  readonly maxBufferedBytesPerClient: number
}

export type Clients = ReturnType<typeof createClients>

/** An open request of a client. */
export type Visit = Exclude<ReturnType<Clients['enter']>, null>

/**
 * Counts what each client holds, so that one cannot keep the others out. If there is no room left, the connection whose client sends
 * slowest is closed: those who open many and send little lose them first, whatever name they give themselves.
 */
export function createClients(limits: ClientLimits, now: () => number = () => performance.now()) {
  const connections = new Map<Socket, Connection>()
  const requests = new Map<string, number>()
  const buffered = new Map<string, number>()
  let bufferedBytes = 0

  function wait(connection: Connection): void {
    connection.since = now()
    connection.seen = connection.socket.bytesRead
  }

  /** Bytes a millisecond; a new connection has some credit. */
  function rateOf({ socket, seen, since }: Connection): number {
    return (socket.bytesRead - seen + creditBytes) / (now() - since + 1)
  }

  function slowest(isMeant: (connection: Connection) => boolean): Connection | null {
    let found: Connection | null = null
    let least = Number.POSITIVE_INFINITY
    for (const connection of connections.values()) {
      if (connection.answering > 0 || !isMeant(connection)) continue
      const rate = rateOf(connection)
      if (rate >= least) continue
      least = rate
      found = connection
    }
    return found
  }

  function close(connection: Connection): void {
    connections.delete(connection.socket)
    for (const letGo of connection.holders) letGo()
    connection.onClose()
  }

  return {
    /** Notes a connection, and closes the slowest if there are too many. False: all are busy, and this one has to go. */
    connect(socket: Socket, onClose: () => void): boolean {
      if (connections.size >= limits.maxConnections) {
        const other = slowest(() => true)
        if (other === null) return false
        close(other)
      }
      const connection: Connection = { socket, answering: 0, holders: new Set(), since: 0, seen: 0, onClose }
      wait(connection)
      connections.set(socket, connection)
      socket.once('close', () => connections.delete(socket))
      return true
    },
    /** A request begins. Null if its client has too many of them. `onClose` ends it to make room. */
    enter(client: string, socket: Socket, onClose: () => void) {
      const open = requests.get(client) ?? 0
      if (open >= limits.maxConnectionsPerClient) return null
      requests.set(client, open + 1)
      const connection: Connection = connections.get(socket) ?? {
        socket,
        answering: 0,
        holders: new Set(),
        since: now(),
        seen: socket.bytesRead,
        onClose,
      }
      const before = connection.onClose
      connection.onClose = onClose
      wait(connection)
      let hasArrived = false
      let hasLeft = false
      let held = 0

      function letGo(): void {
        bufferedBytes -= held
        connection.holders.delete(letGo)
        const rest = (buffered.get(client) ?? 0) - held
        if (rest > 0) buffered.set(client, rest)
        else buffered.delete(client)
        held = 0
      }

      return {
        /** Its body is there in full: from now on its client waits for the gateway. */
        arrived: (): void => {
          if (hasArrived || hasLeft) return
          hasArrived = true
          connection.answering += 1
        },
        /** Counts bytes of its body. False if they must not be kept: its client has too many, or nothing else can be dropped. */
        hold: (bytes: number): boolean => {
          const own = (buffered.get(client) ?? 0) + bytes
          if (own > limits.maxBufferedBytesPerClient) return false
          while (bufferedBytes + bytes > limits.maxBufferedBytes) {
            const other = slowest((each) => each.holders.size > 0 && each !== connection)
            if (other === null) return false
            close(other)
          }
          buffered.set(client, own)
          bufferedBytes += bytes
          connection.holders.add(letGo)
          held += bytes
          return true
        },
        /** Its body is no longer in memory, or counted elsewhere. */
        letGo,
        leave: (): void => {
          if (hasLeft) return
          hasLeft = true
          letGo()
          if (hasArrived) connection.answering -= 1
          if (connection.onClose === onClose) connection.onClose = before
          wait(connection)
          const rest = (requests.get(client) ?? 1) - 1
          if (rest > 0) requests.set(client, rest)
          else requests.delete(client)
        },
      }
    },
    counts: () => ({ connections: connections.size, clients: requests.size, bufferedBytes }),
  }
}

/** About the head of a request. */
const creditBytes = 1000

interface Connection {
  readonly socket: Socket
  /** Requests that arrived in full and are not answered yet. */
  answering: number
  /** Ends what its requests hold of their bodies. */
  readonly holders: Set<() => void>
  /** Since when it waits for its client, and how much had come by then. */
  since: number
  seen: number
  onClose: () => void
}
