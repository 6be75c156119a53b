// The errors of fields in a failure, by the paths of the fields.

import type { ReactNode } from 'react'
import { existingContact, type Failure } from '../data/failure.ts'
import { AnchorLink } from '../pieces/links.tsx'

export function fieldErrors(failure: Failure): Record<string, ReactNode> {
  const { problems, code, field, message } = failure
  const errors: Record<string, ReactNode> = Object.fromEntries(
    problems.filter(({ path }) => path !== '').map(problem => [problem.path, problem.message]),
  )
  if (code !== 'ALREADY_EXISTS' || !field) return errors
  const contactId = existingContact(failure)
  return { ...errors, [field]: contactId ? <Existing message={message} contactId={contactId} /> : message }
}

function Existing({ message, contactId }: { message: string; contactId: string }) {
  return (
    <>
      {message}.{' '}
      <AnchorLink to="/contacts/$contactId" params={{ contactId }} inherit>
        Open it
      </AnchorLink>
    </>
  )
}
