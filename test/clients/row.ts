// The type of a row: a third-party client and its test against the running server.

export interface Served {
  url: string
  key: string
  /** The shared secret of backends. */
  serviceToken: string
  hookToken: string
  /** Signing secrets of senders, by the name of their hook. */
  secrets: Record<'github' | 'stripe' | 'shop', string>
  /** A folder for this row, from which its packages can be imported. */
  folder: string
  /** Runs a program of test/clients/node_modules in the folder. Throws with its output if it fails. */
  tool(name: string, args: readonly string[]): Promise<string>
  /** Copies a file of uses/ into the folder, compiles it in strict mode, runs it with URL and KEY, and resolves with its output. */
  use(file: string): Promise<string>
}

export interface Row {
  name: string
  /** The required packages. The row is skipped if one is not installed. */
  packages: readonly string[]
  /** Resolves with a summary in one sentence; throws if the client fails. */
  run(served: Served): Promise<string>
}
