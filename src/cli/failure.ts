// The printed text and the exit status of an error that ends a command.

import { CommandError, type ExitStatus, exitStatus } from './terminal.ts'

/** One sentence for errors that the caller can fix, with the request's id if a server told it; a stack trace for all others. */
export function sentenceOf(error: unknown): string {
  if (error instanceof CommandError) return error.message
  if (isAnswer(error)) {
    const sentence = error.code === 'unauthenticated' ? `${error.message}. Sign in with: rolocom login` : error.message
    return error.requestId === null ? sentence : `${sentence}\nrequest id: ${error.requestId}`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

export function statusOf(error: unknown): ExitStatus {
  if (error instanceof CommandError) return error.status
  return isAnswer(error) && (error.code === 'unauthenticated' || error.code === 'forbidden') ? exitStatus.notSignedIn : exitStatus.failed
}

interface AnswerError extends Error {
  code: string
  requestId: string | null
}

// By its members, not its class: importing the client costs the commands of operators time that they have no use for.
const isAnswer = (error: unknown): error is AnswerError =>
  error instanceof Error && error.name === 'RolocomError' && 'code' in error && 'requestId' in error
