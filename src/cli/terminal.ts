// The input of every command: the streams, the environment, and the error that ends a command with a sentence and an exit status.

import type { CommandContext } from '@stricli/core'

export type Environment = Record<string, string | undefined>

/** The `this` of a command. */
export interface Terminal extends CommandContext {
  readonly process: {
    readonly stdin: NodeJS.ReadStream
    readonly stdout: NodeJS.WriteStream
    readonly stderr: NodeJS.WriteStream
    /** Read by the framework for colors. */
    readonly env: Environment
    exitCode?: number
  }
  readonly environment: Environment
}

export const exitStatus = {
  done: 0,
  /** The server refused it, could not be reached, or the awaited work failed. */
  failed: 1,
  /** An unknown option, a missing argument, a value of another form. */
  usage: 2,
  /** The command cannot be done while the server runs. */
  unsafe: 3,
  /** No credential, or one that does not open this. */
  notSignedIn: 4,
} as const
export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus]

/** Ends a command: the message is all that is printed, without a stack trace. */
export class CommandError extends Error {
  readonly status: ExitStatus

  constructor(message: string, status: ExitStatus = exitStatus.failed, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
