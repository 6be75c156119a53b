// Versions of rows: a write can name the version that it is meant for.

import { AppError } from '../errors.ts'

/** Throws PRECONDITION_FAILED unless the row, locked or compared at the write, has the version. Without `ifVersion` every version will do. */
export function requireVersion(noun: string, { version }: { version: number }, ifVersion: number | null | undefined): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === version) return
  throw new AppError('PRECONDITION_FAILED', `The ${noun} has version ${version}, not ${ifVersion}`, { version })
}
