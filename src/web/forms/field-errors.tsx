// The errors of fields in a failure, by the paths of the fields.

import type { ReactNode } from 'react'
import { useQuery } from 'urql'
import { existingRecord, type Failure } from '../data/failure.ts'
import { withFullStop } from '../data/sentences.ts'
import { CompanyNameDocument } from '../generated/documents/forms.ts'
import { ExistingLink, type ExistingLinkProps } from '../pieces/existing-link.tsx'

export function fieldErrors(failure: Failure): Record<string, ReactNode> {
  const { problems, code, field, message } = failure
  const errors: Record<string, ReactNode> = Object.fromEntries(
    problems.filter(({ path }) => path !== '').map(problem => [problem.path, problem.message]),
  )
  if (code !== 'ALREADY_EXISTS' || !field) return errors
  const existing = existingRecord(failure)
  return { ...errors, [field]: existing ? <Existing message={message} record={existing} /> : message }
}

function Existing({ message, record }: { message: string; record: ExistingLinkProps['record'] }) {
  const [{ data }] = useQuery({ query: CompanyNameDocument, variables: { id: record.id }, pause: record.noun !== 'company' })
  return (
    <>
      {withFullStop(message)} <ExistingLink record={record} name={data?.company?.name} inherit underline="always" />
    </>
  )
}
