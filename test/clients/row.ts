// What a row is: somebody else's client, and what it is asked to do with the running server.

export interface Served {
  url: string
  key: string
  /** The secret that backends share. */
  serviceToken: string
  hookToken: string
  /** Secrets of senders, by the name of their hook. */
  secrets: Record<'github' | 'stripe' | 'shop', string>
  /** A folder of the row's own, from which its packages can be imported. */
  folder: string
  /** Runs a program of test/clients/node_modules in the folder; throws with what it printed where it fails. */
  tool(name: string, args: readonly string[]): Promise<string>
  /** Copies a file of uses/ beside what was generated, compiles it strict, runs it with URL and KEY, and resolves with what it printed. */
  use(file: string): Promise<string>
}

export interface Row {
  name: string
  /** Packages it needs. One that is not installed makes the row a skip with that name. */
  packages: readonly string[]
  /** Resolves with what was seen, as a short sentence; throws where the client does not get along. */
  run(served: Served): Promise<string>
}
