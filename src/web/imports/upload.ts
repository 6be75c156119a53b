// Sends a file to the upload address. The server creates an import that waits for its mapping.

import { type Failure, failureFrom, failureOfUnknown, Refused } from '../data/failure.ts'
import { newId } from '../data/new-id.ts'
import { cutText } from '../language/characters.ts'
import { callerHeaders, currentCaller, forgetCaller } from '../session/caller.ts'

/** The server's limit. */
export const maxFileBytes = 100 * 1024 * 1024

export type Uploaded = { id: string; failure: null } | { id: null; failure: Failure }

/** `partOf`: the import to which the file is added. Never rejects. */
export async function uploadImport(file: File, partOf: string | null): Promise<Uploaded> {
  const asked = currentCaller()
  try {
    const response = await fetch(
      `/api/crm/v1/imports?${new URLSearchParams({ file_name: cutText(file.name, 255), ...(partOf !== null && { part_of: partOf }) })}`,
      {
        method: 'POST',
        // Windows reports a CSV file as an Excel workbook, and some systems report no type.
        headers: { ...callerHeaders(), 'content-type': 'text/csv', 'idempotency-key': newId() },
        body: file,
      },
    )
    const body: unknown = await response.json().catch(() => null)
    // Only the refused session is forgotten: another tab may have signed in meanwhile.
    if (response.status === 401 && currentCaller() === asked) forgetCaller()
    const id = memberOf(body, 'id')
    if (response.ok && id !== null) return { id, failure: null }
    const message = memberOf(body, 'detail') ?? `The server answered ${response.status}. Try again in a moment.`
    const extensions = { code: memberOf(body, 'code')?.toUpperCase(), requestId: memberOf(body, 'request_id') }
    throw new Refused(failureFrom({ message, extensions }))
  } catch (thrown) {
    return { id: null, failure: failureOfUnknown(thrown) }
  }
}

function memberOf(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value: unknown = Reflect.get(body, name)
  return typeof value === 'string' ? value : null
}
